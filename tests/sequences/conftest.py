"""Random sequences of actions, equal in each run, against a model.

Processes, files and locks are real.
"""

from __future__ import annotations

import os
import sys

from hypothesis import HealthCheck, Phase, settings

if sys.platform.startswith("linux"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

settings.register_profile(
    "sequences",
    derandomize=True,  # seeded by the test's name and source
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    print_blob=True,
)
settings.load_profile("sequences")
