from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.system.secrets import SECRET, redact

TOLD = {
    "the staging password is Tr0ub4dor&3, change it": "Tr0ub4dor&3",
    "DB_PASSWORD=hunter2hunter2": "hunter2hunter2",
    "use postgres://app:s3cr3tpw@db.internal:5432/shop": "s3cr3tpw",
    "key is AKIAIOSFODNN7EXAMPLE in us-east-1": "AKIAIOSFODNN7EXAMPLE",
    "the alarm code is 4471": "4471",
    "the PIN of the card is 9 0 2 1": "9 0 2 1",
    "passphrase: correct horse battery staple": "correct horse battery staple",
    "my token: ghp_16C7e42F292c6912E7710c838347Ae178B4a": "ghp_16C7e42F292c6912E7710c8",
}


@pytest.mark.parametrize("text", TOLD)
def test_secret_is_cut_out(text: str) -> None:
    """
    The sentence stays, with what stands for the secret.
    """
    assert TOLD[text] not in redact(text)
    assert SECRET in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "We moved the release to Thursday, 14:00.",
        "The zip code is 34117 and the order has 12 items.",
        "the process exits with error code 137",
        "The password field must be at least 12 characters long.",
        "deploy 3f2a9c1 broke the nightly import",
        "https://example.org/reports/2026/q3/overview.html",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    """
    Numbers, versions and addresses that people talk about every day.
    """
    assert redact(text) == text


@given(text=st.text(st.sampled_from(string.printable + "é…"), max_size=300))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    """
    What was cut once holds no further secret.
    """
    assert redact(redact(text)) == redact(text)


@given(value=st.text(st.sampled_from(string.ascii_letters + string.digits), min_size=9))
def test_value_behind_a_password_is_never_told(value: str) -> None:
    """
    Whatever the password is, where it is set as programs set it.
    """
    assert value not in redact(f"db_password={value} on staging").replace(SECRET, "")
