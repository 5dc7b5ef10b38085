from __future__ import annotations

import re

from festinger.api.v1.claim_pb2 import Claim
from festinger.console.facade import ROOTS, TABLE
from tests.console.test_facade_claims import CLAIMS


def operations(document):
    """
    What is described: method, path and description.
    """
    return [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def references(value):
    """
    All that a document refers to.
    """
    if isinstance(value, dict):
        yield from [value["$ref"]] if "$ref" in value else []
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from references(each)


async def test_every_path_is_described(house):
    """
    The document has the table's paths and no others, each with what it takes.
    """
    _, document = await house.json("GET", "/openapi.json")
    described = operations(document)

    assert document["openapi"] == "3.1.0"
    assert {(method, path) for method, path, _ in described} == {
        (it.method, it.path) for it in TABLE
    }
    names = [operation["operationId"] for *_, operation in described]
    assert len(names) == len(set(names))
    for method, path, operation in described:
        assert operation["summary"]
        inside = {it["name"] for it in operation["parameters"] if it["in"] == "path"}
        assert inside == set(re.findall(r"{(\w+)}", path))
        assert ("requestBody" in operation) == (method in {"POST", "PUT"})
    assert all(f"{path}/".startswith(ROOTS) for _, path, _ in described)


async def test_everything_referred_to_is_there(house):
    """
    No schema and no answer is missing.
    """
    _, document = await house.json("GET", "/openapi.json")

    for reference in references(document):
        place = document
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]
        assert place


async def test_answers_are_as_described(house, extracted):
    """
    What a claim's JSON has is what the document says, and nothing else.
    """
    await extracted("use Postgres", project="dome")
    _, document = await house.json("GET", "/openapi.json")
    _, answer = await house.json("GET", "/memory/1")
    schema = document["components"]["schemas"]["Claim"]["properties"]
    kinds = schema["type"]["anyOf"][0]["enum"]

    assert set(answer["claim"]) <= set(schema)
    assert set(schema) - set(answer["claim"]) == {"entity_type"}
    assert len(kinds) == len(Claim.Type.values()) - 1
    assert answer["claim"]["type"] in kinds
    assert {path for _, path, _ in operations(document)} >= CLAIMS
