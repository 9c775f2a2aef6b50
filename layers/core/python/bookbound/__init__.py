"""Bookbound: answers from a book, with a citation for every sentence, or an honest refusal."""

import logging

# A library stays silent until its user says where the log goes.
logging.getLogger(__name__).addHandler(logging.NullHandler())

__version__ = "0.1.0"
