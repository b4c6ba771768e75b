"""Draw assets/frames.jpg: frames of films of four sizes as the program paints them without an option, beside networks
by others.

    python assets/make_frames_sheet.py PHOTO NETWORK.onnx [NETWORK.onnx ...]

The photograph is made a film of each size: a slow pan, with the noise of a camera, compressed by H.264. Needs
framebrush[train].
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageOps

ASSETS = Path(__file__).resolve().parent
OURS = ("starry-night", "great-wave")
LINES = (360, 720, 1080, 2160)
SHOWN_PX, GAP_PX, TEXT_PX = (320, 180), 8, 24
FRAMES, STEP_PX, NOISE, RATE = 4, 2, 3.0, "26"


def film(photo: Image.Image, lines: int, path: Path) -> None:
    """A film of that many lines, 16:9."""
    width, height = lines * 16 // 9, lines
    whole = np.asarray(ImageOps.fit(photo, (width + STEP_PX * FRAMES, height)), np.float32)
    dice = np.random.default_rng(0)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt, stream.options = width, height, "yuv420p", {"crf": RATE}
        for n in range(FRAMES):
            part = whole[:, STEP_PX * n : STEP_PX * n + width]
            noisy = (part + dice.normal(0, NOISE, part.shape)).clip(0, 255).round().astype(np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(noisy, format="rgb24")))
        container.mux(stream.encode())


def painted(source: Path, style: str, target: Path) -> Image.Image:
    """Its last frame, by the program itself."""
    program = [sys.executable, "-m", "framebrush", "frame", str(source), str(target)]
    options = ["--at", f"{FRAMES - 1}f", "--style", style, "--device", "cpu", "-y"]
    subprocess.run([*program, *options], check=True, stdout=subprocess.DEVNULL)
    with Image.open(target) as picture:
        return picture.convert("RGB").resize(SHOWN_PX, Image.Resampling.BOX)


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    styles = ["none", *OURS, *sys.argv[2:]]
    width, height = SHOWN_PX[0] + GAP_PX, SHOWN_PX[1] + GAP_PX
    page = Image.new("RGB", (width * len(styles), TEXT_PX + height * len(LINES)), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(16)
    photo = Image.open(sys.argv[1]).convert("RGB")
    with tempfile.TemporaryDirectory() as folder:
        for row, lines in enumerate(LINES):
            source = Path(folder, f"{lines}.mp4")
            film(photo, lines, source)
            for column, style in enumerate(styles):
                place = column * width, TEXT_PX + row * height
                page.paste(painted(source, style, Path(folder, "painted.png")), place)
                name = f"{lines} lines" if style == "none" else Path(style).stem if style.endswith(".onnx") else style
                if row == 0 or column == 0:
                    draw.text((place[0] + 4, place[1] + 2 if row else 2), name, "black", font)
    page.save(ASSETS / "frames.jpg", quality=85)


if __name__ == "__main__":
    main()
