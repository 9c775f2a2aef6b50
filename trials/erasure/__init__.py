"""A year of a stage's audit trail; erasures have to remove all of their subjects, and only that."""
