from __future__ import annotations

import asyncio
import gc
from hashlib import sha256

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.api.v1 import candidate_service_pb2 as candidates_pb
from festinger.api.v1 import concept_service_pb2 as concepts_pb
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.source_pb2 import SOURCE_GUTASK
from festinger.config import CallerSettings
from festinger.errors import (
    FestingerError,
    InvalidArgument,
    PermissionDenied,
    Unauthenticated,
)
from festinger.rpc.system.callers import CALLERS_MAX, Credentials
from tests.serving import Client, refused

SHIM, OPERATOR, GUEST = map(Client.as_, ("shim", "operator", "guest"))

OPERATORS_CALLS = [
    ("memory", "Resolve", pb.ResolveRequest(conflict_id=1)),
    (
        "candidates",
        "ConfirmCandidate",
        candidates_pb.ConfirmCandidateRequest(candidate_id=1),
    ),
    (
        "candidates",
        "RejectCandidate",
        candidates_pb.RejectCandidateRequest(candidate_id=1),
    ),
]

METADATA = st.fixed_dictionaries(
    {},
    optional={
        "authorization": st.sampled_from(
            ["", "Bearer shim", "bearer shim", "Bearer guest", "Bearer x", "shim"]
        ),
        "festinger-tenant": st.sampled_from(["", "default", "acme"]),
        "festinger-principal": st.sampled_from(["", "ann", "bob", "a b"]),
        "festinger-subject": st.sampled_from(["", "ann", "<b>"]),
        "festinger-min-version": st.sampled_from(["", "0", "00", "7", "-1", "x"]),
        "user-agent": st.sampled_from(["one", "two"]),
    },
)


def identify(*metadata):
    """Return the caller of these metadata."""
    return Credentials(Client.callers()).identify(metadata)


def anew():
    """Credential that have seen nobody."""
    return Credentials(Client.callers())


def told(credentials, metadata):
    """Return the caller of a credential, or the reason of its refusal."""
    try:
        return credentials.identify(metadata.items())
    except FestingerError as error:
        return type(error), error.message


def test_nobody_is_local():
    """A call without a credential comes from this machine."""
    caller = identify()

    assert (caller.principal, caller.tenant) == ("local", "default")
    assert not caller.operator


@pytest.mark.parametrize(
    ("name", "operator"), [("shim", False), ("operator", True), ("guest", False)]
)
def test_token_names_the_caller(name, operator):
    """The principal is the credential's, and so is what it may do."""
    caller = identify(*Client.as_(name))

    assert (caller.principal, caller.operator) == (name, operator)


@pytest.mark.parametrize(
    "authorization",
    ["Bearer wrong", "Bearer", "Bearer ", "Basic shim", "shim", "bearer"],
)
def test_unknown_token_is_nobodys(authorization):
    """A wrong credential is worse than none."""
    with pytest.raises(Unauthenticated):
        identify(("authorization", authorization))


def test_scheme_may_be_written_small():
    """The scheme's case does not matter."""
    assert identify(("authorization", "bearer shim")).principal == "shim"


def test_hash_is_no_token():
    """A token in the settings does not authenticate."""
    shim, *_ = Client.callers()

    with pytest.raises(Unauthenticated):
        identify(("authorization", f"Bearer {shim.token_sha256}"))


def test_trusted_caller_acts_for_others():
    """The shim says on whose behalf and about whom (E5)."""
    caller = identify(*Client.as_("shim", principal="key:1a2b", subject="bob@x.org"))

    assert (caller.principal, caller.subject) == ("key:1a2b", "bob@x.org")
    assert not caller.operator


@pytest.mark.parametrize("who", [(), OPERATOR, GUEST])
@pytest.mark.parametrize("key", ["festinger-principal", "festinger-subject"])
def test_others_speak_for_themselves(who, key):
    """On-behalf-of is taken from trusted callers only."""
    with pytest.raises(PermissionDenied):
        identify(*who, (key, "alice"))


@pytest.mark.parametrize("name", ["a b", "x" * 129, "<b>", "a/b", "a\nb", "a\n"])
@pytest.mark.parametrize("key", ["principal", "subject"])
def test_names_on_behalf_are_plain(name, key):
    """The stamp on facts is a name, not a text."""
    with pytest.raises(InvalidArgument) as caught:
        identify(*Client.as_("shim", **{key: name}))

    assert caught.value.metadata == {"field": f"festinger-{key}"}


def test_names_in_metadata_may_be_encoded():
    """Metadata is ASCII: other letters come percent-encoded, and bytes of none are refused."""
    assert identify(*Client.as_("shim", principal="zo%C3%AB")).principal == "zo\u00eb"
    with pytest.raises(InvalidArgument):
        identify(*Client.as_("shim", principal="zo%EB"))


def test_caller_uses_its_tenants():
    """A credential opens the memories it names, and no other."""
    assert identify(*GUEST).tenant == "default"
    with pytest.raises(PermissionDenied):
        identify(*Client.as_("guest", tenant="acme"))


def test_operator_may_be_named_for_one_tenant():
    """The list of tenants binds operators too."""
    caller = CallerSettings(
        name="op",
        token_sha256=Client.callers()[0].token_sha256,
        operator=True,
        tenants=("acme",),
    )

    with pytest.raises(PermissionDenied):
        Credentials([caller]).identify(Client.as_("shim"))


@pytest.mark.parametrize(
    "changed",
    [
        {"authorization": "Bearer wrong"},
        {"authorization": "bearer operator"},
        {"authorization": ""},
        {"festinger-tenant": "acme"},
        {"festinger-principal": "bob"},
        {"festinger-principal": "a b"},
        {"festinger-subject": "bob"},
        {"festinger-min-version": "8"},
        {"festinger-min-version": "x"},
    ],
)
def test_who_is_known_is_not_taken_for_another(changed):
    """Whatever differs from what was let in before is looked at anew."""
    known = {
        "authorization": "Bearer shim",
        "festinger-tenant": "default",
        "festinger-principal": "ann",
        "festinger-subject": "ann",
        "festinger-min-version": "7",
    }
    credentials = Credentials(Client.callers())
    credentials.identify(known.items())

    assert told(credentials, known | changed) == told(anew(), known | changed)
    assert told(credentials, known | changed) != told(credentials, known)


@given(st.lists(METADATA, max_size=12))
def test_who_called_before_makes_no_difference(calls):
    """Credentials that have seen any other calls say of each what new ones say."""
    credentials = anew()

    for metadata in calls:
        assert told(credentials, metadata) == told(anew(), metadata)


def test_refusal_is_not_remembered():
    """An unknown token is refused each time, and takes no room."""
    credentials = anew()

    for _ in range(3):
        with pytest.raises(Unauthenticated):
            credentials.identify(Client.as_("nobody"))
    assert credentials._known.cache_info().currsize == 0


def test_tokens_are_remembered_by_their_hash_only():
    """Nothing that is kept of somebody who was let in holds their token."""
    token = "open-sesame"
    hashed = sha256(token.encode()).hexdigest()
    credentials = Credentials([CallerSettings(name="ali", token_sha256=hashed)])
    assert credentials.identify(Client.as_(token)).principal == "ali"

    kept = list(map(repr, gc.get_referents(*gc.get_referents(credentials._known))))
    assert [it for it in kept if hashed in it]
    assert [it for it in kept if token in it] == []


def test_callers_are_remembered_up_to_a_limit():
    """A trusted caller with ever new principals does not fill the memory."""
    credentials = anew()

    for number in range(CALLERS_MAX + 10):
        credentials.identify(Client.as_("shim", principal=f"key:{number}"))
    assert credentials._known.cache_info().currsize == CALLERS_MAX


def test_tracing_does_not_make_a_caller_new():
    """Metadata that say nothing of the caller, such as a trace's, are left aside."""
    credentials = anew()

    for number in range(3):
        trace = ("traceparent", f"00-{number:032x}-{number:016x}-01")
        credentials.identify((*GUEST, trace, ("trace-bin", b"\xff")))
    assert credentials._known.cache_info().currsize == 1


async def test_callers_of_one_moment_are_not_mixed(client):
    """Each of many calls under way at once is made by whoever sent it."""
    await client.states("gnommoweb -isa repo")
    people = [f"key:{number}" for number in range(20)]
    for _ in range(2):
        await asyncio.gather(
            *(
                client.states(
                    f"gnommoweb -isa {person.replace(':', '')}x",
                    *Client.as_("shim", principal=person),
                )
                for person in people
            )
        )

    conflicts = [await client.conflict(number) for number in range(1, 21)]

    assert {it.incoming_principal for it in conflicts} == set(people)
    for it in conflicts:
        assert it.incoming.parent == f"{it.incoming_principal.replace(':', '')}x"


async def test_principal_is_stamped_from_the_credential(client):
    """Whatever a request holds, facts are stated by who authenticated."""
    await client.states("gnommoweb -isa repo")
    callers = {
        "local": (),
        "guest": GUEST,
        "key:1": Client.as_("shim", principal="key:1"),
    }
    for number, who in enumerate(callers.values(), 1):
        await client.states(f"gnommoweb -isa kind{number}x", *who)

    conflicts = [await client.conflict(number) for number in (1, 2, 3)]

    assert [it.incoming_principal for it in conflicts] == list(callers)
    assert {it.incoming_source for it in conflicts} == {SOURCE_GUTASK}


async def test_principals_corroborate_not_texts(client):
    """Fifty statements by one principal are one witness; another one adds to it."""
    for _ in range(50):
        await client.says("gnommoweb is a repo.")
    await client.states("last -isa statement")
    alone = (await client.concept("gnommoweb")).edges[0].confidence
    await client.says("gnommoweb is a repo.", who=Client.as_("shim", principal="bob"))
    await client.states("last -isa statement")

    assert alone == 0.75
    assert (await client.concept("gnommoweb")).edges[0].confidence == 0.9375


@pytest.mark.parametrize("who", [(), SHIM, GUEST])
@pytest.mark.parametrize(("service", "method", "request_"), OPERATORS_CALLS)
async def test_deciding_is_for_operators(client, who, service, method, request_):
    """No agent's credential settles a conflict or decides a candidate (E6)."""
    with refused() as refusal:
        await getattr(getattr(client, service), method)(request_, metadata=who)

    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED
    assert refusal.reason == "PERMISSION_DENIED"
    assert refusal.metadata["method"].endswith(f"/{method}")


async def test_trust_is_no_operators_power(client):
    """A trusted caller that names an operator as its principal is not one."""
    who = Client.as_("shim", principal="operator")

    with refused() as refusal:
        await client.memory.Resolve(pb.ResolveRequest(conflict_id=1), metadata=who)

    assert refusal.reason == "PERMISSION_DENIED"


async def test_tenants_are_apart(client, store):
    """Facts, conflicts, concepts and candidates of one memory are not in another."""
    await store.add_tenant("acme")
    acme = Client.as_("operator", tenant="acme")
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")

    elsewhere = await client.states("gnommoweb -isa database", *acme)
    told = await client.says("gnommoweb", who=acme)

    assert elsewhere.version == 1
    assert [line.text for line in told.lines] == ["gnommoweb: [type] database"]
    with refused() as refusal:
        decide = pb.ResolveRequest(conflict_id=1, decision=Conflict.DECISION_UPDATE)
        await client.memory.Resolve(decide, metadata=acme)
    assert refusal.reason == "CONFLICT_NOT_FOUND"
    assert (await client.says("gnommoweb")).lines[0].text == (
        "gnommoweb: [type?] repo — conflict pending"
    )


async def test_request_ids_belong_to_their_tenant(client, store):
    """The same name in two memories is two calls."""
    await store.add_tenant("acme")

    here = await client.states("ant -isa pet", request_id="r1")
    there = await client.states(
        "bee -isa pet", *Client.as_("operator", tenant="acme"), request_id="r1"
    )

    assert (here.outcome.triple.concept, there.outcome.triple.concept) == ("ant", "bee")


async def test_unknown_tenant_is_not_found(client):
    """For every service alike."""
    who = Client.as_("operator", tenant="zork")

    with refused() as refusal:
        await client.concepts.ListConcepts(
            concepts_pb.ListConceptsRequest(), metadata=who
        )

    assert refusal.code is grpc.StatusCode.NOT_FOUND
    assert (refusal.reason, refusal.metadata) == (
        "TENANT_NOT_FOUND",
        {"tenant": "zork"},
    )
