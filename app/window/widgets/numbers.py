"""Numbers in the format of the user's language.

Frame numbers and timecodes are the same in all languages.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLocale


def decimal(value: float, digits: int = 1, *, signed: bool = False) -> str:
    """A number with `digits` decimal places. signed: also write a plus sign."""
    text = QLocale().toString(value, "f", digits)
    return f"{QLocale().positiveSign()}{text}" if signed and value > 0 else text


def shortest(value: float) -> str:
    """A number with as few digits as possible, at most three significant ones."""
    return QLocale().toString(value, "g", 3)


def percent(share: float) -> str:
    """A share, 0..1, as a whole percentage."""
    return QCoreApplication.translate("Numbers", "{number}%").format(number=QLocale().toString(round(100 * share)))


def percents(weights: Sequence[float]) -> list[str]:
    """Return weights as whole percentages that sum to 100.

    Those with the largest remainders are rounded up.
    """
    total = sum(weights)
    exact = [100 * weight / total for weight in weights]
    parts = [math.floor(share) for share in exact]
    for index in sorted(range(len(parts)), key=lambda index: parts[index] - exact[index])[: 100 - sum(parts)]:
        parts[index] += 1
    return [percent(part / 100) for part in parts]


def data_size(size: int) -> str:
    """A number of bytes as the command line has it (`base.text.data_size`)."""
    return QLocale().formattedDataSize(size, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def whole(number: int) -> str:
    """A whole number with thousands separators."""
    return QLocale().toString(number)
