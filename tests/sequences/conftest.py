"""Sequences at random, of what may be done, against a model of what must then be so.

Hypothesis makes the sequences, the same ones in every run, and shrinks one that fails to the shortest that does: that
is the report. Everything in them is real: processes, files, locks.
"""

from __future__ import annotations

import os
import sys

from hypothesis import HealthCheck, Phase, settings

if sys.platform.startswith("linux"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

settings.register_profile(
    "sequences",
    derandomize=True,  # seeded by the test's own name and text
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    print_blob=True,
)
settings.load_profile("sequences")
