"""Python with fast training data: `python -P tests/few_clips.py -m MODULE ...`.

One clip per photograph, half crops, features of `tests/untrained.py`; also for child processes if FEW_CLIPS names a
program that runs this file.
"""

from __future__ import annotations

import os
import runpy
import sys
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from framebrush.models.training import data, trainer, training_losses
from tests.untrained import NARROW

training_losses.VGG16 = NARROW
data.CLIPS_A_PHOTO = 1
trainer.REPORT_S = 0.0
trainer.Recipe = partial(trainer.Recipe, crop_px=128)  # type: ignore[assignment,misc]
sys.executable = os.environ.get("FEW_CLIPS", sys.executable)
del sys.argv[: sys.argv.index("-m") + 1]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
