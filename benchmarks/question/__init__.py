"""A question's own time as a book grows, part by part, and next to peers' retrieval time."""
