"""Long runs that prove a promise under faults, kills, tampering, erasure and attack."""
