"""Draw assets/marks/NAME.png, marks of brushes of one's own, for `--brush-mark`; white is where paint lies highest.

python assets/make_brush_marks.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

FOLDER = Path(__file__).resolve().parent / "marks"
ROWS, COLUMNS = 128, 512

Plane = npt.NDArray[np.float64]


def smooth(values: Plane, down: float, over: float) -> Plane:
    """Noise, blurred by so many samples along both axes, with a mean of 0 and a deviation of 1."""
    spectrum = np.fft.rfft2(values)
    y, x = np.fft.fftfreq(values.shape[0])[:, None], np.fft.rfftfreq(values.shape[1])[None]
    blurred = np.fft.irfft2(spectrum * np.exp(-2.0 * np.pi**2 * ((down * y) ** 2 + (over * x) ** 2)), values.shape)
    found: Plane = (blurred - blurred.mean()) / blurred.std()
    return found


def marks() -> dict[str, Plane]:
    """(ROWS, COLUMNS) 0..1 of each: a flat brush of hog's bristles that runs dry, a round one of sable that is put down
    and lifted again, and a stick of chalk on rough paper."""
    dice = np.random.default_rng(41)
    y, x = np.mgrid[:ROWS, :COLUMNS].astype(np.float64)
    across, along = (y + 0.5) / ROWS * 2.0 - 1.0, (x + 0.5) / COLUMNS

    bristles = smooth(dice.standard_normal((ROWS, COLUMNS)), 1.3, 60.0)
    lengths = smooth(dice.standard_normal((ROWS, 1)), 1.6, 0.0)
    start, end = 0.03 + 0.015 * lengths, 0.95 + 0.03 * np.roll(lengths, 37, axis=0)
    ends = np.clip((along - start) / 0.02, 0.0, 1.0) * np.clip((end - along) / 0.03, 0.0, 1.0)
    dry = np.clip((along - 0.5) / 0.5, 0.0, 1.0)
    body = np.clip(0.7 + 0.2 * bristles - dry * np.clip(0.55 - 0.7 * bristles, 0.0, 1.0), 0.0, 1.0)
    ridge = np.clip(1.0 - np.abs(np.abs(across) - 0.88) / 0.1, 0.0, 1.0)
    flat = np.clip(
        (body + 0.25 * ridge * (1.0 - dry)) * ends * np.clip((0.985 - np.abs(across)) / 0.04, 0.0, 1.0), 0.0, 1.0
    )

    pressure = np.clip(np.sin(np.pi * np.clip(along * 1.02, 0.0, 1.0) ** 0.7), 0.0, 1.0) ** 0.55
    edge = np.abs(across + 0.08 * np.sin(5.0 * along)) / np.maximum(0.9 * pressure, 1e-3)
    fine = smooth(dice.standard_normal((ROWS, COLUMNS)), 1.0, 90.0)
    rim = 0.25 * np.clip(1.0 - np.abs(edge - 0.85) / 0.15, 0.0, 1.0)
    sable = np.clip((0.62 + 0.08 * fine + rim) * np.clip((1.0 - edge) / 0.08, 0.0, 1.0), 0.0, 1.0)

    grain = smooth(dice.standard_normal((ROWS, COLUMNS)), 2.2, 2.2)
    broad = smooth(dice.standard_normal((ROWS, COLUMNS)), 9.0, 30.0)
    shape = np.clip((1.0 - np.hypot(np.maximum(np.abs(along * 8.0 - 4.0) - 3.1, 0.0), across)) / 0.25, 0.0, 1.0)
    chalk = np.clip(0.55 + 0.3 * grain + 0.1 * broad, 0.0, 1.0) * shape
    return {"flat": flat, "sable": sable, "chalk": chalk}


def main() -> None:
    """Entry point."""
    FOLDER.mkdir(exist_ok=True)
    for name, mark in marks().items():
        Image.fromarray(np.rint(255.0 * mark).astype(np.uint8)).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
