"""Does every request end within its five seconds, whatever the vendors do? (D1–D4)"""
