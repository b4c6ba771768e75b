"""Quality of painted faces, and the cost of finding them.

    python benchmarks/subject.py painted --detector D.tflite --landmarks L.tflite FILM [FILM ...]
    python benchmarks/subject.py edges [--people P.tflite] FILM [...]
    python benchmarks/subject.py nobody FILM_OR_PICTURE [...]
    python benchmarks/subject.py cost FILM [...]

painted: each painting of `--style` (default: all) over each film, without ("0") and with `--faces` ("faces").
found: share of the film's faces detected in the painting. off: distance of landmarks from the film's, in percent of
the distance between the eyes. change: difference between neighbouring frames along the motion inside faces, in 8-bit
codes, and relative to the film's. Faces and landmarks come from networks that the program does not use: MediaPipe's
full-range detector and FaceMesh, in the wheel mediapipe 0.10.14 (modules/face_detection, modules/face_landmark), run
by ai-edge-litert. Landmarks of film and painting are searched in the same square. Motion: opencv-python-headless.

edges: intersection over union of neighbouring frames' masks ("overlap"), and of each mask with itself advected
along the film's motion to the next frame: the limit of masks without error ("motion"). alike: overlap of people with
the mask of another network, MediaPipe's selfie_segmentation (256x256, the same wheel). halo: for people in their
own colours, without strokes, and for a photograph of them in the painting: by how many codes luma within REACH_PX of
the mask's edge lies beyond both sides: mean, and share of pixels beyond HALO_CODES.

nobody: frames with a detected face in material without people, and their scores. A picture counts as CROPS frames,
crops of different sizes.

cost: processor milliseconds per frame of finding and tracking masks, without painting: faces, and faces and people.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.painting import SIZES
from framebrush.api.film import open_film
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import Frame, rgba8
from framebrush.media.reading.reader import Reader
from framebrush.models.colours.luma import LUMA
from framebrush.models.reading.load import load_style
from framebrush.models.soft_masks import MASK_SIDE, Masks
from framebrush.subject import small_pictures
from framebrush.subject.film_masks import LEAST_PEOPLE, FilmMasks
from framebrush.subject.networks import Area, Networks, faces_size

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom edge in pixels."""

EYES = ((33, 133), (362, 263))
"""Corners of both eyes among FaceMesh's landmarks."""
LEAST = 0.5
"""Minimum confidence of the foreign networks."""
GRID, DETECTOR_PX, MESH_PX, PEOPLE_PX = 48, 192, 192, 256
ROOM = 1.6
"""Side of the landmarks' square relative to the detector's box."""

REACH_PX, HALO_CODES = 6, 3
CROPS, CROP_SIZES, MOST_PX = 40, (1.0, 0.7, 0.45, 0.25), 1920


class Foreign:
    """MediaPipe's networks."""

    def __init__(self, detector: str, landmarks: str) -> None:
        from ai_edge_litert.interpreter import Interpreter  # type: ignore[import-not-found,import-untyped,unused-ignore]

        self._detector, self._mesh = (Interpreter(path) for path in (detector, landmarks))
        for each in (self._detector, self._mesh):
            each.allocate_tensors()

    def faces(self, picture: Picture) -> list[Box]:
        """Return boxes of faces, most confident first, none inside another."""
        height, width = picture.shape[:2]
        side = max(width, height)
        square = Image.new("RGB", (side, side))
        square.paste(Image.fromarray(picture), (0, 0))
        shown = np.asarray(square.resize((DETECTOR_PX, DETECTOR_PX), Image.Resampling.BILINEAR), np.float32)
        boxes, scores = _run(self._detector, shown / 127.5 - 1.0)
        sure = 1 / (1 + np.exp(-np.clip(scores.ravel(), -50, 50)))
        found: list[Box] = []
        for cell in np.argsort(-sure):
            if sure[cell] < LEAST:
                break
            x, y, wide, tall = boxes.reshape(-1, 16)[cell, :4] / DETECTOR_PX * side
            x, y = x + (cell % GRID + 0.5) / GRID * side, y + (cell // GRID + 0.5) / GRID * side
            if not any(left < x < right and top < y < bottom for left, top, right, bottom in found):
                found.append((x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2))
        return found

    def landmarks(self, picture: Picture, box: Box) -> tuple[Floats, float]:
        """Return landmarks (468, 2) in a square around a box, in pixels, and the face's confidence, 0..1."""
        left, top, right, bottom = box
        side = ROOM * max(right - left, bottom - top)
        x, y = (left + right - side) / 2, (top + bottom - side) / 2
        shown = Image.fromarray(picture).transform(
            (MESH_PX, MESH_PX),
            Image.Transform.EXTENT,
            (x, y, x + side, y + side),
            Image.Resampling.BICUBIC,
        )
        points, sure = _run(self._mesh, np.asarray(shown, np.float32) / 255.0)
        places = points.reshape(-1, 3)[:468, :2] * np.float32(side / MESH_PX) + np.array([x, y], np.float32)
        return places, float(1 / (1 + np.exp(-sure.ravel()[0])))


def _run(network: Any, picture: Floats) -> list[Floats]:  # noqa: ANN401 - a class of ai-edge-litert
    network.set_tensor(network.get_input_details()[0]["index"], picture[None])
    network.invoke()
    return [network.get_tensor(part["index"]) for part in network.get_output_details()]


def eyes_apart(points: Floats) -> float:
    """Return the distance between the eye centres in pixels."""
    one, other = (points[list(corners)].mean(0) for corners in EYES)
    return float(np.hypot(*(one - other)))


def painted_film(film: str, style: str, device: Device, said: argparse.Namespace, **look: Any) -> list[Picture]:  # noqa: ANN401
    """Return the first frames of a film, painted, or unchanged in the style "none"."""
    stroke = said.stroke if said.stroke == "auto" else float(said.stroke)
    options = {"frames": said.frames, "start": said.start, "stroke": stroke, **look}
    with open_film(film, style, device=device, on_message=lambda _: None, **options) as frames:
        return [np.asarray(picture)[..., :3].astype(np.uint8) for picture, _ in frames]


class Motion:
    """Motion from each frame to the previous one, and a mask of pixels visible in both."""

    def __init__(self, frames: list[Picture]) -> None:
        import cv2  # type: ignore[import-not-found,unused-ignore]

        self._cv2 = cv2
        search: Any = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
        greys = [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in frames]
        rows, columns = np.mgrid[: greys[0].shape[0], : greys[0].shape[1]].astype(np.float32)
        self._ways, self._seen = [], []
        for first, second in itertools.pairwise(greys):
            back, forth = search.calc(second, first, None), search.calc(first, second, None)
            way = columns + back[..., 0], rows + back[..., 1]
            returned = cv2.remap(forth, *way, cv2.INTER_LINEAR) + back
            self._ways.append(way)
            self._seen.append(np.hypot(returned[..., 0], returned[..., 1]) < 0.5)

    def carried(self, mask: Floats, n: int) -> Floats:
        """Return the mask of frame n carried to the next frame."""
        moved: Floats = self._cv2.remap(mask, *self._ways[n], self._cv2.INTER_LINEAR)
        return moved

    def change(self, frames: list[Picture], inside: list[NDArray[np.bool_]]) -> float:
        """Return the mean change along the motion inside the masks, in codes."""
        total, count = 0.0, 0
        for n, (first, second) in enumerate(itertools.pairwise(frames)):
            followed = self._cv2.remap(first.astype(np.float32), *self._ways[n], self._cv2.INTER_LINEAR)
            where = inside[n + 1] & self._seen[n]
            total += float(np.abs(second.astype(np.float32) - followed).mean(-1)[where].sum())
            count += int(where.sum())
        return total / max(count, 1)


def painted(device: Device, said: argparse.Namespace) -> None:
    foreign = Foreign(said.detector, said.landmarks)
    for film in said.films:
        source = painted_film(film, "none", device, said)
        motion, known = Motion(source), []
        inside = [np.zeros(frame.shape[:2], bool) for frame in source]
        for n, frame in enumerate(source):
            for box in foreign.faces(frame):
                points, sure = foreign.landmarks(frame, box)
                if sure >= LEAST:
                    known.append((n, box, points))
                    (left, top), (right, bottom) = points.min(0).astype(int), points.max(0).astype(int)
                    inside[n][max(top, 0) : bottom, max(left, 0) : right] = True
        wide = [float(np.ptp(points[:, 0])) for _, _, points in known]
        own = motion.change(source, inside)
        name = Path(film).stem
        print(f"{name}: {len(known)} faces in {len(source)} frames, {min(wide):.0f} to {max(wide):.0f} px wide;"
              f" change {own:.2f}", flush=True)  # fmt: skip
        rows: dict[str, list[tuple[float, float, float]]] = {}
        for style in said.style or load_style(SIZES[0]).card.paintings:
            for kind, look in (("0", {"faces": 0.0}), ("faces", {} if said.faces is None else {"faces": said.faces})):
                frames, offs, hits = painted_film(film, style, device, said, **look), [], 0
                for n, box, points in known:
                    places, sure = foreign.landmarks(frames[n], box)
                    if sure >= LEAST:
                        hits += 1
                        offs.append(100 * float(np.hypot(*(places - points).T).mean()) / eyes_apart(points))
                share, off, ratio = hits / len(known), mean(offs or [float("nan")]), motion.change(frames, inside) / own
                rows.setdefault(kind, []).append((share, off, ratio))
                print(f"{name}  {style:16} {kind:5}  found {100 * share:3.0f} %  off {off:5.1f} %"
                      f"  change {ratio * own:5.2f}, {ratio:.2f} times", flush=True)  # fmt: skip
        for kind, figures in rows.items():
            share, off, ratio = (np.nanmean(column) for column in zip(*figures, strict=True))
            worst = max(off for _, off, _ in figures)
            print(f"{name}  all  {kind:5}  found {100 * share:3.0f} %  off {off:.1f} %, worst {worst:.1f}"
                  f"  change {ratio:.2f} times", flush=True)  # fmt: skip


def decoded(film: str, count: int) -> tuple[list[Frame], int]:
    """Return a film's first frames, and its quarter turns."""
    with Reader(film) as reader:
        found = [frame.frame for frame in itertools.islice(reader, count) if isinstance(frame.frame, Frame)]
        return found, reader.info.orientation.quarters


def plane(codes: bytes | None) -> Floats:
    """Return a mask as (MASK_SIDE, MASK_SIDE), 0..1."""
    samples = np.zeros(MASK_SIDE**2, np.uint8) if codes is None else np.frombuffer(codes, np.uint8)
    return samples.reshape(MASK_SIDE, MASK_SIDE).astype(np.float32) / np.float32(255)


def edges(device: Device, said: argparse.Namespace) -> None:
    for film in said.films:
        frames, quarters = decoded(film, said.frames)
        masks = FilmMasks(Networks(), quarters, area=Area.PEOPLE)
        found: list[Masks] = [masks.of(frame, number) for number, frame in enumerate(frames)]
        source = painted_film(film, "none", device, said)
        motion, alike = Motion(source), {}
        for name in ("faces", "area"):
            planes = [stretched(getattr(each, name), source[0].shape[1::-1]) for each in found]
            moved = [motion.carried(before, n) for n, before in enumerate(planes[:-1])]
            alike[name] = (
                mean(overlap(before, after) for before, after in itertools.pairwise(planes)),
                mean(overlap(before, after) for before, after in zip(planes, moved, strict=False)),
            )
        if said.people:
            planes = [stretched(each.area, source[0].shape[1::-1]) for each in found]
            pairs = zip(planes, seen_by(said.people, source), strict=True)
            print(f"{Path(film).stem}  people alike: {mean(overlap(*pair) for pair in pairs):.3f}", flush=True)
        plain = {"brush": 0.0, "relief": 0.0, "steady": 0.0, "faces": 0.0}
        for style in said.style or ["starry-night", "great-wave", "night-cafe"]:
            one, other, both, pasted = (
                [luma(picture) for picture in painted_film(film, style, device, said, **plain, **shares)]
                for shares in (
                    {},
                    {"film_inside": 1.0, "film_outside": 1.0},
                    {"film_inside": 1.0},
                    {"photo_inside": 1.0},
                )
            )
            film_luma = [luma(picture) for picture in source]
            for kind, sides in (("own colours", (one, other, both)), ("photograph", (one, film_luma, pasted))):
                codes = beyond(*sides, [stretched(each.area, source[0].shape[1::-1]) for each in found])
                share = 100 * (codes > HALO_CODES).mean()
                print(
                    f"{Path(film).stem}  {style}, {kind}: halo {codes.mean():.2f} codes,"
                    f" {share:.1f} % beyond {HALO_CODES}",
                    flush=True,
                )
        for name, (own, film_s) in alike.items():
            said_as = {"faces": "faces", "area": "people"}[name]
            print(f"{Path(film).stem}  overlap of {said_as}: {own:.3f}, motion {film_s:.3f}", flush=True)


def seen_by(path: str, pictures: list[Picture]) -> list[Floats]:
    """Return masks of people by a foreign network, 0..1, at the pictures' sizes."""
    from ai_edge_litert.interpreter import Interpreter  # type: ignore[import-not-found,import-untyped,unused-ignore]

    network, found = Interpreter(path), []
    network.allocate_tensors()
    for picture in pictures:
        shown = Image.fromarray(picture).resize((PEOPLE_PX, PEOPLE_PX), Image.Resampling.BILINEAR)
        [mask] = _run(network, np.asarray(shown, np.float32) / 255.0)
        sure = ((mask[0, ..., 0] - LEAST_PEOPLE) / (1 - 2 * LEAST_PEOPLE)).clip(0, 1)
        found.append(np.asarray(Image.fromarray(sure).resize(picture.shape[1::-1], Image.Resampling.BILINEAR)))
    return found


def luma(picture: Picture) -> Floats:
    return (picture @ LUMA).astype(np.float32)


def stretched(codes: bytes | None, size: tuple[int, int]) -> Floats:
    """Return a mask at a size (width, height), 0..1."""
    return np.asarray(Image.fromarray(plane(codes)).resize(size, Image.Resampling.BICUBIC))


def overlap(one: Floats, other: Floats) -> float:
    """Return the intersection of two masks over their union."""
    return float(np.minimum(one, other).sum() / max(np.maximum(one, other).sum(), 1e-6))


def beyond(one: list[Floats], other: list[Floats], mixed: list[Floats], masks: list[Floats]) -> Floats:
    """Return by how many codes mixed frames' luma lies beyond both sides, at pixels near the masks' edges."""
    found = []
    for first, second, both, mask in zip(one, other, mixed, masks, strict=False):
        edge = Image.fromarray(((mask > 0.1) & (mask < 0.9)).astype(np.uint8) * 255)
        near = np.asarray(edge.filter(ImageFilter.MaxFilter(2 * REACH_PX + 1))) > 0
        low, high = np.minimum(first, second), np.maximum(first, second)
        found.append(np.maximum(np.maximum(both - high, low - both), 0.0)[near])
    return np.concatenate(found)


def shown(material: str, count: int) -> Iterator[tuple[Frame, int]]:
    """Yield frames of a film, or crops of a picture, with their quarter turns."""
    if Path(material).suffix.lower() not in (".jpg", ".jpeg", ".png"):
        frames, quarters = decoded(material, count)
        yield from ((frame, quarters) for frame in frames)
        return
    dice = random.Random(1)
    with Image.open(material) as whole:
        whole.thumbnail((MOST_PX, MOST_PX))
        picture = whole.convert("RGBA")
    for number in range(CROPS):
        share = CROP_SIZES[number % len(CROP_SIZES)]
        width, height = round(picture.width * share), round(picture.height * share)
        left, top = dice.randint(0, picture.width - width), dice.randint(0, picture.height - height)
        part = picture.crop((left, top, left + width, top + height)).resize((640, max(32, round(640 * height / width))))
        yield Frame(rgba8(*part.size), (np.asarray(part),)), 0


def nobody(said: argparse.Namespace) -> None:
    both, total, false = Networks(), 0, 0
    for material in said.films:
        count, scores = 0, list[float]()
        for frame, quarters in shown(material, said.frames):
            count += 1
            width, height = frame.format.width, frame.format.height
            if quarters % 2:
                width, height = height, width
            size = faces_size(width, height)
            turned = size[::-1] if quarters % 2 else size
            rgb = np.rot90(small_pictures.rgb_of(frame, turned), quarters, axes=(1, 2))
            found = both.faces(np.ascontiguousarray(rgb))
            scores += [found[0].score] if found else []
        total, false = total + count, false + len(scores)
        print(f"{Path(material).stem}: {len(scores)} of {count} frames "
              + " ".join(f"{score:.2f}" for score in scores[:12]), flush=True)  # fmt: skip
    print(f"all: a face in {false} of {total} frames", flush=True)


def cost(said: argparse.Namespace) -> None:
    both = Networks()
    for film in said.films:
        frames, quarters = decoded(film, said.frames)
        figures = []
        for area in (False, True):
            times = []
            for _ in range(said.rounds):
                masks, began = FilmMasks(both, quarters, area=Area.PEOPLE if area else None), time.process_time()
                faces = sum(masks.of(frame, number).faces is not None for number, frame in enumerate(frames))
                times.append(1000 * (time.process_time() - began) / len(frames))
            figures.append(min(times))
        form = frames[0].format
        print(f"{Path(film).stem}  {form.width}x{form.height}, faces in {faces} of {len(frames)} frames:"
              f" {figures[0]:.2f} ms a frame, with people {figures[1]:.2f}", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("painted", "edges", "nobody", "cost"))
    parser.add_argument("films", nargs="+", metavar="FILM")
    parser.add_argument("--detector", help="MediaPipe's face_detection_full_range_sparse.tflite")
    parser.add_argument("--landmarks", help="MediaPipe's face_landmark.tflite")
    parser.add_argument("--people", help="MediaPipe's selfie_segmentation.tflite")
    parser.add_argument("--style", action="append")
    parser.add_argument("--faces", type=float, help="as of `transcode`; that of the style by default")
    parser.add_argument("--stroke", default="auto")
    parser.add_argument("--start", type=float, default=0.0, help="in seconds")
    parser.add_argument("--frames", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--device", default="cpu")
    said = parser.parse_args()
    if said.what == "nobody":
        nobody(said)
    elif said.what == "cost":
        cost(said)
    else:
        with open_device(said.device) as device:
            (painted if said.what == "painted" else edges)(device, said)


if __name__ == "__main__":
    main()
