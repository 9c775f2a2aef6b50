"""How good the answers are: labelled questions in, rates with their counts and intervals out (E2)."""
