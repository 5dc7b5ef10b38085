"""OpenAPI description of the facade, made from its table and the calls' messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor

from festinger.console.access import PathAudience
from festinger.console.endpoints import ALIASES, Endpoint
from festinger.mapping import INTEGERS, TIME, Field, words_of

_TENANT: Final = {
    "name": "tenant",
    "in": "query",
    "description": "Which memory; the shim's own if it is left out.",
    "schema": {"type": "string"},
}
_NUMBER: Final = {
    "name": "number",
    "in": "path",
    "required": True,
    "schema": {"type": "integer", "minimum": 0},
}
_CID: Final = {
    "name": "cid",
    "in": "path",
    "required": True,
    "description": "A content identifier; of a candidate also its number, or what its "
    "client calls it.",
    "schema": {"type": "string"},
}
_ERRORS: Final = {
    "400": "Something in the request is not as it must be.",
    "401": "This is for operators, or nobody knows the token.",
    "403": "Who shows this token may not.",
    "404": "There is no such thing.",
    "409": "It stands elsewhere, or has changed since it was read.",
    "413": "The body is too large.",
    "429": "Too many requests had a wrong token: wait a minute.",
    "503": "The memory server does not answer.",
}
_ERROR: Final = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "What was wrong and what to do."},
        "reason": {"type": "string", "description": "One word for programs."},
    },
}
# Version 3.1 writes an optional text as a list of types; fields without a value are null.
_TEXT: Final = {"type": ["string", "null"]}
# Paths for operators have no entry: the document's own `security` applies to them.
_SECURITY: Final[Mapping[PathAudience, Any]] = {
    PathAudience.CALLERS: [{"operator": []}, {"caller": []}],
    # The empty requirement says that no token is needed.
    PathAudience.AGENTS: [{}, {"operator": []}, {"caller": []}],
}


_FACT: Final = {
    "operationId": "post_iknowthat",
    "summary": "State a fact, or say something in plain words.",
    "description": "Served by the shim for agents; the bearer token is the agent's own.",
    "tags": ["iknowthat"],
    "parameters": [],
    "security": _SECURITY[PathAudience.AGENTS],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["fact"],
                    "properties": {
                        "fact": {
                            "type": "string",
                            "examples": [
                                "gnommoweb -isa repo in context of glitch_university"
                            ],
                        },
                        "request_id": {"type": "string", "maxLength": 128},
                    },
                }
            }
        },
    },
    "responses": {
        **{
            status: {
                "description": what,
                "content": {"application/json": {"schema": {"type": "object"}}},
            }
            for status, what in (
                ("201", "The fact is held from now on."),
                ("200", "It was held already, waits for a decision, or was refused."),
            )
        },
        **{
            it: {"$ref": f"#/components/responses/E{it}"}
            for it in ("400", "413", "503")
        },
    },
}
"""The shim's own path for facts; whose answers `festinger.shim.graph.outcomes` writes."""


def described(table: Iterable[Endpoint]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of all endpoints."""
    schemas: dict[str, Any] = {"Error": _ERROR}
    paths: dict[str, Any] = {"/iknowthat": {"post": _FACT}}
    for endpoint in table:
        operations = paths.setdefault(endpoint.path, {})
        operations[endpoint.method.lower()] = _operation(endpoint, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Festinger",
            "version": version("festinger"),
            "description": "What waits for people: conflicts, candidates, what machines "
            "guess, and projects' trusted state.",
        },
        "servers": [{"url": "/"}],
        "security": [{"operator": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "operator": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token of operator.token in the data directory.",
                },
                "caller": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The operator's token, or one that the memory server "
                    "knows, such as bots.token.",
                },
            },
            "responses": {
                f"E{status}": {
                    "description": why,
                    "content": _json({"$ref": "#/components/schemas/Error"}),
                }
                for status, why in _ERRORS.items()
            },
        },
    }


def _operation(endpoint: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = {"type": "object"}
    if endpoint.response is not None:
        answer = _reference(endpoint.response.DESCRIPTOR, schemas)
    # `GET /memory/{number}` is called `get_memory_one`.
    names = endpoint.path.strip("/").replace(".", "_")
    names = names.replace("{number}", "one").replace("{cid}", "one")
    kind = "application/x-ndjson" if endpoint.lines else "application/json"
    told: dict[str, Any] = {
        "operationId": "_".join([endpoint.method.lower(), *names.split("/")]),
        "summary": endpoint.summary,
        # The first segment groups the paths: `memory`, `conflicts`.
        "tags": [endpoint.path.split("/")[1]],
        "parameters": [_TENANT],
        "responses": {
            str(endpoint.status): {
                "description": "Done.",
                "content": {kind: {"schema": answer}},
            },
            **{it: {"$ref": f"#/components/responses/E{it}"} for it in _ERRORS},
        },
    }
    if endpoint.rpc:
        told["description"] = f"The call `{endpoint.rpc}`."
    if endpoint.audience in _SECURITY:
        told["security"] = _SECURITY[endpoint.audience]
    for parameter in (_NUMBER, _CID):
        if f"{{{parameter['name']}}}" in endpoint.path:
            # A path has one parameter at most.
            told["parameters"] = [parameter, _TENANT]
    if endpoint.method in {"GET", "DELETE"}:
        told["parameters"] = [*told["parameters"], *_queries(endpoint, schemas)]
    else:
        body = _body(endpoint, schemas)
        told["requestBody"] = {"required": False, "content": _json(body)}
    return told


def _queries(endpoint: Endpoint, schemas: dict[str, Any]) -> list[dict[str, Any]]:
    if endpoint.request is None:
        return []
    fields = endpoint.request.DESCRIPTOR.fields_by_name
    # In a query, `status` reads better than `statuses`: one name, values after commas.
    other = {names[-1]: alias for alias, names in ALIASES.items()}
    return [
        {
            "name": other.get(name, name) if fields[name].is_repeated else name,
            "in": "query",
            "schema": _schema(fields[name], schemas)
            | ({"default": endpoint.usual[name]} if name in endpoint.usual else {}),
            "style": "form",
            # Multiple values are separated by commas.
            "explode": False,
        }
        for name in endpoint.open_fields
    ]


def _body(endpoint: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    if endpoint.request is None:
        return {"type": "object"}
    fields = endpoint.request.DESCRIPTOR.fields_by_name
    said = {name: _schema(fields[name], schemas) for name in endpoint.open_fields}
    for alias, name in _aliases(endpoint):
        said[alias] = said[name] | {"description": f"As `{name}`, which is its name."}
    said |= endpoint.documented
    # Only records are put, and their status only to take a decision back.
    if endpoint.method == "PUT":
        said["status"] = {"type": "string", "enum": ["candidate"]}
    return {"type": "object", "properties": said, "additionalProperties": False}


def _aliases(endpoint: Endpoint) -> Iterator[tuple[str, str]]:
    """Yield the aliases that a body may use, with the fields that they stand for."""
    fields = endpoint.open_fields
    for alias, names in ALIASES.items():
        meant = next((name for name in names if name in fields), None)
        if meant and alias not in fields:
            yield alias, meant


def _reference(kind: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return a reference to a message's schema, and add it to the schemas."""
    name = kind.full_name.removeprefix("festinger.api.v1.").replace(".", "_")
    if name not in schemas:
        # Entered before its fields are read, since a message may contain itself.
        schemas[name] = {}
        properties = {it.name: _answered(it, schemas) for it in kind.fields}
        if name == "MemoryRecord":
            properties["source_interaction_id"] = {"type": ["integer", "null"]}
        properties |= {it: _TEXT for it in _DOCUMENTED.get(name, ())}
        properties |= _OBJECTS.get(name, {})
        schemas[name] = {"type": "object", "properties": properties}
    return {"$ref": f"#/components/schemas/{name}"}


_DOCUMENTED: Final[Mapping[str, tuple[str, ...]]] = {
    "MemoryRecord": (
        "memory_type", "entity_type", "source_chunk_id", "source_span", "rule",
        "extractor_version", "pending_since", "last_re_extracted_at",
    ),
    "Candidate": (
        "factoid_cid", "status", "predicate_candidate_uri", "created_ts", "expires_at",
    ),
    "ValidationEvent": (
        "event_cid", "responder_id", "context_msg_cid", "msg_cid", "timestamp",
    ),
    "Rejection": (
        "timestamp", "subject_id", "tenant_id", "rejection_reason", "extracted_text",
    ),
}  # fmt: skip
"""The names of columns in the documents, by message."""
_OBJECTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "Candidate": {
        "provenance": {
            "type": "object",
            "properties": {
                it: _TEXT
                for it in (
                    "msg_cid", "chunk_id", "extractor_ver", "prompt_hash",
                    "model_version",
                )
            },
        }
    },
    "Rejection": {
        "confidence_score": {"type": "number"},
        "validation_details": {
            "type": "object",
            "properties": {
                "exact_match": {"type": "boolean"},
                "key_phrases": {"type": "boolean"},
                "semantic_similarity": {"type": "number"},
                "reason": {"type": "string"},
            },
        },
    },
    "BacklogItem": {
        "validation_history": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/ValidationEvent"},
        }
    },
}  # fmt: skip


def _answered(field: Field, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a response's field; an absent one is null."""
    schema = _schema(field, schemas)
    # An absent list is empty; absent messages, enums and optional fields are null.
    if field.is_repeated:
        return schema
    if field.type == FieldDescriptor.TYPE_ENUM or field.has_presence:
        return {"anyOf": [schema, {"type": "null"}]}
    return schema


def _schema(field: Field, schemas: dict[str, Any]) -> dict[str, Any]:
    kind = field.message_type
    # Protobuf declares a map as a list of messages with a key and a value.
    if kind and kind.GetOptions().map_entry:
        value = _one(kind.fields_by_name["value"], schemas)
        return {"type": "object", "additionalProperties": value}
    schema = _one(field, schemas)
    return {"type": "array", "items": schema} if field.is_repeated else schema


def _one(field: Field, schemas: dict[str, Any]) -> dict[str, Any]:
    match field.type:
        case FieldDescriptor.TYPE_ENUM:
            words = words_of(field.enum_type)
            # The zero value, `unspecified`, is never returned.
            return {"type": "string", "enum": [it for it in words if words[it]]}
        case FieldDescriptor.TYPE_MESSAGE if field.message_type.full_name == TIME:
            return {"type": "string", "format": "date-time"}
        case FieldDescriptor.TYPE_MESSAGE:
            return _reference(field.message_type, schemas)
        case FieldDescriptor.TYPE_BOOL:
            return {"type": "boolean"}
        case FieldDescriptor.TYPE_DOUBLE:
            return {"type": "number"}
        case kind:
            return {"type": "integer" if kind in INTEGERS else "string"}


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
