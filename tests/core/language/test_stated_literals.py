from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.language.stated_literals import differs


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("doors at 19:00", "we let them in at 18:30"),
        ("swim on Tuesdays", "swimming is thu from the summer"),
        ("the regatta is on 3 May", "they sail on 10 May"),
        ("invoice by the 5th", "send it before the 9th"),
        ("the ferry leaves from pier 6", "take pier 9 instead"),
        ("a lesson is 45 minutes", "lessons take 50 minutes"),
        ("tickets are €14", "adults pay 16 euros"),
        ("rent is 1,200 euros", "we pay 1,300 euros"),
        ("it takes 1.5 seconds", "1,500 seconds"),
        ("node runs 18.2.1", "it is 20.1.0 on all machines"),
    ],
)
def test_values_of_one_kind_differ(earlier, later):
    """Two times, days, dates, sums, versions, or numbers of the same thing."""
    assert differs(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("doors at 19:00", "at 19:00 or at 20:00"),
        ("swim on Tuesdays", "tue it is"),
        ("the bus has 16 seats", "it costs 9 euros"),
        ("pier 6", "6 boats"),
        ("the rent is 1,200 euros", "1200 euros a month"),
        ("rent: 1.200 €", "€1,200"),
        ("we have 180,000 products", "180000 products"),
        ("the florist is Delia", "Delia closes at 17:00"),
        ("", ""),
    ],
)
def test_values_of_other_kinds_do_not_differ(earlier, later):
    """Nor do equal ones, however they are written."""
    assert not differs(earlier, later)


@given(st.text(max_size=200))
def test_a_text_never_differs_from_itself(text):
    """Whatever it is made of."""
    assert not differs(text, text)
