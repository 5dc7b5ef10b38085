from __future__ import annotations

import re
import string
import sys

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from festinger.core.system import secrets
from festinger.core.system.secrets import SECRET, redact

_WORDS = [
    "password",
    "pwd",
    "pin",
    "PIN",
    "puk",
    "secret",
    "token",
    "api",
    "key-safe",
    "key",
    "code",
    "alarm",
    "lock",
    "box",
    "login",
    "logged",
    "me",
    "in",
    "sign-in",
    "credentials",
    "licence",
    "vault",
    "auth",
    "kennwort",
    "mot",
    "de",
    "passe",
    "combination",
    "contraseña",
    "hasło",
    "senha",
    "passphrase",
    "not",
    "store",
    "it",
    "down",
    "zip",
    "post",
    "is",
    ":",
    "=",
    "->",
    "1234",
    "one",
    "two",
    "K9!x",
    "hunter2",
    "db_key",
    "oh",
    "double",
    "-",
]
_ODD = st.sampled_from("kKiIsS\u0130\u0131\u017f\u212a\u00d1\u0141=:1 ")
_LINES = st.lists(
    st.sampled_from(_WORDS)
    | st.sampled_from(_WORDS).map(str.upper)
    | st.text(_ODD, max_size=4),
    max_size=12,
).flatmap(lambda words: st.sampled_from(" _").map(lambda gap: gap.join(words)))

TOLD = {
    "the staging password is Tr0ub4dor&3, change it": "Tr0ub4dor&3",
    "DB_PASSWORD=hunter2hunter2": "hunter2hunter2",
    "use postgres://app:s3cr3tpw@db.internal:5432/shop": "s3cr3tpw",
    "key is AKIAIOSFODNN7EXAMPLE in us-east-1": "AKIAIOSFODNN7EXAMPLE",
    "the alarm code is 4471": "4471",
    "the PIN of the card is 9 0 2 1": "9 0 2 1",
    "passphrase: correct horse battery staple": "correct horse battery staple",
    "the wifi password is swordfish": "swordfish",
    "router pw there is gonna be Deckchair-9, keep to urself": "Deckchair-9",
    "pin's 4471": "4471",
    "my pw is tulips and the pin is 9921": "9921",
    "use hunter2 as the password": "hunter2",
    "password for the portal stays Marigold-8": "Marigold-8",
    "got a bike, silver, no lights yet. lock is 8026": "8026",
    "the key of the shop, which you may have for a while so that you can try what we sell "
    "to people who come by late, and the wp login is callum / Brose-and-1824": "1824",
    "log in with maria / tulip-77": "tulip-77",
    "admin: admin / Yonder-5512": "Yonder-5512",
    "user name: bob / zebra99x": "zebra99x",
    "the shop has bob@example.com / zebra99x": "zebra99x",
    "the passphrase will be correct horse battery": "correct horse battery",
    "asks for a login, user demo pw otter-9": "otter-9",
    "the key safe is left of the back door, 7719": "7719",
    "my token: ghp_16C7e42F292c6912E7710c838347Ae178B4a": "ghp_16C7e42F292c6912E7710c8",
}


@pytest.mark.parametrize("text", TOLD)
def test_secret_is_cut_out(text: str) -> None:
    """The sentence stays, with what stands for the secret."""
    assert TOLD[text] not in redact(text)
    assert SECRET in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "We moved the release to Thursday, 14:00.",
        "The zip code is 34117 and the order has 12 items.",
        "the process exits with error code 137",
        "the password is compromised",
        "his password was stolen, so he has a new phone",
        "the password policy is strict",
        "password is on the fridge",
        "the pw is the same for all",
        "the admin page is at admin / settings, user / 12 per page",
        "User Story / ABC-1234 is done, root / nvme0n1 is full",
        "the code is now 300 lines",
        "the lock is 40 euros, it hangs on gate 4410",
        "The password field must be at least 12 characters long.",
        "the lockbox is on the fence, 2500 euros it cost",
        "deploy 3f2a9c1 broke the nightly import",
        "https://example.org/reports/2026/q3/overview.html",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    """Numbers, versions and addresses that people talk about every day."""
    assert redact(text) == text


@given(text=st.text(st.sampled_from(string.printable + "é…"), max_size=300))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    """A redacted text holds no further secret."""
    assert redact(redact(text)) == redact(text)


@given(value=st.text(st.sampled_from(string.ascii_letters + string.digits), min_size=9))
def test_value_behind_a_password_is_never_told(value: str) -> None:
    """Whatever the password is, where it is set as programs set it."""
    assert value not in redact(f"db_password={value} on staging").replace(SECRET, "")


@pytest.mark.parametrize(
    "name", ["_ASSIGNED", "_SPELT", "_BOXED", "_GUARDED", "_UNKEPT", "_WORDS"]
)
@given(line=_LINES)
def test_folded_text_matches_as_if_case_were_ignored(name: str, line: str) -> None:
    """The patterns find the same places in folded text as in the text if case is ignored."""
    pattern: re.Pattern[str] = getattr(secrets, name)
    ignoring = re.compile(pattern.pattern, re.IGNORECASE)

    found = [it.regs for it in pattern.finditer(secrets._folded(line))]
    assert found == [it.regs for it in ignoring.finditer(line)]


def test_each_character_is_folded_to_one() -> None:
    """A place in folded text is the same place in the text."""
    longer = [
        it
        for it in map(chr, range(sys.maxunicode + 1))
        if len(secrets._folded(it)) != 1
    ]
    assert longer == []


@given(line=_LINES.map(lambda line: re.sub("[aeiou]", "", line)) | _LINES)
def test_line_without_a_hint_announces_no_secret(line: str) -> None:
    """The lines that are not looked at closely have nothing to be found in them."""
    small = secrets._folded(line)
    assume(not any(hint in small for hint in secrets._HINTS))

    assert secrets._announced(line, small) == set()


@pytest.mark.parametrize("part", ["pass.", "token-", "auth.", "a.", "admin "])
def test_long_name_is_read(part: str) -> None:
    """Names of a keyword again and again took its cube in time."""
    text = part * (60_000 // len(part)) + ": x"
    assert redact(text).endswith(": x")
