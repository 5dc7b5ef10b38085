"""Select what is held about some turns, as context for a model that reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice, zip_longest
from typing import Final

from festinger import _fast
from festinger._fast import Edge
from festinger.core.graph.origins import KnownStatement
from festinger.core.graph.tokens import split_concept
from festinger.core.language.reader.answers import AnsweredStatement
from festinger.core.language.reader.questions import KNOWN_MAX
from festinger.core.language.reader.unread import TurnPart
from festinger.core.language.stated_literals import differs
from festinger.core.language.terms import terms
from festinger.core.lines.wordvectors import WIDTH, vector_of
from festinger.core.recollection.concepts import is_askable
from festinger.core.world.world import World

# A name says which statements may be meant, a word of the turn says more.
SPEAKER_WEIGHT = 0.5
"""Weight of words of the speaker's and the project's name; words of the turn have 1."""
EARLIER_MAX = 500
"""Number of recent sentences that are searched for those of a conversation."""
MATCHES_MAX: Final = 6
"""Maximum number of statements that are included for a sentence of a turn."""
# A search takes a while, and one turn may have hundreds of sentences.
SENTENCES_MAX: Final = 60
"""Maximum number of sentences of a batch that are searched for alone."""
RANK_COST: Final = 0.5
"""Cost of a rank in the score of a sentence's match; 0 for none."""
MATCHING_EACH: Final = 3
"""Number of matching statements that precede the next of each conversation."""
MENTIONS_MAX = 20
"""Number of best lines that are searched for one with all words of a subject."""
BESIDE_MAX: Final = 2
"""Maximum number of statements that are added for the subject of another one."""
# Of 420 changes that people told, .91 shared a word with the old value; .98 of the old values
# were among so many of those that share words or are alike in meaning.
ALIKE_MAX: Final = 24
"""Number of best matches up to which one without a common word counts."""
ALIKE_SEARCHED: Final = 500
"""Number of latest statements that are compared with turns."""
LIKENESS: Final = 0.5
"""Weight of a cosine beside the score of common words, of which the best has 1."""
TERMS_MAX = 400
"""Maximum number of words of a batch that are searched for."""
_WORD: Final = re.compile(r"[^\W_]+(?:'s\b)?")


def known_about(
    world: World, parts: Sequence[TurnPart], most: int = KNOWN_MAX
) -> list[KnownStatement]:
    """Return the held statements that are most relevant to some turns, best first.

    Args:
        most: Maximum number of statements.
    """
    statements = world.lines.statements
    if statements is None:
        return []
    # Elliptical sentences ("now 19:30") refer to what the conversation stated before.
    sessions = dict.fromkeys(part.turn.session for part in parts)
    # In turns: one of each conversation, then three that match, and so on.
    matching = _matching(world, parts)
    ranked = [
        *(world.read.of_session(it) for it in sessions),
        *(matching[nth::MATCHING_EACH] for nth in range(MATCHING_EACH)),
    ]
    numbers = dict.fromkeys(it for each in zip_longest(*ranked) for it in each if it)
    found: list[Edge | None] = [
        it
        for number in numbers
        if (edge := world.read.edge_of(number))
        for it in (edge, *_beside(world, edge, parts))
    ]
    # Last, what shares words with the turns altogether.
    asked = [*_terms_of(parts).items()][-TERMS_MAX:]
    for match in statements.search(asked, most, world.lines.rarity):
        # Lines of a concept and dimension only: statements with an origin came above.
        place = match.line.key
        found.append(world.edge(*place) if isinstance(place, tuple) else None)
    return list(islice(_known(world, found), most))


def _matching(world: World, parts: Sequence[TurnPart]) -> list[int]:
    """Return the ledger rows of statements that match sentences of turns, best first."""
    scored: dict[int, float] = {}
    said: list[str] = []
    each = SENTENCES_MAX // max(1, len(parts)) + 1
    for part in parts:
        # The rest of a long turn is searched for as one sentence.
        sentences = part.sentences
        said += sentences
        rest = " ".join(sentences[each:])
        # A statement that only one sentence is about would drown in the words of a whole turn.
        for text in filter(None, (*sentences[:each], rest)):
            found = world.read.search(
                [*_weighed(part, text).items()][-TERMS_MAX:],
                MATCHES_MAX,
                world.lines.said_rarity,
                part.turn.project,
            )
            for rank, match in enumerate(found):
                # By rank: the best match of each sentence precedes all but much better ones.
                number, score = match.line.key, match.score / (1 + RANK_COST * rank)
                if isinstance(number, int):
                    scored[number] = max(score, scored.get(number, 0.0))
    # "It says 72 on the wall now" has no word of the labour rate that it changes.
    alike = _likeness(world, said[:SENTENCES_MAX])
    best = max(scored.values(), default=1.0)
    total = {
        number: scored.get(number, 0.0) / best + LIKENESS * alike.get(number, 0.0)
        for number in scored.keys() | alike.keys()
    }
    ranked = sorted(total, key=total.__getitem__, reverse=True)
    return [it for at, it in enumerate(ranked) if at < ALIKE_MAX or it in scored]


def _likeness(world: World, sentences: Sequence[str]) -> dict[int, float]:
    """Return the largest cosine of statements with one of some sentences, by ledger row."""
    vectors = _fast.Vectors(WIDTH)
    numbers: list[int] = []
    for line in islice(world.read.recent(), ALIKE_SEARCHED):
        if isinstance(line.key, int) and (vector := vector_of(line.embedded)):
            vectors.put(vector)
            numbers.append(line.key)
    found: dict[int, float] = {}
    for asked in filter(None, map(vector_of, sentences)):
        vectors.compare(asked)
        for row in vectors.nearest(ALIKE_MAX):
            cosine, number = vectors.cosine(row), numbers[row]
            found[number] = max(cosine, found.get(number, cosine))
    return found


def _beside(world: World, edge: Edge, parts: Sequence[TurnPart]) -> list[Edge]:
    """Return other statements about a statement's subject whose value a turn may change."""
    # "same day but 19:30" is about the meeting of which the room is known.
    return [
        other
        for other in world.facts(edge.concept_id)
        if other != edge
        and any(differs(_value_of(world, other), part.text) for part in parts)
    ][-BESIDE_MAX:]


def _value_of(world: World, edge: Edge) -> str:
    """Return the value of a statement as it was said."""
    origin = world.origins.get(edge.assertion_id)
    return (origin and origin.value) or in_words(world.token(edge.parent_id))


def _weighed(part: TurnPart, text: str) -> dict[str, float]:
    """Return the words of a text and of its speaker's and project's names, weighed."""
    names = terms(f"{part.turn.speaker} {part.turn.project}")
    return dict.fromkeys(names, SPEAKER_WEIGHT) | dict.fromkeys(terms(text), 1.0)


def _terms_of(parts: Sequence[TurnPart]) -> dict[str, float]:
    """Return the words of turns with their weights."""
    wanted: dict[str, float] = {}
    for part in parts:
        found = _weighed(part, f"{part.text} {part.turn.before}")
        for term, weight in found.items():
            wanted[term] = max(weight, wanted.get(term, 0.0))
    return wanted


def said_earlier(world: World, parts: Sequence[TurnPart]) -> dict[str, list[str]]:
    """Return sentences of the turns' conversations, by session, newest first."""
    sessions = {part.turn.session for part in parts} - {""}
    found: dict[str, list[str]] = {session: [] for session in sessions}
    # The newest first, and few, since all lines of the memory pass here.
    for line in islice(world.lines.sources.recent(), EARLIER_MAX) if sessions else ():
        if line.session in sessions:
            found[line.session].append(f"{line.heading} {line.content}")
    return found


def nameable_subjects(
    world: World, answered: Iterable[AnsweredStatement], parts: Sequence[TurnPart]
) -> set[tuple[str, str]]:
    """Return subjects that a model may name without a quote, each with its project."""
    projects = {part.turn.project for part in parts}
    return {
        (subject, project)
        for subject in {it.subject for it in answered}
        for project in projects
        # `the office` of people who gave a street says only what kind of thing it is.
        if _is_everyday(world, subject) or _was_said(world, subject, project)
    }


def _is_everyday(world: World, words: str) -> bool:
    return all(it in world.dictionary for it in _WORD.findall(words))


def _was_said(world: World, words: str, project: str) -> bool:
    wanted = [(term, 1.0) for term in dict.fromkeys(terms(words))]
    # A bit for each word: all words of the subject must stand in one line.
    whole = (1 << len(wanted)) - 1
    return bool(wanted) and any(
        it.shared == whole and it.line.project in ("", project)
        # What was said in another project must not come up here (J5).
        for it in world.lines.sources.search(wanted, project, MENTIONS_MAX)
    )


def unknown_in(
    world: World, parts: Sequence[TurnPart], *, threshold: float, now: float
) -> list[str]:
    """Return names in some turns that were met often but have no held facts (F2).

    Args:
        threshold: Saliency from which a name is asked about.
        now: Seconds since the epoch.
    """
    found: dict[str, None] = {}
    for part in parts:
        # Looked up only: the words were counted when they were said.
        met = world.vocabulary.read(
            _fast.scan(part.text), now=now, threshold=threshold, count=False
        )
        for concept_id in met.salient:
            row = world.vocabulary.row(concept_id)
            # Everyday words, and names that something is known of, are not asked about (D3).
            is_known = row.dictionary or world.is_mentioned(concept_id)
            if not is_known and is_askable(row.token):
                found[in_words(row.token)] = None
    return list(found)


def _known(world: World, edges: Iterable[Edge | None]) -> Iterable[KnownStatement]:
    """Yield held edges in plain words."""
    for edge in dict.fromkeys(edges):
        if edge is not None:
            fact = world.name(edge)
            yield KnownStatement(
                edge.assertion_id,
                # Without the project that a common noun carries: `catalog/indexer` is `indexer`.
                in_words(split_concept(fact.concept)[1]),
                in_words(fact.dimension),
                _value_of(world, edge),
            )


def in_words(token: str) -> str:
    """Return a token with spaces instead of underscores."""
    return token.replace("_", " ")
