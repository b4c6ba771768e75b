"""Draw sheets of strokes and relief under assets/: pictures of the networks beside the program's.

    python assets/make_brush_sheet.py scene NAME=PICTURE@X,Y [NAME=PICTURE@X,Y ...]
    python assets/make_brush_sheet.py lines PICTURE@X,Y
    python assets/make_brush_sheet.py pan PICTURE
    python assets/make_brush_sheet.py footage FILM@X,Y
    python assets/make_brush_sheet.py pixels NAME=PICTURE@X,Y [NAME=PICTURE@X,Y ...]
    python assets/make_brush_sheet.py brushes NAME=PICTURE@X,Y [NAME=PICTURE@X,Y ...]
    python assets/make_brush_sheet.py canvas PICTURE@X,Y

`scene` draws brush-NAME.jpg: all paintings of a picture as a frame of 1080 lines, without strokes and with them; a part
of the frame is shown, with its upper left corner at X,Y. `lines` draws brush-lines.jpg: the same for some paintings
at 360, 1080 and 2160 lines. `pan` draws brush-pan.jpg: two seconds of a film that moves across the picture. `footage`
draws footage.jpg: a part of a film's frame, unpainted and in some paintings. `pixels` draws pixels-NAME.jpg: a part of
a frame of 1080 lines at its own size, by each painting without strokes and with them. `brushes` draws brushes-NAME.jpg:
the same of the style `oil`, by each kind of brush, and by oil's brush with each tip of assets/marks. `canvas` draws
canvas.png: the weave of a canvas at 360, 1080 and 2160 lines at its own size, and the same part of each frame.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageOps

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import plan_sizes
from framebrush.models.brushes import OIL, PRESETS, BrushKind
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style
from framebrush.styles.brush_tips import open_brush_tip

ASSETS = Path(__file__).resolve().parent
MARKS = ASSETS / "marks"
PLAIN = {"brush": 0.0, "relief": 0.0}
LINES = 1080
SHOWN, CELL_PX, GAP_PX, TEXT_PX, COLUMNS = (900, 600), (360, 240), 8, 22, 4
"""SHOWN: how much of a frame of 1080 lines a cell shows, in pixels."""
SOME, SOME_LINES = ("starry-night", "great-wave", "self-portrait", "composition-vii"), (360, 1080, 2160)
PAN_STYLE, PAN_FRAMES, PAN_STEP_PX, PAN_SHOWN, NOISE = "self-portrait", 50, 6, 7, 2.0
PAN_PX, PAN_CELL_PX = (960, 540), (240, 240)
"""PAN_PX: how much of a frame of 1080 lines the film is, with strokes as wide as in one."""

FOOTAGE_OF, FOOTAGE_FRAME, FOOTAGE_PART, FOOTAGE_CELL_PX = (
    ("none", "oil", "starry-night", "great-wave", "night-cafe"),
    8,
    (420, 630),
    (336, 504),
)

PIXELS_PX, PIXELS_PAIRS = (200, 200), 2
BRUSHES_PX, BRUSHES_COLUMNS = (400, 400), 4
CANVAS_STYLE, CANVAS_LOOK, CANVAS_PX = "te-fare", {"canvas": 0.7}, (270, 180)


def of_lines(photo: Image.Image, lines: int) -> Image.Image:
    """The photograph as a frame of 16:9."""
    return ImageOps.fit(photo, (lines * 16 // 9, lines), Image.Resampling.LANCZOS)


def whole(photo: Image.Image) -> Image.Image:
    """The photograph as a frame of 1080 lines, or columns if it is upright, in its own shape."""
    scale = LINES / min(photo.size)
    return photo.resize((round(scale * photo.width), round(scale * photo.height)), Image.Resampling.LANCZOS)


def painted(
    device: Device, style: Style, painting: str, photo: Image.Image, kind: BrushKind | None = None, **look: float
) -> Image.Image:
    """The photograph as one frame, painted at the size that `--stroke auto` takes."""
    size = rgba8(*photo.size)
    sizes = plan_sizes(photo.size, style.card)
    mix = tuple(float(name == painting) for name in style.card.paintings)
    frame = Frame(size, (np.asarray(photo.convert("RGBA")),))
    with device.stylizer(
        style,
        size,
        size,
        working=sizes.working,
        stroke_px=sizes.stroke_px,
        kind=kind,
        look=Look(mix=mix, **look),
    ) as stylizer:
        return Image.fromarray(stylizer.fetch(stylizer.submit(frame)).planes[0]).convert("RGB")


def pair(device: Device, style: Style, painting: str, photo: Image.Image) -> tuple[Image.Image, Image.Image]:
    """The photograph without strokes and with them."""
    print(photo.size, painting, flush=True)
    return painted(device, style, painting, photo, **PLAIN), painted(device, style, painting, photo)


def part(picture: Image.Image, corner: tuple[int, int]) -> Image.Image:
    """Return a cell: the part of a frame at a corner, given for a frame of 1080 lines."""
    scale = picture.height / LINES
    left, top = (scale * side for side in corner)
    box = left, top, left + scale * SHOWN[0], top + scale * SHOWN[1]
    smaller = picture.height * CELL_PX[1] < LINES * SHOWN[1]
    return picture.resize(CELL_PX, Image.Resampling.BICUBIC if smaller else Image.Resampling.BOX, box)


def scene(device: Device, style: Style, photo: Image.Image, corner: tuple[int, int]) -> Image.Image:
    """The source, and each painting of it without strokes and with them."""
    photo = of_lines(photo, LINES)
    names = style.card.paintings
    pair_px, row_px = 2 * CELL_PX[0] + GAP_PX, CELL_PX[1] + TEXT_PX + GAP_PX
    page = Image.new("RGB", (COLUMNS * (pair_px + GAP_PX), (1 + len(names) // COLUMNS) * row_px), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(16)
    page.paste(part(photo, corner), (0, TEXT_PX))
    draw.text((4, 2), "a part of the frame of 1080 lines; below, without and with strokes", "black", font)
    for n, name in enumerate(names):
        left, top = n % COLUMNS * (pair_px + GAP_PX), (1 + n // COLUMNS) * row_px
        draw.text((left + 4, top + 2), name, "black", font)
        for side, picture in enumerate(pair(device, style, name, photo)):
            page.paste(part(picture, corner), (left + side * (CELL_PX[0] + GAP_PX), top + TEXT_PX))
    return page


def lines(device: Device, style: Style, photo: Image.Image, corner: tuple[int, int]) -> Image.Image:
    """A row a painting; a pair without strokes and with them for each size of the frame."""
    pair_px, row_px = 2 * (CELL_PX[0] + GAP_PX), CELL_PX[1] + GAP_PX
    page = Image.new("RGB", (len(SOME_LINES) * pair_px, TEXT_PX + len(SOME) * row_px), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(16)
    for column, height in enumerate(SOME_LINES):
        frame = of_lines(photo, height)
        draw.text((column * pair_px + 4, 2), f"{height} lines, without and with strokes", "black", font)
        for row, name in enumerate(SOME):
            for side, picture in enumerate(pair(device, style, name, frame)):
                left = column * pair_px + side * (CELL_PX[0] + GAP_PX)
                page.paste(part(picture, corner), (left, TEXT_PX + row * row_px))
    return page


def pixels(device: Device, style: Style, photo: Image.Image, corner: tuple[int, int]) -> Image.Image:
    """Return the source, the network's picture and the strokes, at their own pixels."""
    photo = whole(photo)
    (width, height), (left, top) = PIXELS_PX, corner
    box = left, top, left + width, top + height
    pair_px, row_px = 2 * (width + GAP_PX), height + TEXT_PX + GAP_PX
    names = style.card.paintings
    page = Image.new("RGB", (PIXELS_PAIRS * pair_px - GAP_PX, row_px * (1 + len(names) // PIXELS_PAIRS)), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(16)
    draw.text((4, 2), "a part of the frame of 1080 lines, each pixel; below, without and with strokes", "black", font)
    page.paste(photo.crop(box), (0, TEXT_PX))
    for n, name in enumerate(names):
        x, y = n % PIXELS_PAIRS * pair_px, (1 + n // PIXELS_PAIRS) * row_px
        draw.text((x + 4, y + 2), name, "black", font)
        for side, picture in enumerate(pair(device, style, name, photo)):
            page.paste(picture.crop(box), (x + side * (width + GAP_PX), y + TEXT_PX))
    return page


def brushes(device: Device, style: Style, photo: Image.Image, corner: tuple[int, int]) -> Image.Image:
    """The source, and each pixel of it by each kind of brush, and by oil's with each mark."""
    photo = whole(photo)
    (width, height), (left, top) = BRUSHES_PX, corner
    shown = {"the film": photo}
    shown |= {name: painted(device, style, "oil", photo, preset.kind) for name, preset in PRESETS.items()}
    for path in sorted(MARKS.glob("*.png")):
        kind = replace(OIL, mark=open_brush_tip(str(path)))
        shown[f"oil, {path.stem}.png as its mark"] = painted(device, style, "oil", photo, kind)
    across, down, rows = width + GAP_PX, height + TEXT_PX + GAP_PX, -(-len(shown) // BRUSHES_COLUMNS)
    page = Image.new("RGB", (BRUSHES_COLUMNS * across - GAP_PX, rows * down), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(16)
    for n, (name, picture) in enumerate(shown.items()):
        x, y = n % BRUSHES_COLUMNS * across, n // BRUSHES_COLUMNS * down
        draw.text((x + 4, y + 2), name, "black", font)
        page.paste(picture.crop((left, top, left + width, top + height)), (x, y + TEXT_PX))
    return page


def canvas(device: Device, style: Style, photo: Image.Image, corner: tuple[int, int]) -> Image.Image:
    """Return a column for each size of the frame: above, its own pixels; below, the cell of 1080 lines."""
    (width, height), sizes = CANVAS_PX, SOME_LINES
    page = Image.new("RGB", (len(sizes) * (width + GAP_PX) - GAP_PX, 2 * (TEXT_PX + height + GAP_PX)), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(16)
    for column, lines in enumerate(sizes):
        shown = painted(device, style, CANVAS_STYLE, of_lines(photo, lines), **CANVAS_LOOK)
        scale, x = lines / LINES, column * (width + GAP_PX)
        left, top = (round(scale * side) for side in corner)
        parts = (width, height), (round(scale * width), round(scale * height))
        for row, (text, (across, down)) in enumerate(zip(("each pixel", "the same part"), parts, strict=True)):
            y = row * (TEXT_PX + height + GAP_PX)
            draw.text((x + 4, y + 2), f"{lines} lines, {text}", "black", font)
            cell = shown.crop((left, top, left + across, top + down)).resize(CANVAS_PX, Image.Resampling.BICUBIC)
            page.paste(cell, (x, y + TEXT_PX))
    return page


def moving(photo: Image.Image, path: Path) -> None:
    """A film that goes to the right across the photograph, with the noise of a camera."""
    width, height = PAN_PX
    left, top = 200, (LINES - height) // 2
    whole = np.asarray(of_lines(photo, LINES), np.float32)[top : top + height]
    dice = np.random.default_rng(0)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt, stream.options = width, height, "yuv420p", {"crf": "20"}
        for n in range(PAN_FRAMES):
            view = whole[:, left + PAN_STEP_PX * n :][:, :width]
            noisy = (view + dice.normal(0, NOISE, view.shape)).clip(0, 255).round().astype(np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(noisy, format="rgb24")))
        container.mux(stream.encode())


def pan(photo: Image.Image) -> Image.Image:
    """Return frames over two seconds at their own size.

    Above: a place of the frame. Below: a place of the film; its strokes move with it.
    """
    (width, height), last = PAN_CELL_PX, PAN_FRAMES - 1
    page = Image.new("RGB", (PAN_SHOWN * (width + GAP_PX), 2 * (TEXT_PX + height + GAP_PX)), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(16)
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "pan.mp4"), Path(folder, "painted.mkv")
        moving(photo, source)
        program = [sys.executable, "-m", "framebrush", "transcode", str(source), str(result)]
        options = ["--style", PAN_STYLE, "--stroke", "2", "--device", "cpu", "--codec", "libx264", "--crf", "10"]
        subprocess.run([*program, *options], check=True)
        with av.open(str(result)) as container:
            frames = [frame.to_image() for frame in container.decode(video=0)]
    top, end = (PAN_PX[1] - height) // 2, PAN_PX[0] - width
    for column, n in enumerate(np.linspace(0, last, PAN_SHOWN).round().astype(int).tolist()):
        for row, left in enumerate((end // 2, end // 2 + PAN_STEP_PX * (last // 2 - n))):
            place = column * (width + GAP_PX), row * (TEXT_PX + height + GAP_PX)
            where = f"a place of the {('frame', 'film')[row]}, " if column == 0 else ""
            draw.text((place[0] + 4, place[1] + 2), f"{where}{n / 25:.2f} s", "black", font)
            page.paste(frames[n].crop((left, top, left + width, top + height)), (place[0], place[1] + TEXT_PX))
    return page


def footage(film: str, corner: tuple[int, int]) -> Image.Image:
    """A frame by the program itself, which has seen the film before it."""
    (left, top), (width, height) = corner, FOOTAGE_PART
    page = Image.new("RGB", (len(FOOTAGE_OF) * (FOOTAGE_CELL_PX[0] + GAP_PX) - GAP_PX, FOOTAGE_CELL_PX[1]), "white")
    with tempfile.TemporaryDirectory() as folder:
        for column, style in enumerate(FOOTAGE_OF):
            result = Path(folder, f"{style}.png")
            program = [sys.executable, "-m", "framebrush", "frame", film, str(result)]
            subprocess.run([*program, "--at", f"{FOOTAGE_FRAME}f", "--style", style, "--device", "cpu"], check=True)
            with Image.open(result) as frame:
                shown = frame.convert("RGB").crop((left, top, left + width, top + height))
            page.paste(shown.resize(FOOTAGE_CELL_PX, Image.Resampling.BOX), (column * (FOOTAGE_CELL_PX[0] + GAP_PX), 0))
    return page


def placed(text: str) -> tuple[str, tuple[int, int]]:
    """FILE@X,Y."""
    path, _, corner = text.rpartition("@")
    x, y = corner.split(",")
    return path, (int(x), int(y))


SHEETS = {
    "scene": (scene, "realtime", "brush", 74, 2),
    "lines": (lines, "realtime", "brush", 80, 2),
    "pixels": (pixels, "realtime", "pixels", 92, 0),
    "brushes": (brushes, "oil", "brushes", 88, 0),
}
"""By command: what draws it, the style, what its file's name begins with, and quality and subsampling of the JPEG."""


def main() -> None:
    kind, *rest = sys.argv[1:] or [""]
    if kind == "pan" and len(rest) == 1:
        pan(Image.open(rest[0]).convert("RGB")).save(ASSETS / "brush-pan.jpg", quality=85)
    elif kind == "footage" and len(rest) == 1:
        footage(*placed(rest[0])).save(ASSETS / "footage.jpg", quality=85)
    elif kind == "canvas" and len(rest) == 1:
        path, corner = placed(rest[0])
        with open_device("cpu") as device:
            page = canvas(device, load_style("realtime"), Image.open(path).convert("RGB"), corner)
        page.save(ASSETS / "canvas.png", optimize=True)
    elif kind in SHEETS and rest:
        draw, style, sheet, quality, subsampling = SHEETS[kind]
        with open_device("cpu") as device:
            for text in rest:
                name, given = text.split("=", 1) if kind != "lines" else ("lines", text)
                path, corner = placed(given)
                page = draw(device, load_style(style), Image.open(path).convert("RGB"), corner)
                page.save(ASSETS / f"{sheet}-{name}.jpg", quality=quality, subsampling=subsampling, optimize=True)
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
