"""An audit trail over months, by a clock of its own, and what somebody may do to it: is all of it found?"""
