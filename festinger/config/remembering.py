"""Settings of typed memories: grounding, scoring and acceptance (G1, G2)."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from festinger.config.sections import Section

# Strict, since YAML's `true` would pass as 1.
Share = Annotated[float, Field(ge=0, le=1, strict=True)]


def _rise(section: Section, *names: str) -> None:
    """Check that settings rise in this order; the error names one that was written."""
    for low, high in pairwise(names):
        least, most = getattr(section, low), getattr(section, high)
        if least <= most:
            continue
        wrong, why = low, f"must not be above {high}, which is {most:g}"
        # The setting that somebody wrote is to be named, and not the default that it crosses.
        if low not in section.model_fields_set:
            wrong, why = high, f"must not be below {low}, which is {least:g}"
        raise ValidationError.from_exception_data(
            type(section).__name__,
            [
                InitErrorDetails(
                    type=PydanticCustomError("order", "{why}", {"why": why}),
                    loc=(wrong,),
                    input=getattr(section, wrong),
                )
            ],
        )


class GroundingSettings(Section):
    """Thresholds of the score, from 0 to 1, by which a text supports a claim (G1)."""

    grounded: Share = 0.87
    """From this score a claim is grounded, unless it has a number, a name or a negation
    that its text lacks."""
    candidate: Share = 0.50
    """From this score people decide about a claim; below it the claim is rejected."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _rise(self, "candidate", "grounded")
        return self


class FactorSettings(Section):
    """Summands of the confidence of a claim that a model made about a person (G2)."""

    # Above 0, since other weights are divided by it.
    exact: float = Field(default=0.30, gt=0, le=1, strict=True)
    """Added if the claim stands in its text, whatever the endings of its words."""
    phrases: Share = 0.20
    """Added if its text has all words of the claim."""
    similar: Share = 0.10
    """Added if its text has half of the words, or says it in very similar words."""
    twice: Share = 0.10
    """Added if the claim is mentioned twice."""
    often: Share = 0.20
    """Added if the claim is mentioned three times or more."""
    consistent: Share = 0.20
    """Added if the claim contradicts nothing that is known of the person."""
    contradicting: float = Field(default=-0.25, ge=-1, le=0, strict=True)
    """Added if the claim contradicts a memory of the person, and to that memory's
    confidence as well."""
    explicit_fact: Share = 0.40
    """Added if the claim is a fact that the person stated."""
    repeated_pattern: Share = 0.35
    """Added if the claim is a pattern that was observed twice or more."""
    single_pattern: Share = 0.25
    """Added if the claim is a pattern that was observed once."""
    narrative: Share = 0.35
    """Added if the claim is a shared narrative."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        # A claim gets one of each group: the better its text supports it, the more.
        _rise(self, "similar", "phrases", "exact")
        _rise(self, "twice", "often")
        _rise(self, "single_pattern", "repeated_pattern")
        return self


class ThresholdSettings(Section):
    """Minimum confidence for each type of memory (G3)."""

    user_fact: Share = 0.80
    """From this confidence a fact is active, and told to agents."""
    user_pattern: Share = 0.75
    """From this confidence a pattern is stored, for people to decide."""
    user_pattern_active: Share = 0.80
    """From this confidence a pattern is active, and told to agents."""
    user_pattern_proposal: Share = 0.60
    """From this confidence a pattern that is not stored is logged as a proposal."""
    shared_narrative: Share = 0.60
    """From this confidence a narrative is active, and told to agents."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _rise(self, "user_pattern_proposal", "user_pattern", "user_pattern_active")
        return self


class MemorySettings(Section):
    """Acceptance rules for the claims that models read out of conversations."""

    factors: FactorSettings = FactorSettings()
    thresholds: ThresholdSettings = ThresholdSettings()
