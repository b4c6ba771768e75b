"""Draw the pictures of docs/gallery.md: twelve looks of one frame of the sample film, each made by its command.

python assets/make_gallery.py

It also writes the page, so that each command is the one by which its picture was made.
"""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

from PIL import Image

from framebrush import sample
from framebrush.cli.command_line import run

ASSETS = Path(__file__).resolve().parent
FOLDER, PAGE = ASSETS / "gallery", ASSETS.parent / "docs" / "gallery.md"
FRAME, SIZE, WIDTH_PX, QUALITY = 12, "960x540", 640, 72
"""Frame of the film, size of the painting, and width and quality of the picture on the page."""

LOOKS = {
    "plain": ("The frame itself", "--style none"),
    "oil": ("Oil in the film's own colours", "--style oil"),
    "starry-night": ("The Starry Night, with strokes", "--style starry-night-fine"),
    "great-wave": ("The Great Wave, half as strong", "--style great-wave-fine --strength 0.6"),
    "knife": ("A palette knife, under a low lamp", "--style oil --brush-kind palette-knife --relief 1 --lamp 180"),
    "dots": ("Dots", "--style wheat-field --brush-kind pointillist --saturation 1.4"),
    "ink": ("Pen and ink on paper", "--style ink --canvas 0.4"),
    "person": ("The people in their own colours", "--style starry-night-fine --film-inside 1"),
    "background": ("The people left as a photograph", "--style oil --photo-inside 1 --stroke 1.5"),
    "two": ("Two paintings in one frame", "--style rhone-fine --second scream-fine --second-inside 1"),
    "focus": ("Fine strokes on people, broad ones around", "--style self-portrait-fine --focus 1"),
    "blend": ("A blend of two paintings, in the film's own colours", "--style udnie:0.5,tahiti:0.5 --palette film"),
}
"""Title and options of each look, by the name of its picture."""

HEAD = f"""# Gallery

One frame of the film that comes with Framebrush, painted at {SIZE} in twelve looks. `framebrush transcode` in place of
`framebrush frame`, and a video as the result, paint a whole film so.

[All options](options.md) · [the styles by themselves](styles.md)
"""


def draw(options: str, target: Path) -> None:
    """Paint the frame with the options of a command, as a small picture."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frame.png"
        place = ["--at", f"{FRAME}f", "--size", SIZE, "--device", "cpu"]
        if run(["frame", str(sample.PATH), str(path), *place, *shlex.split(options)]):
            raise SystemExit(f"{options}: the frame could not be painted")
        with Image.open(path) as picture:
            height_px = round(picture.height * WIDTH_PX / picture.width)
            shown = picture.convert("RGB").resize((WIDTH_PX, height_px), Image.Resampling.LANCZOS)
    shown.save(target, quality=QUALITY, method=6)


def main() -> None:
    """Draw all pictures, and write the page."""
    FOLDER.mkdir(exist_ok=True)
    for name, (_, options) in LOOKS.items():
        draw(options, FOLDER / f"{name}.webp")
    write_page()


def write_page() -> None:
    """Write the page with the command of each picture."""
    parts = [HEAD]
    for name, (title, options) in LOOKS.items():
        command = f"framebrush frame in.mp4 {name}.png {options}"
        parts.append(f"## {title}\n\n![{title}](../assets/gallery/{name}.webp)\n\n```\n{command}\n```\n")
    PAGE.write_text("\n".join(parts), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
