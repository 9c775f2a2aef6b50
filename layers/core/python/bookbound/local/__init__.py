"""One machine whole: the command line and the local server."""
