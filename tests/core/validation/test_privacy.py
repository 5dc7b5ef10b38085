"""Private texts are found, and others are left alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.validation.privacy import (
    PrivateDataKind,
    is_card,
    is_dni,
    is_iban,
    is_private,
    is_private_predicate,
    plainly,
    private_in,
)


def wide(text: str) -> str:
    """Return the same in letters of full width."""
    return "".join(chr(ord(each) + 0xFEE0) for each in text)


PRIVATE = {
    PrivateDataKind.EMAIL: [
        "write to alice@example.org",
        "alice (at) example [dot] com",
        wide("alice@example.com"),
        "ali\u200bce@exam\u00adple.org",
        "first.last+tag@mail.example.co.uk",
    ],
    PrivateDataKind.PHONE: [
        "call +49 30 1234567",
        "(415) 555-2671",
        "415-555-2671",
        "+1 415 555 2671",
        "phone: 030 1234567",
        "text me at 5552671 99",
        "+٤٩ ٣٠ ١٢٣٤٥٦٧",
        wide("+49") + " 30 " + wide("1234567"),
    ],
    PrivateDataKind.IBAN: [
        "DE89 3704 0044 0532 0130 00 is hers",
        "gb82west12345698765432",
        "FR14-2004-1010-0505-0001-3M02-606",
    ],
    PrivateDataKind.CARD: [
        "4111 1111 1111 1111",
        "5500-0055-5555-5559",
        "378282246310005",
    ],
    PrivateDataKind.NATIONAL_ID: [
        "078-05-1120",
        "my social security number is 123456789",
        "AB 12 34 56 C",
        "12345678Z",
        "X1234567L",
        "RSSMRA85T10A562S",
        "passport no. C01X00T47",
    ],
    PrivateDataKind.IP_ADDRESS: [
        "from 203.0.113.7",
        "192.168.1.10:8080",
        "2001:db8::1",
    ],
    PrivateDataKind.ADDRESS: [
        "lives at 12 Main Street",
        "221B Baker Street",
        "5 Park Place, London",
        "Hauptstraße 5",
        "12 rue de la Paix",
        "P.O. Box 7",
    ],
    PrivateDataKind.BIRTH_DATE: [
        "born on 12 March 1990",
        "DOB: 1990-03-12",
        "her birthday is 3.4.90",
        "alice birthday 1990-01-01",
    ],
    PrivateDataKind.HEALTH: ["I have diabetes", "Alice has HIV", "my wife is pregnant"],
    PrivateDataKind.FINANCE: ["my salary is low", "Bob owes $5000", "He went bankrupt"],
    PrivateDataKind.SEXUALITY: ["He is gay", "Alice came out as bisexual"],
    PrivateDataKind.RELIGION: [
        "She is a devout Catholic",
        "Alice joined the catholic church",
    ],
    PrivateDataKind.SECRET: [
        "sk-4fT9xQ2LmZ8vB1nK6wRjH3",
        "AKIAIOSFODNN7EXAMPLE",
        "the password is hunter2",
        "https://user:pw@example.org",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "-----BEGIN RSA PRIVATE KEY-----",
    ],
}
PUBLIC = [
    "",
    "version 1.2.3.4",
    "v10.2.3.4",
    "pip install foo==1.2.3.4",
    "Chrome 120.0.6099.109",
    "port 8080 of localhost:11435",
    "127.0.0.1:7700 and ::1 and 0.0.0.0",
    "commit 3b51c6af8013de916456ab4849319b2bdada4402",
    "ISBN 978-3-16-148410-0",
    "ISBN 0-306-40615-2",
    "9783161484100",
    "python 3.11.4",
    "2024-10-01 12:30:45",
    "12:30:45",
    "gnommoweb is a repo of glitch_university",
    "std::vector and a::b",
    "git@github.com:org/repo.git",
    "@alice:example.org",
    "@scope/pkg@1.2.3",
    "technical debt grows and we pay it",
    "the password is required",
    "token: see the docs",
    "Alice joined the Chess Club in 2024",
    "1700000000000",
    "request 1234567890123456",
    "the economy was in a depression",
    "we converted 3 files",
    "order 12345678",
    "uuid 123e4567-e89b-12d3-a456-426614174000",
    "2 Factor Authentication",
    "3 Google Drive accounts",
    "line 415, column 555, 2671",
    "C++11 and +1000 points",
    "1e+20 and 5e-10",
    "the cancer dataset of the benchmark",
    "the docker image is 1.2 GB on node.js",
]
# Each is what some rule begins with, so that it begins again and again.
REPEATED = [
    "a", "1", "+1 ", "1.", "a@", "a.", "1:", "A1", "Aa ", "1 Aa ", "born ", "://a:",
    "eyJaaaaaaaa.", "phone ", "0", "GB82 ", "sk-", "12-", "(at)", "salary ", "passport ",
    "password is ", "\u200b", "-----BEGIN A ", "@", "(", "Aastraße", "\u0301", "ﷺ",
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "text"),
    [(kind, text) for kind, texts in PRIVATE.items() for text in texts],
)
def test_what_is_private_is_found(kind, text):
    """Whatever characters it is written with."""
    assert kind in private_in(text)


@pytest.mark.parametrize("text", PUBLIC)
def test_what_is_not_private_is_left_alone(text):
    """Versions, ports, commits, books and the everyday talk of engineers."""
    assert private_in(text) == frozenset()


@pytest.mark.parametrize(
    "name",
    ["t:dateOfBirth", "home-address", "t:salary", "phone", "t:hasDiagnosis", "t:email"],
)
def test_some_predicates_are_private_whatever_they_say(name):
    """Nobody needs to recognise the value."""
    assert is_private_predicate(name)


@pytest.mark.parametrize(
    "name", ["t:joined", "t:worksAt", "type", "runs-on", "t:trace"]
)
def test_most_predicates_are_not(name):
    """Part of a word is not the word."""
    assert not is_private_predicate(name)


def test_one_of_several_texts_is_enough():
    """A question shows all of them."""
    assert is_private("nothing", "", "alice@example.org")
    assert not is_private("nothing", "", "more of it")


@pytest.mark.parametrize("part", REPEATED)
def test_it_takes_time_in_proportion(part):
    """Ten times the text is never a hundred times the work."""

    def seconds(characters: int) -> float:
        text = part * (characters // len(part))
        times = []
        for _ in range(2):
            started = time.process_time()
            private_in(text)
            times.append(time.process_time() - started)
        return min(times)

    assert seconds(5_000) < 40 * seconds(500) + 0.1


@given(
    st.text(st.characters(codec="ascii")), st.sampled_from("\u200b\u00ad\u202e\ufe0f")
)
def test_what_cannot_be_seen_changes_nothing(text, hidden):
    """Between any two letters."""
    assert plainly(hidden.join(text)) == plainly(text)


@given(st.text())
def test_any_text_can_be_looked_at(text):
    """Alone, or beside what is private."""
    assert private_in(text) <= set(PrivateDataKind)
    assert PrivateDataKind.EMAIL in private_in(f"{text} alice@example.org")


@given(st.text("0123456789", min_size=12, max_size=12))
def test_one_wrong_digit_is_no_card(digits):
    """The sum finds every one."""
    valid = [number for last in "0123456789" if is_card(number := f"411{digits}{last}")]

    assert len(valid) == 1


@given(st.text("0123456789", min_size=18, max_size=18))
def test_an_iban_has_one_pair_of_check_digits(digits):
    """Of a hundred (98, to be exact) one is right."""
    valid = [it for it in range(2, 99) if is_iban(f"DE{it:02}{digits}")]

    assert len(valid) == 1


def test_a_dni_has_one_letter():
    """Of 23."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

    assert [it for it in letters if is_dni(f"12345678{it}")] == ["Z"]
