"""A year of a stage's audit trail, and whether erasures leave nothing of whom they were for, and all else."""
