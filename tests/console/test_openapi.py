from __future__ import annotations

import re

from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.console.endpoints import ALIASES
from festinger.console.facade import ROOTS, TABLE
from tests.console.review.test_facade_records import RECORDS


def operations(document):
    """Return the described operations: method, path and description."""
    return [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def references(value):
    """Return all that a document refers to."""
    if isinstance(value, dict):
        yield from [value["$ref"]] if "$ref" in value else []
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from references(each)


async def test_every_path_is_described(house):
    """The document has the table's paths and no others, each with what it takes."""
    _, document = await house.json("GET", "/openapi.json")
    (_, fact, stated), *described = operations(document)

    assert (fact, stated["requestBody"]["required"]) == ("/iknowthat", True)
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
    """No schema and no answer is missing."""
    _, document = await house.json("GET", "/openapi.json")

    for reference in references(document):
        place = document
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]
        assert place


async def test_answers_are_as_described(house, extracted):
    """The document describes exactly the members of a record's JSON."""
    await extracted("use Postgres", project="dome")
    _, document = await house.json("GET", "/openapi.json")
    _, answer = await house.json("GET", "/memory/1")
    schema = document["components"]["schemas"]["MemoryRecord"]["properties"]
    kinds = schema["type"]["anyOf"][0]["enum"]

    assert set(answer["record"]) <= set(schema)
    assert set(schema) - set(answer["record"]) == {"entity_type"}
    assert len(kinds) == len(MemoryRecord.Type.values()) - 1
    assert answer["record"]["type"] in kinds
    assert {path for _, path, _ in operations(document)} >= RECORDS


async def test_bodies_are_described_as_they_are_taken(house):
    """The names of the documents are among the fields, and what is not there is refused."""
    _, document = await house.json("GET", "/openapi.json")
    operation = document["paths"]["/memory"]["post"]
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    said = {"text": "We use Postgres", "memory_type": "decision"}

    status, answer = await house.json("POST", "/memory", json=said)
    refused, _ = await house.json("POST", "/memory", json={**said, "states": "active"})

    assert (status, answer["record"]["content"]) == (200, "We use Postgres")
    assert refused == 400
    assert body["additionalProperties"] is False
    assert set(said) <= set(body["properties"])
    assert "states" not in body["properties"]
    assert (
        body["properties"]["memory_type"]["enum"] == body["properties"]["type"]["enum"]
    )


async def test_every_body_takes_what_its_description_names(house):
    """Whatever a path's fields may be called, no other name is taken."""
    _, document = await house.json("GET", "/openapi.json")
    for endpoint in TABLE:
        if endpoint.request is None or endpoint.method not in {"POST", "PUT"}:
            continue
        operation = document["paths"][endpoint.path][endpoint.method.lower()]
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        path = endpoint.path.replace("{number}", "999999")
        for name in {*ALIASES, "zork"} - set(body["properties"]):
            _, answer = await house.json(endpoint.method, path, json={name: None})

            taken = "there is no field" not in answer["error"]
            # Whether there is such a thing may be looked at before.
            assert not taken or "999999" in answer["error"], (path, name)
