"""Readers' results while a book is ingested again and again."""
