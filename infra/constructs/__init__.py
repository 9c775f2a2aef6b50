"""Building blocks of the stacks, one resource and its reasons each."""
