"""Python with short training: `python -P tests/few_steps.py -m MODULE ...`.

FEW_STEPS: steps per shot, of two patches; if 0, without PyTorch.
"""

from __future__ import annotations

import os
import runpy
import sys
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

steps = int(os.environ["FEW_STEPS"])
if steps:
    from framebrush.models.training import shot
    from framebrush.painted import learn

    shot.PATCHES_PX["cpu"] = (2, 96)
    learn.FIRST_S = learn.KEPT_S = learn.TOLD_S = 0.0
    learn.Course = partial(learn.Course, steps=steps, device="cpu")  # type: ignore[assignment,misc]
else:
    sys.modules["torch"] = None  # type: ignore[assignment]
del sys.argv[: sys.argv.index("-m") + 1]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
