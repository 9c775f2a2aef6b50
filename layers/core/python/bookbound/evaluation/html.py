"""Pages that need nothing else: templates whose values are all escaped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2


def page(template: Path, **values: Any) -> str:
    """A template's page; a value that it lacks is an error."""
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(template.read_text(encoding="utf-8")).render(**values)
