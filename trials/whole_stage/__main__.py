"""`python -m trials.whole_stage STAGE`: deploy a stage, put it through all that it promises, destroy it.

Needs AWS credentials that may deploy, an account and region that are bootstrapped, and the vendors' keys. It
takes an hour, and half a dollar. A run that ends early goes on where it was; it always offers to destroy.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from bookbound.errors import BookboundError
from bookbound.evaluation.records import InputError
from bookbound.settings import VENDOR_KEYS
from infra.billing import Resources
from infra.stage import ConfigError, Stage
from infra.stages import TRIAL, stage_named
from trials.whole_stage import account
from trials.whole_stage.account import Refused
from trials.whole_stage.bill import bill
from trials.whole_stage.commands import ROOT, Commands, Shell
from trials.whole_stage.progress import Progress, kept
from trials.whole_stage.steps import Trial

KEPT = ROOT / "build" / "trial"

Confirm = Callable[[str], bool]
"""Asks whether the stage of this name is to be destroyed."""

Counts = Callable[[Stage], Resources]


def main(
    stage: Annotated[str, typer.Argument(metavar="STAGE", help="A disposable stage, not deployed yet.")],
    yes: Annotated[bool, typer.Option("--yes", help="Destroy the stage in the end without asking.")] = False,
) -> None:
    """Try a whole stage in your account, from nothing to nothing.

    Deploys, ingests the sample book, checks it, releases two versions that must be taken back, queries and
    erases the audit trail, prints times and bill, and destroys the stage. Run it again to go on.

    Reads the vendors' keys from BOOKBOUND_CLAUDE_API_KEY, BOOKBOUND_COHERE_API_KEY, BOOKBOUND_QDRANT_URL and
    BOOKBOUND_QDRANT_API_KEY.
    """
    try:
        code = run(stage, os.environ, Shell(), _confirming(yes), KEPT)
    except (Refused, ConfigError, BookboundError, InputError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    raise typer.Exit(code)


def run(
    name: str,
    environment: Mapping[str, str],
    commands: Commands,
    confirm: Confirm,
    folder: Path,
    *,
    counts: Counts = Resources.of,
) -> int:
    """The whole trial; 0 where all went as it must and nothing is left standing, else 1.

    Raises Refused, ConfigError, InputError or Unavailable before anything is deployed.
    """
    stage = stage_named(name)
    done = permitted(stage, folder / f"{name}.json")
    trial = Trial(stage, _keys(environment), done, commands, typer.echo)
    failed = _walk(trial, folder / f"{name}.json")
    for line in (*_times(done), *bill(stage, done, counts(stage))):
        typer.echo(line)
    left = _destroy(trial, confirm, folder / f"{name}.json")
    return 1 if failed or left else 0


def permitted(stage: Stage, path: Path) -> Progress:
    """The trial to begin or to go on with. Raises Refused for a stage that holds anything else."""
    if not stage.disposable:
        raise Refused(f"stage {stage.name} keeps its data; a trial destroys: take STAGE={TRIAL.name}")
    where, before = account.who(), kept(path)
    stacks = account.standing(stage.name)
    if before is None:
        if stacks:
            raise Refused(
                f"stage {stage.name} stands already, and no trial from here made it: take another stage, or "
                f"make destroy STAGE={stage.name}"
            )
        return Progress(*where)
    if (before.account, before.region) != where:
        raise Refused(
            f"a trial of {stage.name} is under way in account {before.account}, {before.region}: "
            f"sign in there, or delete {path}"
        )
    if "ingest" in before.seconds and stacks and (held := account.strange(stage.name)):
        raise Refused(f"stage {stage.name} holds what no trial put there: {held}")
    return before


def _keys(environment: Mapping[str, str]) -> Mapping[str, str]:
    names = {name: f"BOOKBOUND_{name.upper()}" for name in VENDOR_KEYS}
    if missing := [name for name in names.values() if not environment.get(name, "").strip()]:
        raise Refused(f"set {', '.join(missing)}: a stage needs the keys of its vendors (docs/deploy.md)")
    return {key: environment[name] for key, name in names.items()}


def _walk(trial: Trial, path: Path) -> bool:
    """Do what is not done yet, and keep how far it came; whether a step failed."""
    for number, (name, step) in enumerate(trial.steps.items(), 1):
        label = f"{number}/{len(trial.steps)} {name}"
        if name in trial.done.seconds:
            typer.echo(f"✓ {label}: done before")
            continue
        typer.echo(f"· {label}")
        begun = time.monotonic()
        # From here on something may stand, whatever ends this run.
        trial.done.keep(path)
        try:
            step()
        except KeyboardInterrupt:
            typer.echo(f"stopped in {label}", err=True)
            return True
        except (Refused, BookboundError, InputError) as error:
            typer.echo(f"FAILED {label}: {error}", err=True)
            return True
        finally:
            trial.done.keep(path)
        trial.done.seconds[name] = time.monotonic() - begun
        trial.done.keep(path)
    return False


def _times(done: Progress) -> list[str]:
    rows = [f"  {name:<32} {seconds:>7.0f} s" for name, seconds in done.seconds.items()]
    return ["times:", *rows, f"  {'all':<32} {sum(done.seconds.values()):>7.0f} s"]


def _destroy(trial: Trial, confirm: Confirm, path: Path) -> bool:
    """Offer to destroy the stage, and do it; whether something is left standing."""
    name = trial.stage.name
    try:
        if not account.standing(name):
            path.unlink(missing_ok=True)
            return False
        if not confirm(name):
            typer.echo(f"stage {name} stands, and costs; make trial STAGE={name} goes on and asks again")
            return True
        for collection in account.forget_points(name):
            typer.echo(f"deleted collection {collection}")
    except (BookboundError, InputError) as error:
        typer.echo(f"its collections at Qdrant may be left: {error}", err=True)
    status = trial.commands.run("make", "destroy", f"STAGE={name}", said=f"{name}\n")
    if status or account.standing(name):
        typer.echo(f"stage {name} was not destroyed; run make trial STAGE={name} again", err=True)
        return True
    path.unlink(missing_ok=True)
    typer.echo("log groups stay until they expire, and so does CDK's bootstrap stack")
    return False


def _confirming(yes: bool) -> Confirm:
    """At a terminal the name has to be typed; without one nothing is destroyed unless --yes was given."""

    def confirm(name: str) -> bool:
        if yes or not sys.stdin.isatty():
            return yes
        return input(f"type the stage's name to destroy it, or nothing to keep it ({name}): ").strip() == name

    return confirm


if __name__ == "__main__":
    typer.run(main)
