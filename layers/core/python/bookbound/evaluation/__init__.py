"""Quality of the answers: labelled questions in, rates with counts and intervals out (E2)."""
