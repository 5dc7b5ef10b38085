from __future__ import annotations

import json

from festinger.core.language.turns import Role
from festinger.services.language.evaluating import ChatMessage, Evaluation

SAID = 1_764_000_000.0


def learn(evaluation: Evaluation, value: str) -> None:
    """Has a model read that billing runs on something, in place of what it is shown."""
    request = evaluation.next_request()
    assert request
    shown = [json.loads(line) for line in request.prompt.split("\n")]
    statement = {
        "turn": 2,
        "quote": f"billing service is on {value}",
        "subject": "billing service",
        "predicate": "runs on",
        "value": value,
        "single": True,
        "replaces": next((it["known"] for it in shown if "known" in it), None),
    }
    evaluation.learn(request, json.dumps({"statements": [statement]}))


def test_speaker_replaces_what_they_said_themselves():
    """As on a server: who says another value of their own statement need not say "now"."""
    evaluation = Evaluation(frozenset(), now=SAID)
    for session, value in (("s1", "pgmq"), ("s2", "k8s")):
        text = f"billing service is on {value}"
        evaluation.add(ChatMessage(Role.USER, text, "nadia", "", session, SAID))

        learn(evaluation, value)

    assert evaluation.report.changes == 1
