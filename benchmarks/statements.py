"""Measures what rules read out of labelled conversations.

    python -m benchmarks.statements [--show] [--each] FILE ...

The conversations are not part of the project; without them the figures are skipped,
loudly. Every turn that a person typed is read by `read_statements`, as the server does
behind an answer. A statement is right if a labelled fact of any turn is in its line, by
the measure of `talks`; a decoy is hit if its words are a wrong statement's. A change is
heard if a statement of its turn says "changed", or names another value of what it changes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchmarks.talks import LabelledTalk, covered, stems
from festinger.core.graph.origins import (
    ReadStatement,
    StatementOrigin,
    StatementReader,
)
from festinger.core.language.statements import read_statements
from festinger.core.language.utterances import read_turn
from festinger.core.system.secrets import redact

WORDED = 0.99


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """A statement with what the labels say of it.

    Attributes:
        turn: The turn's name.
        statement: As it was read.
        right: Whether a labelled fact is in it.
        worded: Whether its value stands in the words, or in the value, of a fact that is
            labelled in the same turn, whatever the label calls its subject.
        decoy: Why it is a decoy; empty if it is none.
    """

    turn: str
    statement: ReadStatement
    right: bool
    worded: bool
    decoy: str


def line_of(statement: ReadStatement) -> str:
    """Return the line that a statement is told as."""
    subject = statement.subject
    if subject == "I":
        subject = statement.origin.speaker
    denial = "not " if statement.negated else ""
    return f"{subject}: [{statement.predicate}] {denial}{statement.value}"


def judge(talk: LabelledTalk) -> tuple[list[JudgedStatement], Counter[str]]:
    """Return what is read out of a conversation, and the counts."""
    judged: list[JudgedStatement] = []
    count: Counter[str] = Counter(changes=0)
    previous: dict[str, list[ReadStatement]] = {}
    for turn in talk.data["turns"]:
        if turn["role"] != "user":
            continue
        origin = StatementOrigin(
            quote="",
            speaker=turn["speaker"],
            principal=turn["speaker"],
            project=turn["project"] or "",
            session=turn["session"],
            said=datetime.fromisoformat(turn["time"]).timestamp(),
            turn_digest=b"",
            reader=StatementReader.RULES,
        )
        before = previous.get(turn["session"], [])
        read = read_statements(read_turn(redact(turn["text"])), origin, before)
        previous[turn["session"]] = read
        judged += [_judged(talk, turn["id"], each) for each in read]
        changes = [it for it in talk.data["changes"] if it["turn"] == turn["id"]]
        count["changes"] += len(changes)
        count["heard"] += sum(_is_heard(it["quote"], read) for it in changes)
        count["words"] += len(turn["text"].split())
    count.update(
        statements=len(judged),
        right=sum(it.right for it in judged),
        worded=sum(it.worded for it in judged),
        decoys=sum(bool(it.decoy) for it in judged),
        said_changed=sum(it.statement.changes for it in judged),
    )
    return judged, count


def _judged(talk: LabelledTalk, turn: str, statement: ReadStatement) -> JudgedStatement:
    line, quote = line_of(statement), statement.origin.quote
    right = any(fact.is_in(line) for fact in talk.facts.values())
    value = stems(statement.value)
    worded = any(
        covered(value, stems(f"{it['quote']} {it['value']} {it['subject']}")) >= WORDED
        for it in talk.data["facts"]
        if it["turn"] == turn
    )
    decoys = (
        it["why"]
        for it in talk.data["decoys"]
        if it["quote"] in quote or quote in it["quote"]
    )
    decoy = "" if right else next(decoys, "")
    return JudgedStatement(turn, statement, right, right or worded, decoy)


def _is_heard(quote: str, read: Sequence[ReadStatement]) -> bool:
    """Return whether a statement of the words says that something changed."""
    return any(
        it.changes and (quote in it.origin.quote or it.origin.quote in quote)
        for it in read
    )


def summary(count: Counter[str]) -> str:
    """Return the figures in a line."""
    read, words, changes = count["statements"], count["words"], count["changes"]
    return (
        f"{read} statements, {1000 * read / (words or 1):.1f} per 1,000 words; "
        f"labelled right {count['right'] / (read or 1):.2f} ({count['right']}/{read}); "
        f"in a labelled fact's words {count['worded'] / (read or 1):.2f}; "
        f"decoys {count['decoys']}; changes heard {count['heard']}/{changes}, "
        f"said changed {count['said_changed']}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="print every statement")
    parser.add_argument("--each", action="store_true", help="figures of each file")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    present = [file for file in options.files if file.is_file()]
    if len(present) < len(options.files) or not present:
        print(
            "SKIPPED: no labelled conversations there. They are not shipped.",
            file=sys.stderr,
        )
    whole: Counter[str] = Counter()
    for file in sorted(present):
        judged, count = judge(LabelledTalk.read(file))
        whole.update(count)
        if options.show:
            for each in judged:
                mark = "+" if each.right else "~" if each.worded else f"- {each.decoy}"
                change = " *" if each.statement.changes else ""
                print(f"{mark:12} {each.turn:5} {line_of(each.statement)}{change}")
                print(f"{'':18} | {each.statement.origin.quote}")
        if options.each:
            print(f"{file.name}: {summary(count)}")
    print(summary(whole))


if __name__ == "__main__":
    main()
