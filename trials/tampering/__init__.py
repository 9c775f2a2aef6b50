"""An audit trail over months, by a simulated clock, and a search for all tampering with it."""
