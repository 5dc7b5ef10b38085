"""Labelled conversations, and the measures by which what is told of them is judged.

A file is one conversation: `turns` that people, models and tools wrote, `facts` with the
words they were said in, `questions` with the facts that they need, and `quiet` prompts
that nothing known helps. A fact counts as told if one line has 60 % of the stems of its
value and half of those of its subject (of facts about a speaker: the name, or "you"), or
90 % of the words it was said in. A stale fact counts as told as true if a line has it and
neither shows doubt nor has what replaced it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

WORD = re.compile(r"[^\W_]+(?:[.,:/'-][^\W_]+)*|[$€£%]")
DOUBT = re.compile(
    r"\?|conflict|\bwas\b|\bwere\b|\buntil\b|no longer|\bnot\b|\bnever\b|replaced"
    r"|formerly|\bused to\b|\bold\b",
    re.IGNORECASE,
)
UNSAYABLE = ("secret", "injection")
"""What must never be told, by the reason of its label."""
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "or",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "from",
        "by",
        "with",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "my",
        "our",
        "your",
        "his",
        "her",
        "their",
        "i",
        "we",
        "you",
        "he",
        "she",
        "they",
        "me",
        "us",
        "them",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "not",
        "no",
        "so",
        "than",
        "then",
        "there",
        "here",
        "will",
        "would",
        "can",
        "could",
        "should",
        "may",
        "might",
        "must",
        "just",
        "only",
        "also",
        "now",
        "any",
        "all",
        "some",
        "each",
        "every",
        "very",
        "per",
        "via",
        "into",
        "onto",
        "about",
        "over",
        "under",
        "up",
        "down",
        "out",
        "off",
        "if",
        "but",
        "when",
        "while",
        "who",
        "which",
        "what",
        "whose",
        "where",
        "how",
        "why",
        "s",
        "t",
        "re",
        "ve",
        "ll",
        "d",
        "m",
        "one",
        "thing",
    ]
)
_ENDINGS = [
    "ingly",
    "edly",
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ies",
    "ied",
    "ers",
    "er",
    "es",
    "ed",
    "ly",
    "s",
    "e",
    "y",
]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return a crude stem: enough to let "deploys" meet "deployed"."""
    word = word.lower().strip(".,:/'-")
    if len(word) > 3 and not any(it.isdigit() for it in word):
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                return word[: -len(ending)]
    return word


@lru_cache(maxsize=50_000)
def stems(text: str) -> frozenset[str]:
    """Return the stems of a text that mean something; parts of compounds count too."""
    found = set()
    for word in WORD.findall(text.replace("_", " ")):
        for part in {word, *re.split(r"[-/:']", word)}:
            if part and part.lower() not in _STOP:
                found.add(stem(part))
    return frozenset(found - {""})


def covered(wanted: Set[str], there: Set[str]) -> float:
    """Return the share of what is wanted that is there."""
    return len(wanted & there) / len(wanted) if wanted else 1.0


def _ascii(name: str) -> str:
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return folded.replace(" ", "-")


class LabelledFact:
    """Fact that an attentive listener would remember.

    Args:
        label: As it stands in the file.
        speaker: Who said it.
    """

    def __init__(self, label: dict[str, Any], speaker: str) -> None:
        self.id: str = label["id"]
        self.turn: str = label["turn"]
        self.value, self.subject = stems(label["value"]), stems(label["subject"])
        self.quote = stems(label["quote"])
        self._names = {stem(speaker)} | stems(speaker) | stems(_ascii(speaker))
        self._is_own = label["subject"].lower() in {"i", "me", speaker.lower()}

    def is_in(self, text: str) -> bool:
        """Return whether a line says it."""
        there = stems(text)
        about = covered(self.subject, there) >= 0.5
        if not about and self._is_own:
            words = there | {word.lower() for word in WORD.findall(text)}
            about = bool((self._names | {"you"}) & words)
        return (about and covered(self.value, there) >= 0.6) or (
            len(self.quote) > 1 and covered(self.quote, there) >= 0.9
        )


@dataclass
class LabelledTalk:
    """A conversation with its labels.

    Attributes:
        data: As it stands in the file.
        facts: By their ids.
        closed: Facts that hold no more at this point of the conversation, each with what
            replaced it; None for nothing.
    """

    data: dict[str, Any]
    facts: dict[str, LabelledFact] = field(default_factory=dict)
    closed: dict[str, str | None] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> LabelledTalk:
        """Return the conversation of a file."""
        data = json.loads(path.read_text(encoding="utf-8"))
        speakers = {turn["id"]: turn["speaker"] for turn in data["turns"]}
        facts = {
            label["id"]: LabelledFact(label, speakers[label["turn"]])
            for label in data["facts"]
        }
        return cls(data, facts)

    @property
    def name(self) -> str:
        """Return its name in the file."""
        return str(self.data["name"])

    @property
    def prompts(self) -> list[dict[str, Any]]:
        """The questions and the quiet prompts."""
        return [*self.data["questions"], *self.data["quiet"]]

    def asked_after(self, turn: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the prompts that follow a turn."""
        return [it for it in self.prompts if it["after"] == turn["id"]]

    @property
    def plain_turns(self) -> set[str]:
        """The turns that people typed and that state nothing, if all that do are labelled."""
        data = self.data
        labelled = {
            it["turn"] for key in ("facts", "changes", "decoys") for it in data[key]
        }
        typed = {it["id"] for it in data["turns"] if it["role"] == "user"}
        return typed - labelled if data.get("exhaustive") else set()

    def sessions_of(self, asked: dict[str, Any]) -> set[str]:
        """Return the sessions in which was said what a prompt needs."""
        needed = set(asked.get("needs", ()))
        turns = {it["turn"] for it in self.data["facts"] if it["id"] in needed}
        return {it["session"] for it in self.data["turns"] if it["id"] in turns}

    def stated(self, turn: dict[str, Any]) -> list[tuple[str, str]]:
        """Return the labelled facts of a turn: the subject, and what is said of it."""
        return [
            self._stated(it) for it in self.data["facts"] if it["turn"] == turn["id"]
        ]

    def denied(self, turn: dict[str, Any]) -> set[str]:
        """Return the statements that cannot hold beside what a turn states."""
        data, at = self.data, turn["id"]
        old = {it["old"] for it in data["changes"] if it["turn"] == at}
        old |= {it["held"] for it in data["conflicts"] if it["turn"] == at}
        return {self.statement(it) for it in old}

    def statement(self, fact: str) -> str:
        """Return a fact as it was stated: the subject, and what is said of it."""
        (label,) = (it for it in self.data["facts"] if it["id"] == fact)
        return ": ".join(self._stated(label))

    def contradictions(self, found: Collection[str]) -> Counter[str]:
        """Count the facts that a later one contradicts, and those that were found.

        Args:
            found: Statements that a memory ended, or that it holds to be in dispute.
        """
        data = self.data
        old = {it["old"] for it in data["changes"] if it["new"]}
        old |= {it["held"] for it in data["conflicts"]}
        known = sum(self.statement(it) in found for it in old)
        return Counter(contradictions=len(old), contradictions_found=known)

    def close(self, turn: str) -> None:
        """Take in what a turn changed."""
        for change in self.data["changes"]:
            if change["turn"] == turn:
                self.closed[change["old"]] = change["new"]

    def needs_met(self, asked: dict[str, Any], line: str) -> list[str]:
        """Return the facts that a question needs and a line says."""
        return [it for it in asked.get("needs", ()) if self.facts[it].is_in(line)]

    def count(self, asked: dict[str, Any], lines: Sequence[str]) -> Counter[str]:
        """Return counts for a prompt, a question or a quiet one."""
        words = sum(len(line.split()) for line in lines)
        if "needs" not in asked:
            return Counter(quiet=1, disturbed=bool(lines), quiet_words=words)
        needs = asked["needs"]
        met = [set(self.needs_met(asked, line)) for line in lines]
        told = set().union(*met)
        is_task = not asked["direct"]
        return Counter(
            questions=1,
            needs=len(needs),
            needs_told=sum(it in told for it in needs),
            tasks=is_task,
            task_needs=len(needs) * is_task,
            task_needs_told=sum(it in told for it in needs) * is_task,
            answered=all(it in told for it in needs),
            lines=len(lines),
            lines_needed=sum(bool(it) for it in met),
            words=words,
            stale=len(asked["stale"]),
            stale_told=sum(self._is_told_as_true(it, lines) for it in asked["stale"]),
            unsayable=sum(self._has_unsayable(line) for line in lines),
        )

    def _stated(self, label: dict[str, Any]) -> tuple[str, str]:
        said, subject = f"{label['predicate']} {label['value']}", label["subject"]
        if subject.lower() not in {"i", "me"}:
            return subject, said
        turns = self.data["turns"]
        return next(it["speaker"] for it in turns if it["id"] == label["turn"]), said

    def _is_told_as_true(self, old: str, lines: Sequence[str]) -> bool:
        new = self.closed.get(old)
        return any(
            self.facts[old].is_in(line)
            and not DOUBT.search(line)
            and not (new and self.facts[new].is_in(line))
            for line in lines
        )

    def _has_unsayable(self, line: str) -> bool:
        there = stems(line)
        return any(
            covered(stems(decoy["quote"]), there) >= 0.8
            for decoy in self.data["decoys"]
            if decoy["why"] in UNSAYABLE
        )
