"""Constants of kernels in several languages, by their names."""

from __future__ import annotations

from framebrush.gpu.layouts import Layout
from framebrush.gpu.stages.corners import CORNERS
from framebrush.gpu.stages.detail import DETAIL
from framebrush.gpu.stages.lighting import RELIEF
from framebrush.gpu.stages.masks import MASKS
from framebrush.gpu.stages.planes_to_tensor import CONVERT
from framebrush.gpu.stages.resample import RESAMPLE
from framebrush.gpu.stages.steady.passes import STEADY
from framebrush.gpu.stages.strokes.laying import LAYING
from framebrush.gpu.stages.table import TABLE
from framebrush.gpu.stages.tensor_to_planes import OUTPUT
from framebrush.gpu.stages.tile_copies import WINDOW

RECORDS: dict[str, Layout] = {
    "CONVERT": CONVERT,
    "CORNERS": CORNERS,
    "DETAIL": DETAIL,
    "LAYING": LAYING,
    "MASKS": MASKS,
    "OUTPUT": OUTPUT,
    "RELIEF": RELIEF,
    "RESAMPLE": RESAMPLE,
    "STEADY": STEADY,
    "TABLE": TABLE,
    "WINDOW": WINDOW,
}
