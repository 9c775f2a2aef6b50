"""The packages as strangers get them: built, installed into empty folders, used."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints; it has to succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with wheel and tarball, built by the documented command."""
    run("make", "package", folder=ROOT)
    return Path(shutil.copytree(ROOT / "build" / "packages", tmp_path_factory.mktemp("built") / "packages"))


@pytest.fixture(scope="module")
def python(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what makes one machine whole, and nothing of this checkout.

    uv has what the wheel needs at hand, since it made this environment; pip would fetch all of it again.
    """
    folder = tmp_path_factory.mktemp("installed")
    uv = shutil.which("uv", path=os.pathsep.join((os.environ["PATH"], str(ROOT / ".uv/bin"))))
    assert uv is not None
    python = folder / "env" / "bin" / "python"
    run(uv, "venv", "--quiet", "--python", sys.executable, "env", folder=folder)
    [wheel] = packages.glob("*.whl")
    run(uv, "pip", "install", "--quiet", "--python", python, f"{wheel}[local]", folder=folder)
    return python


def test_everything_lies_under_our_own_name(python: Path) -> None:
    """The wheel claims the package and its embedder's weights, and no `local` or `functions` of others."""
    [record] = (python.parents[1] / "lib").rglob("bookbound-*.dist-info/RECORD")
    names = {line.split("/")[0] for line in record.read_text().splitlines() if not line.startswith("..")}
    assert {name for name in names if not name.endswith(".dist-info")} == {"bookbound", "bookbound_embedder"}


def test_the_command_teaches_and_tells_its_version(python: Path, tmp_path: Path) -> None:
    """As the README shows it."""
    command = python.with_name("bookbound")
    assert "ingest" in run(command, "--help", folder=tmp_path)
    assert re.fullmatch(r"bookbound \d+\.\d+\.\d+\n", run(command, "--version", folder=tmp_path))


def test_a_book_is_ingested_asked_and_served(python: Path, tmp_path: Path) -> None:
    """With nothing but what was installed."""
    command = python.with_name("bookbound")
    (tmp_path / "docs").mkdir()
    page = "# Battery\n\nThe battery of Kestrel holds 9 Ah. It lasts for 90 minutes of walking.\n"
    (tmp_path / "docs" / "battery.md").write_text(page)
    run(command, "ingest", "docs", folder=tmp_path)
    assert "90 minutes" in run(command, "ask", "How long does the battery of Kestrel last?", folder=tmp_path)
    serving = [command, "serve", "--port", "0"]
    with subprocess.Popen(serving, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = re.findall(r"http://[\d.:]+", server.stdout.readline())[0]
            assert httpx.get(f"{url}/v1/health", timeout=30).status_code == 200
            assert "Ask the book" in httpx.get(url, timeout=30).text
        finally:
            server.terminate()


def test_a_stages_command_says_which_extra_it_needs(python: Path, tmp_path: Path) -> None:
    """In one line, without a traceback."""
    command = [python.with_name("bookbound"), "doctor", "--stage", "dev"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "boto3 is not installed; this needs: pip install 'bookbound[local,aws]'\n"


def test_the_plugin_can_be_installed_and_required(packages: Path, tmp_path: Path) -> None:
    """Node finds its entry point, and the licence lies beside it."""
    [tarball] = packages.glob("*.tgz")
    (tmp_path / "package.json").write_text("{}")
    npm = ("npm", "install", "--silent", "--no-audit", "--no-fund", "--legacy-peer-deps")
    run(*npm, str(tarball), folder=tmp_path)
    loads = "console.log(typeof require('docusaurus-plugin-bookbound').default)"
    assert run("node", "-e", loads, folder=tmp_path) == "function\n"
    assert (tmp_path / "node_modules/docusaurus-plugin-bookbound/LICENSE").is_file()
