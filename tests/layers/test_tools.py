"""The programs that a build needs, and what it says when one of them is missing or fails."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from layers.deps.build import PLATFORMS
from layers.deps.fill import install
from layers.deps.tools import BuildError, find_python, find_uv, run


def test_without_uv_the_error_says_how_to_get_it() -> None:
    """No other tool can read the lock."""
    with pytest.raises(BuildError, match="make setup"):
        find_uv("/nowhere")


def test_a_python_of_another_version_is_passed_over(python: str, tmp_path: Path) -> None:
    """A file that does not run at all is passed over too."""
    (tmp_path / "python3.13").write_text("no program")
    assert find_python([tmp_path / "none", tmp_path / "python3.13", "/bin/false", python]) == python


def test_without_the_runtimes_python_the_error_names_it() -> None:
    """No other version can compile for it."""
    with pytest.raises(BuildError, match=r"no Python 3\.13"):
        find_python(["/bin/false"])


def test_what_a_failing_program_says_becomes_one_line() -> None:
    """After the reason that it was run for."""
    script = "import sys; sys.exit('  × no way\\n  ╰─▶ because\\n      of it')"
    with pytest.raises(BuildError, match=r"^it failed: no way because of it$"):
        run(sys.executable, "-c", script, failure="it failed")
    with pytest.raises(BuildError, match=r"^it failed: /bin/false ended with 1$"):
        run("/bin/false", failure="it failed")
    with pytest.raises(BuildError, match=r"^it failed: /no/such does not run"):
        run("/no/such", failure="it failed")


@pytest.mark.parametrize("platform", PLATFORMS.values())
def test_a_package_without_a_wheel_for_the_platform_is_named(tmp_path: Path, platform: str) -> None:
    """A package is never compiled for another machine."""
    wheel = tmp_path / "robotics-1.0-cp313-cp313-win_amd64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(
            "robotics-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: robotics\nVersion: 1.0\n"
        )
    wanted = tmp_path / "requirements.txt"
    wanted.write_text(f"robotics @ {wheel.as_uri()} --hash=sha256:{'0' * 64}\n")
    with pytest.raises(BuildError, match=rf"cannot be installed for {platform}: .*robotics") as error:
        install(find_uv(), wanted, platform, tmp_path / "packages")
    assert "\n" not in str(error.value)
