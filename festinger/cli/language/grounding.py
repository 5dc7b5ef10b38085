"""`festinger language grounding`: dry run of grounding claims in texts, without a server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError

from festinger.cli.language.dryrun import text_of
from festinger.cli.listing import JSON, print_json
from festinger.cli.options import CONFIG
from festinger.config import load
from festinger.core.language.grounding import Grounding, SourceText, Thresholds, ground
from festinger.core.memories.policy import policy_of

_TEXTS_KEPT = 16
"""The size of the cache; claims about one text are mostly adjacent."""


class ClaimRow(BaseModel):
    """Row of the file with claims."""

    # Further members of a line are left aside; a number is no claim, hence the strict types.
    model_config = ConfigDict(extra="ignore")

    id: StrictStr | StrictInt
    claim: StrictStr
    text: StrictStr


@dataclass(frozen=True, slots=True)
class _GroundedClaim:
    """Claim with its grounding."""

    claim: ClaimRow
    grounding: Grounding


@click.command("ground")
@click.option(
    "--claims",
    "file",
    required=True,
    type=click.Path(path_type=Path),
    help="A JSON object a line: id, claim and text (- for standard input).",
)
@JSON
@CONFIG
def ground_claims(file: Path, as_json: bool, config_file: Path | None) -> None:
    """Show how well texts support claims.

    A score from 0 to 1, and what follows from it: grounded, candidate (people decide) or
    rejected; with what the claim has and the text has not. Where the bands begin is in the
    configuration, below grounding.
    """
    # The server's own bands, so that a dry run decides as the server would.
    thresholds = policy_of(load(config_file)).thresholds
    # A list, so that an error in a late line is told before anything is printed.
    for each in [_hold(claim, thresholds) for claim in _claims(text_of(file))]:
        if as_json:
            print_json(_as_json(each))
        else:
            found, failed = each.grounding, ", ".join(each.grounding.failed)
            why = f"  (not in the text: {failed})" if failed else ""
            click.echo(f"{each.claim.id}  {found.score:.2f} {found.band}{why}")


def _claims(text: str) -> Iterator[ClaimRow]:
    """Yield the claims of a file line by line, without blank lines."""
    # Not splitlines, which also splits at other characters that JSON strings may have.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield ClaimRow.model_validate_json(line)
        except ValidationError as error:
            # The first error is enough, without the input, which may be long or private.
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            what = f"{where}: {first['msg']}" if where else first["msg"]
            raise click.BadParameter(
                f"line {number}: {what}. Write a JSON object with id, claim and text",
                param_hint="--claims",
            ) from None


def _hold(claim: ClaimRow, thresholds: Thresholds) -> _GroundedClaim:
    text = _text(claim.text)
    return _GroundedClaim(claim, ground(claim.claim, text, thresholds=thresholds))


@lru_cache(maxsize=_TEXTS_KEPT)
def _text(text: str) -> SourceText:
    return SourceText(text)


def _as_json(held: _GroundedClaim) -> dict[str, Any]:
    found = held.grounding
    return {
        "id": held.claim.id,
        "score": round(found.score, 6),
        "band": found.band,
        "failed": list(found.failed),
        "window": found.window,
    }
