"""A whole stage in a real account, from nothing to nothing: `make trial STAGE=trial`."""
