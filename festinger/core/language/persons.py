"""Recognise subjects that are people (`carol`, `my sister`), and what has an `'s`.

"The rent's 950" is "the rent is 950", other than "the rent's rise".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.language.clausewords import IS_AFTER_NAME
from festinger.core.language.literals import AMOUNTS, TIMES, LiteralKind, literal_kind
from festinger.core.language.verbforms import ATTRIBUTES, POSTS
from festinger.core.system.wordsets import word_set

KIN: Final = word_set("""
    mum mom dad nan nana gran grandma grandpa granny grandad grandmother grandfather mother
    father sister brother aunt auntie uncle cousin nephew niece son daughter wife husband
    parents grandparents kids sisters brothers friend friends boyfriend girlfriend partner
    fiancé fiancée neighbour neighbor neighbours neighbors landlord flatmate roommate
    babysitter nanny twins children baby
""")
"""People of whom a move tells where they live."""

# "The intern moved to Payments" may tell a team as well as a town.
_ROLES: Final = word_set("""
    intern interns student students colleague colleagues engineer engineers developer
    developers designer designers customer customers client clients user users employee
    employees family couple tenant tenants guest guests volunteer volunteers member members
    team teams squad crew band company startup firm group department
""")
"""People and groups whose move may have several meanings."""

_TITLES: Final = word_set("mr mrs dr prof professor frau herr madame mme monsieur")

# A system may be called Oscar as well; in doubt nothing is read of it.
_FIRST_NAMES: Final = word_set("""
    aaron abdul abigail adam adrian agnes ahmed aisha alan albert alejandro alex alexander
    alexandra alfred ali alice alicia alina alison amanda amelia amina amir amy ana anastasia
    anders andré andre andrea andreas andrew angela anita anja ann anna anne annette anthony
    antonio arjun arthur astrid barbara bastian beatrice ben benjamin bernd bernhard beth
    betty bill björn bob boris brian bridget bruno carl carla carlos carmen carol carolina
    caroline catherine cathy cecilia charles charlie charlotte chen chiara chris christian
    christina christine christoph christopher claire clara claudia colin connor craig daisy
    damian dan daniel daniela dave david deborah denise dennis derek diana diego dieter dirk
    dmitri dominic donald donna doris dorothy doug duncan dylan eddie edgar edith edward
    eileen elena eleanor elias elisa elizabeth ella ellen emil emily emma eric erica erik
    esther ethan eva evan eve evelyn fatima felix fernando fiona florian frances francesca
    francesco francis frank franz fred frieda gabriel gareth gary geoff george gerald gerd
    gianni gina giovanni giulia gordon graham greg gregory greta gretel günter gustav hana
    hannah hans harold harriet harry hassan heather heidi heike heinz helen helena helmut
    henry hilda holger holly horst howard hugh ian ibrahim ilse imran ines inga ingrid irene
    irina isabel isabella isla ivan jack jackie jacob jake jakob james jamie jan jane janet
    janine jason javier jean jeff jennifer jens jenny jeremy jerry jess jessica jill jim joan
    joanna joao joe joel johan johanna johannes john johnny jon jonas jonathan jörg jorge jose
    josé josef joseph josh joshua joy joyce juan judith judy juergen julian julie jürgen
    justin kai karen karin karl karsten katarina kate katharina katherine kathy katie katja
    katrin keith kelly ken kenneth kerstin kevin khalid kim klaus kofi kristina kurt kyle lars
    laura lauren lea leah lena leo leon leonie lewis liam lilly linda lisa liz lorenzo louis
    louise luca lucas lucia lucy luis luisa lukas luke lydia magda maja manfred manuel marc
    marco marcus margaret maria marie mario marion mark markus marta martha martin martina
    mary mateo matt matteo matthew matthias maureen max maya megan mei mehmet melanie mia
    michael michaela michel michelle miguel mika mike mila milan miriam mohamed mohammed
    moritz muhammad nadia nadine nancy naomi natalia natalie natasha neil nick nicola nicolas
    nicole nigel nikhil nikita nils nina noah nora norbert oleg oliver olivia olga omar oscar
    pablo pam pamela paolo pascal pat patricia patrick paul paula pauline pedro peggy pete
    peter petra phil philip philipp pierre priya rachel raj ralf ralph raúl ravi ray rebecca
    regina renate rhys ricardo richard rita rob robert roberto robin roger roland ron ronald
    rosa rosie roy rudolf russell ruth ryan sabine sabrina sally salma sam samantha samira
    samuel sandra sanjay sara sarah sasha scott sean sebastian sergei seth shane sharon sheila
    shirley silke silvia simon simone sofia sonia sophia sophie stefan stefanie stella stephanie
    stephen steve steven stewart stuart sue susan susanne sven sylvia tamara tanja tanya tara
    tariq ted terry thea theo theodor theresa thomas tim timo tina tobias toby todd tom tomas
    tommy tony tracy trevor ulrich ulrike ursula ute uwe valentina vanessa vera veronica
    vicky victor vikram vincent viktor vivian vladimir walter wanda wayne wendy werner
    wilhelm william wolfgang xavier yan yasmin yolanda yuki yusuf yvonne zoe
""")
_HELD: Final = frozenset(noun for noun, shape in ATTRIBUTES.items() if shape & POSTS)
_VALUES: Final = TIMES | AMOUNTS
# "The men's 800", "Jo's 10k" and "Jo's 40th" are a race and a birthday.
_POSSESSED: Final = re.compile(r"\d+(?:k|km|m|st|nd|rd|th)|\d00")
_PLURAL_OWNERS: Final = frozenset(["men", "women", "children", "people"])


def is_kin(text: str) -> bool:
    """Return whether a subject is a relative or friend: "alice's sister", "grandma"."""
    return bool(text) and text.lower().split()[-1] in KIN


def may_be_people(text: str, speaker: str) -> bool:
    """Return whether a name may be that of a person or a group: "the intern"."""
    return bool(text) and (
        text.lower().split()[-1] in _ROLES or is_person(text, speaker)
    )


def is_person(text: str, speaker: str) -> bool:
    """Return whether a name is probably that of a person.

    Args:
        text: Name without an article.
        speaker: Who said it, and so is known to be a person.
    """
    first, *rest = text.lower().split() or [""]
    # "MS SQL" is none, and "Dr Moss's practice" no person either.
    has_title = first in _TITLES or text.startswith("Ms ")
    if text.lower() == speaker.lower() or (has_title and "'s" not in text):
        return True
    last = rest[-1] if rest else first
    if last in KIN:
        return True
    # "Anna Berg", but not "anna backup" and "Anna's laptop".
    is_alone = not rest or (len(rest) == 1 and text.istitle())
    return is_alone and first in _FIRST_NAMES


def leads(name: str, thing: str, speaker: str) -> bool:
    """Return whether somebody is in charge of what they lead, unlike of a race."""
    return is_person(name, speaker) and thing.lower().split()[-1] not in _CONTESTS


_CONTESTS: Final = word_set("race field table league pack match game group charge")


def means_is(name: str, behind: Sequence[str]) -> bool:
    """Return whether an `'s` means `is`.

    Args:
        name: Word before the `'s`, in lower case.
        behind: Words behind it, in lower case.
    """
    if not behind or behind[0] in IS_AFTER_NAME:
        return bool(behind)
    value = " ".join(behind[:-1] if behind[-1] == "now" else behind)
    # "Our landlord's Ben", but not "my sister's Honda".
    return _is_value(name, value) or (name in _HELD and is_person(value, ""))


def is_said_of_it(follower: str) -> bool:
    """Return whether "its" before a word means "it is": "its wednesdays now"."""
    return follower in IS_AFTER_NAME or literal_kind(follower) in _VALUES


def _is_value(name: str, value: str) -> bool:
    """Return whether all that follows a name is a value: "the rent's 950 now"."""
    return (
        literal_kind(value) in _VALUES - {LiteralKind.RELATIVE_DAY}
        and not _POSSESSED.fullmatch(value)
        and name not in _PLURAL_OWNERS
        # "Monday's 9:30" is a meeting of that day.
        and literal_kind(name) is LiteralKind.NONE
    )
