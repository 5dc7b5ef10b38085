"""The memory as agents use it: search, tell, and what a prompt should know."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, Self

from festinger import errors
from festinger.api.v1.line_service_pb2 import MemoryLine
from festinger.api.v1.memory_service_pb2 import RecollectRequest, Turn
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.client import Client, ServerUnreachable
from festinger.errors import FestingerError

PAGE_SIZE: Final = 100
LOOKED_AT_MAX: Final = 1000
"""Lines that a search looks at, of which those of other projects are left out."""
# Earlier prompts that are sent, and the server's limit of a conversation's name.
EARLIER_MAX: Final = 16
SESSION_CHARACTERS_MAX: Final = 128
# Other errors, such as a refused token, need somebody's attention and are raised.
PASSING: Final = (
    ServerUnreachable,
    errors.Overloaded,
    errors.VersionNotReached,
    errors.ServedElsewhere,
    errors.DatabaseUnavailable,
)
"""Errors of a server that will answer again: a prompt goes on without it."""

_LOG = logging.getLogger("festinger")


@dataclass(frozen=True, slots=True)
class Contradicted:
    """A statement that contradicts what is held, and waits for a person.

    Attributes:
        conflict_id: Number of the conflict; 0 for a new one that a prompt stated, which is
            written behind the answer.
        held: What is held, and stays so until a person decides.
        told: What was said against it; it is not held.
    """

    conflict_id: int
    held: str
    told: str


class ContradictionError(FestingerError, reason="CONTRADICTION"):
    """Raised where a statement contradicts what is held.

    Attributes:
        contradictions: The contradictions; each waits for a person.
    """

    def __init__(self, contradictions: Sequence[Contradicted]) -> None:
        told = "; ".join(
            f"{it.told!r}, while {it.held!r} is held (conflict {it.conflict_id})"
            for it in contradictions
        )
        super().__init__(f"not held until a person decides: {told}")
        self.contradictions = tuple(contradictions)


@dataclass(frozen=True, slots=True)
class KnownLine:
    """One thing that is known, and where it comes from.

    Attributes:
        text: The line as an agent is told it.
        name: Names the line, for `forget`.
        kind: `utterance`, `statement`, `memory`, `entity` or `state`.
        quote: The words that it comes from; may be empty.
        speaker: Who said it; empty for what nobody said.
        project: Where it was said; empty for nowhere in particular.
        session: The conversation in which it was said; may be empty.
        time: When it was said or last confirmed, in ISO 8601; may be empty.
    """

    text: str
    name: str
    kind: str
    quote: str
    speaker: str
    project: str
    session: str
    time: str

    @classmethod
    def of(cls, line: MemoryLine) -> Self:
        """Convert the server's line."""
        said = line.HasField("say_time")
        return cls(
            text=line.text,
            name=line.name,
            kind=MemoryLine.Kind.Name(line.kind).removeprefix("KIND_").lower(),
            quote=line.quote,
            speaker=line.speaker,
            project=line.project,
            session=line.session,
            time=line.say_time.ToJsonString() if said else "",
        )

    @property
    def provenance(self) -> dict[str, str]:
        """All but the text, as metadata of a document."""
        names = ("name", "kind", "quote", "speaker", "project", "session", "time")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class TellResult:
    """The outcome of telling something.

    Attributes:
        facts: The statements that are held, old or new.
        lines: The sentences that are kept as they were said.
        waiting: Statements that wait for people, or were refused, each with the reason.
        left_out: Sentences that are not kept, each with the reason.
    """

    facts: tuple[str, ...]
    lines: tuple[KnownLine, ...]
    waiting: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PromptMemory:
    """The block for a prompt, and what it contradicts.

    Attributes:
        block: What to put before the prompt; empty for nothing.
        contradictions: What the prompt stated against what is held.
    """

    block: str = ""
    contradictions: tuple[Contradicted, ...] = ()


def _log_contradiction(found: Contradicted) -> None:
    # What was said goes into no log.
    number = f" (conflict {found.conflict_id})" if found.conflict_id else ""
    _LOG.warning("a prompt contradicts what is held%s: see the inbox", number)


class AgentMemory:
    """The shared memory, for one project and person.

    Args:
        client: A client of the memory server.
        project: Where the agent works; the client's if None.
        person: Whom the conversation is with, for which the client's token must be
            trusted; the client's if None.
        on_contradiction: Called with each contradiction that a prompt states; it is
            logged by default. What is told explicitly raises `ContradictionError`.
    """

    def __init__(
        self,
        client: Client,
        *,
        project: str | None = None,
        person: str | None = None,
        on_contradiction: Callable[[Contradicted], None] = _log_contradiction,
    ) -> None:
        scope = {"project": project, "person": person}
        # None leaves the client's own; an empty string would mean nowhere.
        self.client = client.scoped(
            **{name: it for name, it in scope.items() if it is not None}
        )
        self.on_contradiction = on_contradiction

    @property
    def project(self) -> str:
        """Project that the agent works in; empty for none in particular."""
        return self.client.scope.project

    def scoped(self, **scope: str) -> AgentMemory:
        """Return the memory for another `project` or `person`."""
        client = self.client.scoped(**scope)
        return AgentMemory(client, on_contradiction=self.on_contradiction)

    def search(self, words: str = "", limit: int = 10) -> list[KnownLine]:
        """Return what is known about some words, the best first, or the newest.

        It is what was said in this project or in none, and facts.
        """
        found = []
        # Lazily, so that further pages are asked for only if they are needed. Not `islice`,
        # which fails on a limit that the server is to judge.
        for line in self._lines(words, limit):
            found.append(KnownLine.of(line))
            if len(found) >= limit:
                break
        return found

    def tell(self, text: str) -> TellResult:
        """Tell something in plain sentences, and return once it is committed.

        Raises:
            ContradictionError: It contradicts what is held; a person decides. What else
                it said is kept.
            FestingerError: The server refuses it or cannot be reached.
        """
        said = self.client.say(text)
        # Committed already: what is raised is the report, and the rest stays kept.
        require_held(said.outcomes)
        held = (Outcome.VERDICT_HELD, Outcome.VERDICT_CORROBORATED)
        return TellResult(
            facts=tuple(
                fact_of(it.triple) for it in said.outcomes if it.verdict in held
            ),
            lines=tuple(map(KnownLine.of, said.lines)),
            waiting=tuple(it.message for it in said.outcomes if it.verdict not in held),
            left_out=tuple(f"{it.text}: {it.reason}" for it in said.left_out),
        )

    def recollect(
        self,
        prompt: str,
        *,
        earlier: Sequence[str] = (),
        session: str = "",
        teach: bool = True,
        windowed: bool = False,
    ) -> PromptMemory:
        """Return what the memory has for a prompt, and have it learn from it.

        A prompt of the same place in the same session is learned from once. If the server
        cannot be reached or is too busy, there is nothing to tell, and a warning in the
        log.

        Args:
            prompt: What the person typed.
            earlier: What the person typed before it, the oldest first.
            session: Names the conversation.
            teach: False to learn nothing from it.
            windowed: True if `earlier` begins anywhere in the conversation, so that its
                length is no place: equal prompts of a session are then one.
        """
        # Frameworks call again with the same messages: session, place and text name a prompt,
        # so that it teaches once (B6).
        place = "" if windowed else len(earlier)
        named = f"{session}\0{place}\0{prompt}".encode(errors="replace")
        digest = blake2b(named, digest_size=16).digest()
        request = RecollectRequest(
            turns=[
                Turn(role=Turn.ROLE_USER, text=prompt, seen=not teach, digest=digest)
            ],
            # The newest first.
            earlier=earlier[: -EARLIER_MAX - 1 : -1],
            # What stands in the prompt already is not quoted to it.
            present=[_present(it) for it in (*earlier, prompt)],
            session=_session(session),
            # Hints are answered with `gutask`, which these agents may not have (J9).
            without_hints=True,
        )
        try:
            answer = self.client.recollect(request)
        # An agent works without a memory for a while, as through the shim (D8).
        except PASSING as error:
            _LOG.warning("nothing was recollected: %s", error)
            return PromptMemory()
        contradictions = tuple(contradicted(answer.outcomes))
        for each in contradictions:
            self.on_contradiction(each)
        return PromptMemory(answer.block, contradictions)

    def _lines(self, words: str, limit: int) -> Iterator[MemoryLine]:
        """Yield lines of this project and of none."""
        # Lines of other projects are left out here, so more are asked for.
        size = limit if not self.project else max(limit, PAGE_SIZE)
        token, looked_at = "", 0
        while looked_at < max(limit, LOOKED_AT_MAX):
            page = self.client.search(words, limit=size, page_token=token)
            looked_at += len(page.lines)
            for line in page.lines:
                # Lines of no project hold everywhere (J5).
                if not (self.project and line.project) or line.project == self.project:
                    yield line
            if not (token := page.next_page_token):
                return


def require_held(outcomes: Iterable[Outcome]) -> None:
    """Raise a ContradictionError if a statement contradicts what is held."""
    if found := list(contradicted(outcomes)):
        raise ContradictionError(found)


def contradicted(outcomes: Iterable[Outcome]) -> Iterator[Contradicted]:
    """Yield the contradictions among what became of statements."""
    for it in outcomes:
        if it.verdict == Outcome.VERDICT_CONFLICTED:
            held = fact_of(it.edge) if it.HasField("edge") else ""
            yield Contradicted(it.conflict_id, held, fact_of(it.triple))


def fact_of(statement: Any) -> str:
    """Return a statement (a `Triple` or an `Edge`) as a line tells it."""
    denied = "not " if getattr(statement, "negated", False) else ""
    usual = "type" if statement.is_isa else "membership"
    return f"{statement.concept} [{statement.dimension or usual}] {denied}{statement.parent}"


def _session(name: str) -> str:
    """Return a name of a conversation, shortened to what the server takes."""
    if len(name) <= SESSION_CHARACTERS_MAX:
        return name
    return blake2b(name.encode(errors="replace"), digest_size=16).hexdigest()


def _present(text: str) -> bytes:
    """Return the digest of a message that the prompt holds already."""
    # As the server's `digest_of`: white space makes no difference. Secrets stay, since only
    # the server can find them: it does so in the messages that it is sent as `earlier`.
    plain = " ".join(text.split()).encode(errors="replace")
    return blake2b(plain, digest_size=16).digest()
