"""What readers get while a book is ingested again and again."""
