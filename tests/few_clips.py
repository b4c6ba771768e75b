"""Python with little material to train on: `python -P tests/few_clips.py -m MODULE ...` is `python -m MODULE ...`, but
makes one compressed clip of each photograph instead of twelve, which take most of the time of a short training."""

from __future__ import annotations

import runpy
import sys

from framebrush.models.training import data

data.CLIPS_A_PHOTO = 1
del sys.argv[: sys.argv.index("-m") + 1]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
