"""Assembly of the cloud's code: dependencies, core and functions, as Lambda finds them."""
