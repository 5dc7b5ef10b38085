"""Verbs and nouns from which rules read statements, with their predicates.

One line of the table is a predicate: its name, whether a subject has only one such
value at a time, the shapes of the value, and the verbs. A verb is a base form with its
particle; a leading `be` stands for participles and prepositions (`be hosted on`, `be
on`); `~` exchanges subject and value (`carol owns billing` states by whom billing is
owned).
"""

from __future__ import annotations

from enum import IntFlag
from typing import Final, NamedTuple

from festinger.core.graph.predicates.words import continuous, with_s
from festinger.core.system.wordsets import phrase_set, word_set


class ValueShape(IntFlag):
    """Shapes that a value may have, as combinable flags."""

    NAME = 1
    """A name of up to four words."""
    PROPER = 2
    """A name with a capital, a digit or a sign, or of one or two words."""
    PLACE = 4
    """A name with an article, or a proper name."""
    TIME = 8
    AMOUNT = 16
    VERSION = 32
    ADDRESS = 64
    PERSON = 128
    """A person: a single word or a proper name, without an article."""
    NAMED = 512
    """A person, written like a name: "the teacher is ill" contains none."""
    TASK = 256
    """A duration or frequency of a task."""

    STRICT = 1024
    """Written like a name, or with a digit: "the queue is long" contains none."""


POSTS: Final = ValueShape.PERSON | ValueShape.NAMED
"""Shapes of the holder of a post."""


class VerbForm(NamedTuple):
    """A form of a verb with its predicate.

    Attributes:
        predicate: Example: `runs on`.
        words: Words in lower case. Example: `hosted on`.
        single: Whether a subject has only one such value at a time.
        inverse: Whether the words before the verb are the value.
    """

    predicate: str
    words: tuple[str, ...]
    single: bool
    shape: ValueShape
    inverse: bool = False


_SHAPES: Final = {
    "N": ValueShape.NAME,
    "P": ValueShape.PROPER,
    "L": ValueShape.PLACE,
    "T": ValueShape.TIME,
    "D": ValueShape.AMOUNT,
    "V": ValueShape.VERSION,
    "A": ValueShape.ADDRESS,
    "H": ValueShape.PERSON,
    "K": ValueShape.TASK,
}
# Two lines may share a predicate if their verbs take other shapes: "is on" needs a proper name
# ("billing is on podman"), while "runs on" takes any ("the app runs on a server").
_TABLE: Final = """
    runs on | single | N A V | run on, run under, run in, live on, sit on, be hosted on, be hosted by, be hosted at, be deployed to, be deployed on, be deployed in, be running under, be installed on, ~host
    runs on | single | P A V | be on
    uses | multi | P V A | use, rely on, make use of, be built with, be built on, be based on, be powered by
    depends on | multi | P | depend on, be dependent on
    written in | single | P V | be written in, be implemented in, be coded in
    listens on | single | D P A | listen on, be listening on, be bound to, listen at
    talks to | multi | P A | talk to, connect to
    sends to | multi | A | go to
    sends to | multi | P A | send to, push to, publish to, post to, report into
    reads from | multi | P A | read from, pull from, consume from, fetch from
    stored in | single | P L A | be stored in, go in, go into, be stored on, be kept in, be saved in, be saved to, be archived in
    located | single | L A | sit in, sit at, be located in, be located at, be situated in, be housed in, lie in, meet in, meet at, rehearse in, rehearse at, train in, train at, be in, be at, be on, be based in, be parked at
    owned by | single | H | be owned by, be maintained by, be run by, be managed by, be led by, be looked after by, be handled by, belong to, ~own, ~maintain, ~be responsible for, ~be in charge of, ~look after, ~lead, ~take care of, ~be the owner of
    lives in | single | P | live in
    works at | multi | P | work at, work for, be employed at, be employed by
    reports to | single | H | report to
    married to | single | H | be married to
    allergic to | multi | N | be allergic to, be intolerant to
    speaks | multi | P | speak
    prefers | multi | P | prefer
    likes | multi | N | like, love, be fond of
    dislikes | multi | N | dislike, hate
    means | single | N | stand for, be short for
    plays | multi | P | play
    costs | single | D | cost, be priced at, come to
    takes | single | K D | take
    weighs | single | D | weigh
    due | single | T | be due, be due on, be due by, be due at, be due in
    scheduled | single | T | be scheduled for, be set for, be planned for, be on, be at, be in, be scheduled on, be scheduled at, take place on, take place at, take place in, run at, run on, meet on, meet at, go out on, go out at, go live on, come on, come at, train on, play on, practise on, practice on, rehearse on, happen on, happen at, happen in, be every, be booked for
    scheduled | single | T | be held on, be held at
    delivered | single | T | be delivered on, be delivered at
    collected | single | T | be collected on, be collected at, be emptied on, be picked up on
    paid | single | T | be paid on, be paid by
    starts | single | T | start at, start on, begin at, begin on, start, begin
    ends | single | T | end at, end on, finish at, finish on, end, finish
    opens | single | T | open at, open on, open
    closes | single | T | close at, close on, shut at, close
    arrives | single | T | arrive at, arrive on, arrive
    leaves | single | T | leave at, leave on, depart at, depart on
    expires | single | T | expire on, run out on, expire at
    set to | single | D P A | run at, be set to, default to, be fixed at, be capped at, be limited to
    pinned to | single | V D P | be pinned to, be pinned at
    with | single | P | be with
    name | single | P | be called, be named
"""
_IRREGULAR: Final = {
    "go": ("goes", "going"),
    "begin": ("begins", "beginning"),
    "prefer": ("prefers", "preferring"),
}
"""Third person and gerund of verbs that follow no rule."""

BE: Final = frozenset(["is", "are", "am"])
STAY: Final = frozenset(["stays", "stay", "remains", "remain"])
WAS: Final = frozenset(["was", "were", "got"])  # "billing got moved"
HAVE: Final = frozenset(["has", "have", "had"])
DO: Final = frozenset(["does", "do"])


class _VerbForms(NamedTuple):
    """The forms of the table, by their first word."""

    finite: dict[str, list[VerbForm]]
    base: dict[str, list[VerbForm]]
    gerund: dict[str, list[VerbForm]]
    behind_be: dict[str, list[VerbForm]]


def _read_table() -> _VerbForms:
    """Return the forms of the table, those with more words first."""
    forms = _VerbForms({}, {}, {}, {})
    for line in _TABLE.strip().splitlines():
        name, cardinality, letters, verbs = (it.strip() for it in line.split("|"))
        # A word or a letter that is misspelt stops the import, and states nothing silently.
        single = {"single": True, "multi": False}[cardinality]
        shape = ValueShape(0)
        for letter in letters.split():
            shape |= _SHAPES[letter]
        for verb in verbs.split(", "):
            words = tuple(verb.removeprefix("~").split())
            _add(forms, VerbForm(name, words, single, shape, verb.startswith("~")))
    for table in forms:
        for listed in table.values():
            # "In charge of" has to be tried before "in", which would take "charge" for a place.
            listed.sort(key=lambda form: -len(form.words))
    return forms


def _add(forms: _VerbForms, form: VerbForm) -> None:
    """Add the inflected forms of a verb."""
    first, *rest = form.words
    # `be hosted on` is found by "hosted", whatever form of "be" stands before it.
    if first == "be":
        if rest:
            forms.behind_be.setdefault(rest[0], []).append(
                form._replace(words=tuple(rest))
            )
        return
    # One entry for each form: "billing runs on", "they run on", "doesn't run on", "is running on".
    third, gerund = _IRREGULAR.get(first) or (with_s(first), continuous(first))
    for table, word in (
        (forms.finite, third),
        (forms.finite, first),
        (forms.base, first),
        (forms.gerund, gerund),
        (forms.behind_be, gerund),
    ):
        table.setdefault(word, []).append(form._replace(words=(word, *rest)))


FORMS: Final = _read_table()
"""Verb forms by first word, behind a subject, an auxiliary or a form of `be`."""

# Shapes of the value, then the nouns: "the port is 9000", "the owner of billing is carol". Nouns
# of everyday sense need a STRICT value, so that "the queue is long" is not read.
_ATTRIBUTES: Final = """
    AMOUNT: port, price, fee, cost, rent, budget, salary, rate, limit, timeout, retention, quota,
        size, count, interval, threshold, batch size, pool size, backoff, memory limit, cpu limit,
        capacity, height, width, weight, length, duration, ttl, rate limit, memory, age limit,
        maximum, minimum, max, min, hourly rate, page limit, word limit, deposit, discount,
        shoe size, membership fee, entry fee, frequency, learning rate, sample rate, dose
    AMOUNT VERSION: version, go version, node version, python version
    TIME: deadline, due date, release day, start time, end time, closing time, opening time,
        birthday, appointment, curfew, start date, end date, launch date, release date,
        pick-up time, delivery date, kick-off, kickoff, meeting day, training day, cron, bedtime,
        date, exam date, hearing, hearing date, completion date, wedding date, year end
    NAMED: boss, teacher, doctor, dentist, landlord, vet, babysitter, nanny, lawyer, tutor, coach,
        sister, brother, mother, mum, mom, father, dad, wife, husband, son, daughter, aunt, uncle,
        cousin, grandma, grandpa, partner, neighbour, neighbor, best friend, flatmate, roommate,
        dog, cat, nephew, niece, boyfriend, girlfriend, fiancé, fiancée, godmother, godfather,
        lead, chair, head, captain, president, secretary, director, backup, deputy, referee,
        designer, accountant, supervisor, advisor, first author, mayor, chairman, chairwoman,
        chairperson, ceo, cto, cfo, principal, headteacher, nurse, carer, caretaker, plumber,
        electrician, gardener, cleaner, technician, photographer, florist, caterer, architect,
        drummer, bassist, singer, guitarist, conductor, trainer, goalkeeper, physio, therapist, midwife, hairdresser, solicitor, notary, mentor, apprentice, heir,
        bookkeeper, tenant, receptionist, janitor, translator,
        speaker, keynote speaker, chef, cardiologist, gp, pianist, vicar, pastor,
        coo, dean, rector, managing director
    PERSON: owner, maintainer, manager, treasurer, contact, contact person, point of contact,
        reviewer, approver, product owner, tech lead, on-call, oncall, on call, organiser,
        organizer, stage manager, project lead
    ADDRESS PROPER: ip, ip address, host, hostname, url, address, email, e-mail, domain, website,
        path, bucket, channel, repo, repository, endpoint, branch, default branch, main branch,
        staging url
    PROPER: language, license, licence, colour, color, currency, format, provider, vendor,
        payment provider, supplier, registrar, broker, operating system, base image, codename,
        code name, nickname, surname, last name, middle name, citation style, instrument,
        favourite colour, region, time zone, timezone
    STRICT: database, database engine, engine, framework, queue, default, venue, room, zone,
        meeting room, os, backend, frontend, scheduler, ci, cache, ide, editor, theme, primary,
        namespace, cluster, partition, hometown, school, loss, optimizer, optimiser, baseline,
        backbone, dataset, template, pharmacy, insurer, insurance, sponsor, package manager,
        linter, bundler, crm, erp
"""
ATTRIBUTES: Final = {
    noun.strip(): shape
    for group in _ATTRIBUTES.replace("\n        ", " ").strip().splitlines()
    for shape in [
        ValueShape(sum(ValueShape[it] for it in group.partition(":")[0].split()))
    ]
    for noun in group.partition(":")[2].split(",")
}
"""Nouns of attributes, and the shapes of their values."""
ATTRIBUTE_PREDICATES: Final = {
    "owner": "owned by", "maintainer": "owned by", "deadline": "due", "due date": "due",
    "price": "costs", "cost": "costs", "date": "scheduled",
}  # fmt: skip
"""Predicates of the attributes that can also be expressed by a verb."""
SPELLINGS: Final = {"oncall": "on-call", "on call": "on-call", "e-mail": "email"}
"""Canonical spellings of attributes."""
LONE_VERSIONS: Final = frozenset(["version"])
"""Nouns that do not make their compound an attribute, as in "a Python version"."""

# "The trip got cancelled" and "we called off the trip" record the same status.
ENDED: Final = {
    "gone": "gone", "retired": "retired", "dead": "dead", "cancelled": "cancelled",
    "canceled": "cancelled", "decommissioned": "decommissioned", "scrapped": "scrapped",
    "discontinued": "discontinued", "deprecated": "deprecated", "abandoned": "abandoned",
    "archived": "archived", "dissolved": "dissolved", "sunset": "retired",
    "called off": "cancelled", "shut down": "shut down", "phased out": "phased out",
    "no more": "gone", "history": "gone", "taken down": "taken down", "closed down": "closed",
}  # fmt: skip
"""Words for the end of something, and the status that is recorded."""

# "Confluence is read only": not the end of it.
STATUSES: Final = phrase_set("""
    live, frozen, paused, on hold, read-only, read only, in beta, closed, offline,
    open source
""")
"""Words for a temporary status."""
DIETS: Final = word_set("""
    vegan vegetarian veggie coeliac celiac pescatarian diabetic teetotal kosher halal
""")
"""Words for diets."""

MOVES: Final = word_set("""
    moved migrated switched transferred ported relocated shifted changed converted
    upgraded downgraded updated bumped upped raised lowered increased reduced dropped
    rescheduled postponed adjourned doubled halved pushed delayed extended brought
    reverted went gone swapped cut fell rose grew shrank climbed slipped slid jumped
    turned flipped hiked trimmed slashed shortened lengthened came put set
""")
"""Past forms of verbs that express a change of place or value."""
# "Rent went up to 950", "the release slipped to monday".
INTRANSITIVE: Final = word_set("""
    went gone fell rose grew climbed shrank slipped slid jumped came goes going
""")
"""Verbs of change without an object."""
LASTING: Final = word_set("""
    moved migrated switched ported relocated changed upgraded downgraded swapped moves
    changes switches migrates moving switching migrating changing
""")
"""Verbs that express a lasting change of place by themselves."""
MOVES_NOW: Final = word_set("moves changes switches goes migrates shifts")
"""Present forms of verbs of change."""
# "We are moving to kubernetes" is a plan unless it holds from today.
MOVING: Final = word_set("moving switching migrating going changing shifting")
PARTICLES: Final = word_set("over back forward up down away across out off")
"""Particles between a verb of change and its target."""

VERBS: Final = frozenset(
    {*FORMS.finite, *BE, *STAY, *WAS, *HAVE, *DO, *MOVES, *MOVES_NOW}
    | {"took", "takes", "renamed", "replaced", "handed", "has", "retired", "cancelled"}
)
"""Words with which a predicate may begin."""
