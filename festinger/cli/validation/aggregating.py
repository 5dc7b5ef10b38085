"""`festinger validation aggregate`: dry run of aggregating votes, without a server."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from festinger.cli.language.dryrun import text_of
from festinger.cli.listing import JSON, print_json
from festinger.core.validation.decision import (
    AggregatedVotes,
    TaskOutcome,
    aggregate,
)
from festinger.core.validation.reputation import Reputation
from festinger.core.validation.votes import Vote, VoteAnswer

REQUIRED = ("task", "rater", "answer")
GOLD = "gold"
SHOWN_MAX = 20
"""The maximum number of invalid lines that are listed."""

# Words of spreadsheets and of other tools for one answer.
_ANSWERS = {
    **dict.fromkeys(("yes", "y", "1", "true"), VoteAnswer.YES),
    **dict.fromkeys(("no", "n", "0", "false"), VoteAnswer.NO),
    "abstain": VoteAnswer.ABSTAIN,
}


class _InvalidRow(Exception):
    """A line of the table is invalid."""


@dataclass
class _VoteTable:
    """Parsed table of votes.

    Attributes:
        gold: The known truth of each task, with the number of its line.
        wrong: The line numbers and messages of errors.
    """

    votes: list[Vote] = field(default_factory=list)
    gold: dict[str, tuple[bool, int]] = field(default_factory=dict)
    wrong: list[tuple[int, str]] = field(default_factory=list)


@click.command("aggregate")
@click.argument("file", metavar="VOTES.csv", type=click.Path(path_type=Path))
@JSON
def aggregate_votes(file: Path, as_json: bool) -> None:
    """Show what the votes of a table decide (- for standard input).

    Its columns are task, rater and answer (yes, no or abstain), and gold where the truth
    is known; others are ignored. Of several answers of a rater to a task the last counts.
    First come the tasks: the decision, how probably it is true, and the votes that were
    used. Then the raters: how good they are at yes and at no.
    """
    ballots = _read(text_of(file))
    # All errors at once: a table is mended in one go.
    if ballots.wrong:
        raise click.BadParameter(_complaint(ballots.wrong), param_hint="VOTES.csv")
    gold = {task: known for task, (known, _) in ballots.gold.items()}
    found = aggregate(ballots.votes, gold)
    votes = Counter(rater for answers in found.tally.values() for rater in answers)
    raters = {vote.rater for vote in ballots.votes}
    known = {rater: found.reputations[rater] for rater in sorted(raters)}
    if not as_json:
        for line in _table(found, known, votes):
            click.echo(line)
        return
    for task, outcome in found.outcomes.items():
        print_json(_task_json(task, outcome))
    for rater, reputation in known.items():
        print_json(
            {
                "rater": rater,
                "good_at_yes": round(reputation.skill.yes, 6),
                "good_at_no": round(reputation.skill.no, 6),
                "votes": votes[rater],
                "judged": reputation.judged,
                "known": reputation.known,
                "low": reputation.low,
                "counts_as": reputation.bloc,
            }
        )


def _read(text: str) -> _VoteTable:
    """Parse a table of votes; errors are collected."""
    found = _VoteTable()
    # A quote that is not closed would swallow the rest.
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    columns: dict[str, int] = {}
    width = before = 0
    try:
        for row in reader:
            # The first line of a row that spans several.
            line, before = before + 1, reader.line_num
            if not any(cell.strip() for cell in row):
                continue
            try:
                if not columns:
                    columns, width = _columns(row), len(row)
                else:
                    _take(found, line, row, columns, width)
            except _InvalidRow as wrong:
                found.wrong.append((line, str(wrong)))
                if not columns:  # without a header no row can be read
                    break
    except csv.Error as error:
        # `csv` has not counted the line that it failed in.
        found.wrong.append((before + 1, f"this is no CSV: {error}"))
    return found


def _columns(row: Sequence[str]) -> dict[str, int]:
    """Return the indexes of a header's known columns, or raise `_InvalidRow`."""
    names = [cell.strip().lower() for cell in row]
    for name in (*REQUIRED, GOLD):
        if names.count(name) > 1:
            raise _InvalidRow(f"there are two columns {name}")
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        raise _InvalidRow(
            f"there is no column {' and no column '.join(missing)}. Write a header "
            "with task, rater and answer, between commas"
        )
    return {name: names.index(name) for name in (*REQUIRED, GOLD) if name in names}


def _take(
    found: _VoteTable,
    line: int,
    row: Sequence[str],
    columns: Mapping[str, int],
    width: int,
) -> None:
    """Take a row; raise `_InvalidRow` if it is invalid."""
    # Empty cells at the end are what spreadsheets leave.
    if any(cell.strip() for cell in row[width:]):
        raise _InvalidRow(f"it has {len(row)} cells, and the header {width}")
    cells = {
        name: row[at].strip() if at < len(row) else "" for name, at in columns.items()
    }
    task, rater, answer = (cells[name] for name in REQUIRED)
    if not task:
        raise _InvalidRow("there is no task")
    # A truth may have a row of its own, without a vote.
    if gold := cells.get(GOLD, ""):
        _know(found, line, task, gold)
        if not answer:
            return
    if not rater:
        raise _InvalidRow("there is no rater")
    # The line stands for the time: the last of several counts.
    found.votes.append(Vote(task, rater, _answer(answer), cast_at=line))


def _know(found: _VoteTable, line: int, task: str, gold: str) -> None:
    known = _ANSWERS.get(gold.lower(), VoteAnswer.ABSTAIN)
    if known is VoteAnswer.ABSTAIN:
        raise _InvalidRow(f"gold is {gold!r}. Write yes, no or nothing")
    true = known is VoteAnswer.YES
    # The same truth may be repeated in each row of a task.
    before, first = found.gold.setdefault(task, (true, line))
    if before != true:
        other = "yes" if before else "no"
        raise _InvalidRow(f"gold of {task!r} is {gold!r}, and {other} in line {first}")


def _answer(text: str) -> VoteAnswer:
    try:
        return _ANSWERS[text.lower()]
    except KeyError:
        raise _InvalidRow(f"the answer is {text!r}. Write yes, no or abstain") from None


def _complaint(wrong: Sequence[tuple[int, str]]) -> str:
    lines = [f"line {line}: {what}" for line, what in wrong[:SHOWN_MAX]]
    if len(wrong) > SHOWN_MAX:
        lines.append(f"and {len(wrong) - SHOWN_MAX} more")
    return "\n".join(lines)


def _task_json(task: str, outcome: TaskOutcome) -> dict[str, Any]:
    decision = outcome.decision
    return {
        "task": task,
        "decision": decision.verdict,
        "rule": decision.rule,
        "posterior": round(decision.posterior, 6),
        "by_votes": round(outcome.by_votes, 6),
        "gold": _word(outcome.gold),
        "votes_used": len(decision.used),
        "votes": [
            {
                "rater": each.rater,
                "answer": _word(each.yes),
                "weight": round(each.weight, 6),
                "accounts": each.accounts,
            }
            for each in decision.used
        ],
    }


def _table(
    found: AggregatedVotes, known: Mapping[str, Reputation], votes: Mapping[str, int]
) -> Iterator[str]:
    """Yield the tasks and the raters as aligned columns."""
    if not found.outcomes:
        yield "no votes"
        return
    rows = [("task", "decision", "posterior", "yes", "no", "by")]
    for task, outcome in found.outcomes.items():
        decision = outcome.decision
        yes = sum(each.yes for each in decision.used)
        rows.append(
            (
                _shown(task),
                decision.verdict,
                f"{decision.posterior:.3f}",
                str(yes),
                str(len(decision.used) - yes),
                decision.rule,
            )
        )
    yield from _aligned(rows)
    if not known:
        return
    yield ""
    rows = [("rater", "good at yes", "good at no", "votes", "judged", "")]
    for rater, reputation in known.items():
        rows.append(
            (
                _shown(rater),
                f"{reputation.skill.yes:.3f}",
                f"{reputation.skill.no:.3f}",
                str(votes.get(rater, 0)),
                str(reputation.judged),
                _remark(rater, reputation),
            )
        )
    yield from _aligned(rows)


def _remark(rater: str, reputation: Reputation) -> str:
    """Return the remarks on a rater."""
    remarks = []
    if reputation.bloc != rater:  # a bloc is named by its first account
        remarks.append(
            f"errs together with {_shown(reputation.bloc)}: their answers count as one"
        )
    if not reputation.known:
        remarks.append("too few judged votes: weighs as anybody")
    elif reputation.low:
        remarks.append("says little")
    return "; ".join(remarks)


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()


def _shown(text: str) -> str:
    """Replace the unprintable characters of a name."""
    return "".join(each if each.isprintable() else "?" for each in text)


def _word(yes: bool | None) -> str | None:
    return None if yes is None else "yes" if yes else "no"
