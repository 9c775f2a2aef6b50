"""Folders and files of one machine: books, index versions, audit trail."""
