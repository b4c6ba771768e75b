"""Numbers in the user's language, except frame numbers and timecodes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLocale


def decimal(value: float, digits: int = 1, *, signed: bool = False) -> str:
    """Format with `digits` decimal places. signed: with a plus sign."""
    text = QLocale().toString(value, "f", digits)
    return f"{QLocale().positiveSign()}{text}" if signed and value > 0 else text


def shortest(value: float) -> str:
    """Format with at most three significant digits."""
    return QLocale().toString(value, "g", 3)


def percent(share: float) -> str:
    """Format a share, 0..1, as a whole percentage."""
    return QCoreApplication.translate("Numbers", "{number}%").format(number=QLocale().toString(round(100 * share)))


def percents(weights: Sequence[float]) -> list[str]:
    """Format weights as whole percentages that sum to 100."""
    total = sum(weights)
    exact = [100 * weight / total for weight in weights]
    parts = [math.floor(share) for share in exact]
    for index in sorted(range(len(parts)), key=lambda index: parts[index] - exact[index])[: 100 - sum(parts)]:
        parts[index] += 1
    return [percent(part / 100) for part in parts]


def data_size(size: int) -> str:
    """Format a number of bytes like `base.text.data_size`."""
    return QLocale().formattedDataSize(size, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def whole(number: int) -> str:
    """Format with thousands separators."""
    return QLocale().toString(number)
