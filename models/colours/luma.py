"""Luma of R'G'B' (Recommendation ITU-R BT.709-6, 3.2)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

LUMA: npt.NDArray[np.float64] = np.array([0.2126, 0.7152, 0.0722])
"""Weights of R', G', B'."""
