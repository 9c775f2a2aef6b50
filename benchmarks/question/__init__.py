"""A question's own time as a book grows, part by part, and beside what peers' retrieval takes."""
