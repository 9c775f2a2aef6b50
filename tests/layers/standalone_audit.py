"""A script with only the standard library and the API's build on its path, as the function has.

`python -I -S standalone_audit.py TEXT PATH…` prints the kinds of personal data in a text.
"""

from __future__ import annotations

import importlib
import json
import sys

sys.path[:0] = sys.argv[2:]
print(json.dumps(sorted(importlib.import_module("bookbound.audit.personal_data").found_in(sys.argv[1]))))
