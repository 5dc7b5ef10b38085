"""Verifier of chains, which does not trust the server.

It proves that a fact whose CID is known was made by these answers and this decision. It
does not prove the identity of those who answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from festinger.core.provenance.chain import Chain
from festinger.core.provenance.forms import Content
from festinger.core.provenance.trail import (
    MetaTriple,
    ObjectKind,
    TrailObject,
    links_of,
    share,
)
from festinger.core.system.cid import cid_of, is_cid
from festinger.core.system.principals import is_same
from festinger.core.validation.decision import CandidateVerdict, DecisionRule, decide
from festinger.core.validation.fitting import RaterSkill
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.core.validation.votes import (
    EventResponse,
    ValidationEvent,
    VoteAnswer,
    VoterRole,
    last_votes,
    votes_of,
)

TOLERANCE = 1e-9
"""Maximum difference of a recomputed probability: logarithms are not exact."""

Contents = Mapping[str, Content]


class VerifyStep(NamedTuple):
    """Result of one check of a chain.

    Attributes:
        what: The property that was checked.
        problem: The reason for the failure; empty if the check passed.
    """

    what: str
    problem: str = ""


class ChainStart(NamedTuple):
    """Requested start of a chain: an object, or a place in the graph.

    Attributes:
        cid: The CID of the object; empty for a place.
        dimension: The dimension of the place; empty for any.
    """

    cid: str = ""
    concept: str = ""
    dimension: str = ""


def verify(chain: Chain, asked: ChainStart | None = None) -> list[VerifyStep]:
    """Check everything that a chain claims; it is proven if no step has a problem."""
    steps: list[VerifyStep] = []
    contents: dict[str, Content] = {}
    for cid, each in chain.objects.items():
        problem = _misnamed(each)
        what = f"{each.kind} {cid}: its name is the hash of what it says"
        steps.append(VerifyStep(what, problem))
        # What is not what its name says is no ground for any further step.
        if not problem:
            contents[cid] = each.content
    # A server could prove another fact than the one in question.
    if asked is not None:
        steps.append(
            VerifyStep("it is what was asked for", _beside(chain, contents, asked))
        )
    steps += _whole(chain, contents)
    for cid, content in contents.items():
        for what, problem in _looked_at(cid, content, contents):
            steps.append(VerifyStep(f"{content['kind']} {cid}: {what}", problem))
    return steps


def _misnamed(each: TrailObject) -> str:
    # Nothing can be proven about what is not shown.
    if each.withheld:
        return f"it is not shown ({each.withheld})"
    if cid_of(each.data) != each.cid:
        return f"what it says is called {cid_of(each.data)}"
    try:
        kind = each.content["kind"]
    except ValueError as error:
        return str(error)
    return "" if kind == each.kind else f"it says that it is a {kind}"


def _beside(chain: Chain, contents: Contents, asked: ChainStart) -> str:
    """Return how a chain's start differs from the request; empty if it does not."""
    if asked.cid:
        # An object is the only start; a place in the graph may have had several facts.
        other = [cid for cid in chain.start if cid != asked.cid]
        return f"it begins with {', '.join(other) or 'nothing'}" if other else ""
    for cid in chain.start:
        triple = contents.get(cid, {})
        if (
            triple.get("kind") != ObjectKind.TRIPLE
            or triple["concept"] != asked.concept
        ):
            return f"{cid} is no fact about {asked.concept}"
        if asked.dimension not in ("", triple["dimension"]):
            return f"{cid} is a fact of {triple['dimension']}"
    return ""


def _whole(chain: Chain, contents: Contents) -> Iterator[VerifyStep]:
    """Check that a chain contains all objects and links, and no others."""
    missing = ", ".join(cid for cid in chain.start if cid not in contents)
    # An empty chain would have no step that fails.
    nothing = "" if chain.start else "it begins with nothing"
    yield VerifyStep("the chain begins where it says", missing or nothing)
    # Every link follows from an object's content: none can be added or left out unnoticed.
    said = {link for cid in contents for link in links_of(cid, contents[cid])}
    yield VerifyStep("each link is said by an object", _listed(chain.links - said))
    yield VerifyStep("no link is left out", _listed(said - chain.links))
    # Links also end at names of principals and places, which are no objects.
    ends = {end for _, _, end in said if is_cid(end)}
    yield VerifyStep(
        "each object that is named is there", ", ".join(sorted(ends - contents.keys()))
    )
    between = [link for link in said if is_cid(link.object)]
    # What is not connected with the start proves nothing about it.
    strangers = contents.keys() - _reached(chain.start, between)
    yield VerifyStep("each object belongs to it", ", ".join(sorted(strangers)))
    # A part of a chain may lack the answer that was against.
    more = "the server says that there is more" if chain.more else ""
    yield VerifyStep("nothing more was left out", more)


def _listed(links: Iterable[MetaTriple]) -> str:
    return "; ".join(f"({', '.join(link)})" for link in sorted(links))


def _reached(start: Iterable[str], links: Iterable[MetaTriple]) -> set[str]:
    """Return the CIDs connected with the start by links of either direction."""
    beside: dict[str, set[str]] = {}
    for one, _, other in links:
        beside.setdefault(one, set()).add(other)
        beside.setdefault(other, set()).add(one)
    reached, wanted = set[str](), set(start)
    while wanted:
        reached |= wanted
        wanted = {end for cid in wanted for end in beside.get(cid, ())} - reached
    return reached


def _looked_at(cid: str, content: Content, contents: Contents) -> Iterator[VerifyStep]:
    """Check an object against the objects that it refers to."""
    kind = content["kind"]
    if kind == ObjectKind.CANDIDATE:
        yield from _candidate(cid, content, contents)
    elif kind == ObjectKind.QUESTION:
        yield VerifyStep("asks about the candidate", _lacks(content, contents))
    elif kind == ObjectKind.EVENT:
        yield VerifyStep(
            f"{content['responder']} answered {content['response']}, and may",
            _lacks(content, contents) or _answer(content, contents),
        )
    elif kind == ObjectKind.TRIPLE:
        # After a problem, later steps repeat it instead of failing at what is missing.
        problem = _lacks(content, contents)
        yield VerifyStep(
            "is what the candidate states", problem or _fact(content, contents)
        )
        problem = problem or _made(content, contents)
        yield VerifyStep("its answers are all of the candidate's until then", problem)
        what = f"{content['verdict']} by the rule {content['rule']}, decided again"
        yield VerifyStep(what, problem or _decision(content, contents))


def _lacks(content: Content, contents: Contents) -> str:
    candidate = contents.get(content["factoid"])
    if candidate is None or candidate["kind"] != ObjectKind.CANDIDATE:
        return f"there is no candidate {content['factoid']}"
    return ""


def _candidate(
    cid: str, candidate: Content, contents: Contents
) -> Iterator[VerifyStep]:
    if candidate["message"]:
        message = contents.get(candidate["message"])
        problem = ""
        if message is None or message["kind"] != ObjectKind.MESSAGE:
            problem = f"there is no message {candidate['message']}"
        # Else a statement could be put into somebody's mouth.
        elif message["author"] != candidate["author"]:
            problem = f"the message is of {message['author']!r}"
        yield VerifyStep(
            f"stood in a message of {candidate['author'] or 'nobody'}", problem
        )
    answers = [event["ordinal"] for _, event in _answers(cid, contents)]
    # 0, 1, 2 …: a gap is an answer that was suppressed.
    problem = "" if answers == list(range(len(answers))) else f"there are {answers}"
    yield VerifyStep(f"its {len(answers)} answers follow each other", problem)


def _answers(candidate_cid: str, contents: Contents) -> list[tuple[str, Content]]:
    """Return the answers to a candidate, in the order of their ordinals."""
    found = [
        (cid, each)
        for cid, each in contents.items()
        if each["kind"] == ObjectKind.EVENT and each["factoid"] == candidate_cid
    ]
    return sorted(found, key=lambda it: (it[1]["ordinal"], it[0]))


def _answer(event: Content, contents: Contents) -> str:
    """Return the problem of an answer; empty if there is none."""
    candidate = contents[event["factoid"]]
    # An answer repeats what it was given to, so that it cannot be moved to another candidate.
    for name, value in _of_candidate(candidate).items():
        if event[name] != value:
            return f"its {name} is not the candidate's"
    # Nobody confirms what they proposed (E6), in whatever spelling of their name.
    if is_same(event["responder"], event["proposer"]):
        return "whoever proposed it does not answer"
    try:
        # Only known roles and responses can be decided about again.
        role, _ = VoterRole(event["role"]), EventResponse(event["response"])
    except ValueError as error:
        return str(error)
    # The author of a candidate without one is the subject or the concept.
    whom = (candidate["subject"], candidate["concept"])
    authors = [candidate["author"]] if candidate["author"] else list(filter(None, whom))
    # The role counts more than others, and cannot be claimed by anybody (I4).
    if role is VoterRole.AUTHOR and not any(
        is_same(each, event["responder"]) for each in authors
    ):
        return f"the author is {' or '.join(authors)}"
    question = contents.get(event["context_message"])
    # An answer without a question was given in the inbox or by a command.
    if question is not None and (
        question["kind"] != ObjectKind.QUESTION
        or question["factoid"] != event["factoid"]
    ):
        return "it answers something else"
    return ""


def _of_candidate(candidate: Content) -> dict[str, str]:
    """Return the fields that an answer must repeat from its candidate."""
    repeated = {
        "proposer": candidate["proposer"],
        "message": candidate["message"],
        "model_version": candidate["model_version"]
        or candidate["extractor_version"]
        or candidate["proposer"],
    }
    if candidate["prompt_hash"]:
        # Without a model's prompt, an answer has the hash of its question.
        repeated["prompt_hash"] = candidate["prompt_hash"]
    return repeated


def _fact(triple: Content, contents: Contents) -> str:
    """Return how a fact differs from its candidate; a redirected dimension is fine."""
    candidate = contents[triple["factoid"]]
    # All but the dimension, which a redirect may have changed.
    for name in ("concept", "parent", "is_isa", "negated"):
        if triple[name] != candidate[name]:
            return f"its {name} is {triple[name]!r}, and the candidate's {candidate[name]!r}"
    if triple["stated_dimension"] != candidate["dimension"]:
        return f"the candidate states it of {candidate['dimension']!r}"
    return ""


def _made(triple: Content, contents: Contents) -> str:
    """Return the problem of a fact's list of answers; empty if there is none."""
    known = [cid for cid, _ in _answers(triple["factoid"], contents)]
    mine = triple["events"]
    # Answers after the decision are fine, one that was left out before it is not.
    if not mine or mine != known[: len(mine)]:
        return f"it names {len(mine)}, which are not the first of {len(known)}"
    return ""


def _decision(triple: Content, contents: Contents) -> str:
    """Repeat the decision of a fact; return how it differs, or empty if it does not."""
    candidate = contents[triple["factoid"]]
    try:
        verdict = CandidateVerdict(triple["verdict"])
        events = [_event(contents[cid], candidate) for cid in triple["events"]]
        posterior, confidence = (
            _share(triple["posterior"]),
            _share(triple["confidence"]),
        )
        reputations = _reputations(triple)
    except ValueError as error:
        return str(error)
    # Only these two make a fact (I4).
    if verdict not in (CandidateVerdict.CONFIRMED, CandidateVerdict.BELIEF):
        return "what was not confirmed is no fact"
    votes = votes_of(events)
    yes = sorted(v.rater for v in last_votes(votes) if v.answer is VoteAnswer.YES)
    if triple["validated_by"] != yes:
        return f"yes was said by {', '.join(yes) or 'nobody'}"
    # The server's own function, with the reputations that the fact recorded.
    again = decide(
        votes, reputations, proposer=candidate["proposer"], critical=triple["critical"]
    )
    if triple["critical"] and again.rule is not DecisionRule.MODERATOR:
        return "what is critical is decided by moderators"
    if triple["rule"] != again.rule:
        return f"the rule is {again.rule}"
    if verdict is not again.verdict:
        return f"the verdict is {again.verdict}"
    if abs(posterior - again.posterior) > TOLERANCE:
        return f"the posterior is {again.posterior}"
    if abs(confidence - again.confidence) > TOLERANCE:
        return f"the confidence is {again.confidence}"
    return ""


def _event(content: Content, candidate: Content) -> ValidationEvent:
    return ValidationEvent(
        candidate["number"],
        content["factoid"],
        content["proposer"],
        content["responder"],
        VoterRole(content["role"]),
        EventResponse(content["response"]),
        content["before_visible"],
        content["created_us"] / 1e6,
    )


def _reputations(triple: Content) -> Reputations:
    of = {
        name: Reputation(
            RaterSkill(_within(each["yes_skill"]), _within(each["no_skill"])),
            each["of_true"],
            each["of_false"],
            each["bloc"],
        )
        for name, each in triple["raters"].items()
    }
    return Reputations(of, _within(triple["prior"]))


def _share(text: str) -> float:
    """Parse a number in [0.0, 1.0], as `share` writes it.

    Raises:
        ValueError: It is not such a number, or not in the form of `share`.
    """
    value = float(text)
    # `0.950` would be another content with the same meaning, and NaN fails the comparison.
    if not 0.0 <= value <= 1.0 or share(value) != text:
        raise ValueError(f"{text!r} is not a share")
    return value


def _within(text: str) -> float:
    """Parse a number in (0.0, 1.0), as `share` writes it.

    Raises:
        ValueError: It is not such a number.
    """
    value = _share(text)
    # Log-odds of 0 and 1 are infinite.
    if value in (0.0, 1.0):
        raise ValueError(f"{text!r} leaves no doubt")
    return value
