"""What a book's owner would otherwise glue together: three frameworks' retrieval, on Bookbound's embedder."""
