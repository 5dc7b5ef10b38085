"""The file with the address of a data directory's server."""

from __future__ import annotations

import pytest

from festinger.errors import ConfigurationError
from festinger.running import address_in, announced


def test_address_is_there_while_the_server_runs(tmp_path):
    """Commands find the server of a data directory until it stops."""
    with announced(tmp_path, "127.0.0.1:7"):
        during = address_in(tmp_path)

    assert (during, address_in(tmp_path)) == ("127.0.0.1:7", None)


def test_file_that_cannot_be_written_is_said(tmp_path):
    """The error names the file and what to do."""
    with (
        pytest.raises(ConfigurationError, match=r"server\.address: No such"),
        announced(tmp_path / "gone", "127.0.0.1:7"),
    ):
        pass
