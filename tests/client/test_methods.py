"""Methods of the server by their names."""

from __future__ import annotations

import pytest

from festinger.api.v1.line_service_pb2 import SayRequest, SayResponse
from festinger.client.methods import answer_kind, path_of, request_kind


def test_method_has_its_messages():
    """A name is enough for the path of a call and for its messages."""
    assert path_of("LineService.Say") == "/festinger.api.v1.LineService/Say"
    assert request_kind("LineService.Say") is SayRequest
    assert answer_kind("LineService.Say") is SayResponse


@pytest.mark.parametrize("method", ["LineService.Shout", "NoService.Say"])
def test_unknown_method_is_an_error(method):
    """A misspelt name is found at the first call, and not by the server."""
    with pytest.raises(KeyError):
        answer_kind(method)
