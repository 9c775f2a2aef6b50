"""How the cloud's code is put together: dependencies, core and functions, as Lambda finds them."""
