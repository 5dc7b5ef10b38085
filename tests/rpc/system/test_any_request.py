"""
Whatever a request holds, it is answered, or refused for a reason.

Requests are made from the descriptors, so that those of a new method are tried too.
"""

from __future__ import annotations

from typing import Any

import grpc
import grpc.aio
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from festinger.api.v1 import memory_service_pb2 as pb
from tests.rpc.system.test_every_method import METHODS, answers, name_of
from tests.serving import Client

EXAMPLES = 400
DEFECTS = frozenset(
    (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS)
)
TEXTS = st.one_of(
    st.sampled_from(
        ("", "gnommoweb", "default", "1", "-1", "\0", "a\0b", "x" * 5000, "%s", "{}")
    ),
    # What Protobuf cannot send is nobody's request.
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
WHOLE = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
ITEMS_MAX = 3
DEPTH_MAX = 4


def values(field: Any, depth: int) -> st.SearchStrategy[Any]:
    """Values that a field, or one of its items, may hold."""
    kind = field.cpp_type
    if kind in WHOLE:
        low, high = WHOLE[kind]
        return st.sampled_from((0, 1, 2, low, high)) | st.integers(low, high)
    if kind == FieldDescriptor.CPPTYPE_MESSAGE:
        return messages(field.message_type, depth - 1)
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        return st.sampled_from([it.number for it in field.enum_type.values] + [99])
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    if kind == FieldDescriptor.CPPTYPE_STRING:
        is_bytes = field.type == FieldDescriptor.TYPE_BYTES
        return st.binary(max_size=40) if is_bytes else TEXTS
    return st.floats(width=32)


@st.composite
def messages(draw: st.DrawFn, kind: Descriptor, depth: int = DEPTH_MAX) -> Any:
    """Return a message with some of its fields set."""
    message = GetMessageClass(kind)()
    field: Any
    for field in kind.fields:
        is_message = field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE
        is_map = is_message and field.message_type.GetOptions().map_entry
        if is_map or (is_message and not depth) or not draw(st.booleans()):
            continue
        if field.is_repeated:
            items = draw(st.lists(values(field, depth), max_size=ITEMS_MAX))
            getattr(message, field.name).extend(items)
        elif is_message:
            getattr(message, field.name).CopyFrom(draw(values(field, depth)))
        else:
            setattr(message, field.name, draw(values(field, depth)))
    return message


@settings(
    max_examples=EXAMPLES,
    # A server is started once, for all of them.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
async def test_no_request_meets_a_defect(client, data):
    """None of all methods' requests is answered INTERNAL, and the server goes on."""
    method = data.draw(st.sampled_from(METHODS).map(name_of))
    found = next(it for it in METHODS if name_of(it) == method)
    request = data.draw(messages(found.input_type))
    code = grpc.StatusCode.OK
    try:
        await answers(client.channel, found, request, Client.as_("operator"))
    except grpc.aio.AioRpcError as error:
        code = error.code()

    assert code not in DEFECTS
    assert (await client.memory.Tokenise(pb.TokeniseRequest())).tokens == []
