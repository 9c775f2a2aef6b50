"""The cloud, described: stages, stacks and the constructs that they compose."""
