"""What validation goes by at the moment: the configuration may change while we run."""

from __future__ import annotations

from dataclasses import dataclass, field

from festinger.core.validation.policy import ValidationPolicy


@dataclass(slots=True)
class Validation:
    """What the memories of this process look into when people are to be asked.

    Attributes:
        policy: Another one takes its place when the configuration changes.
    """

    policy: ValidationPolicy = field(default_factory=ValidationPolicy)
