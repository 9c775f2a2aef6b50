"""What holds for all tests."""

from hypothesis import settings

# How long an example takes says more of the machine than of the law.
settings.register_profile("steady", deadline=None)
settings.load_profile("steady")
