"""What the parts of `make bench` found, as tables on the terminal and as one page with plots."""
