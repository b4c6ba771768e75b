"""Photographs and paintings for training."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps
from torch import Tensor
from torch.nn import functional

from framebrush.base.colour_profile import transform_to_srgb
from framebrush.base.text import count_of, first_line
from framebrush.models.training.compressed import SPARE_PX, Clips
from framebrush.models.training.recipes import Crop
from framebrush.models.training_needs import (
    ENOUGH_PHOTOS,
    FEWEST_PHOTOS,
    GOOD_PAINTING_PX,
    MOST_PHOTOS,
    PICTURE_SUFFIXES,
    SMALLEST_PAINTING_PX,
)

DETAIL = 0.6
"""Finest detail of a painting that is learnt, as a share of its shown size and of its picture's. Pictures of paintings
are sharpened, compressed and show canvas, which networks turn into dots."""
_CHANNELS = {"L": "GRAY", "RGB": "RGB", "CMYK": "CMYK"}
"""Channels of a colour profile by Pillow's mode."""
GREY = 6 / 255  # mean difference of the channels
LONGEST_PX = 1600
"""Longer side of a photograph in training; larger ones are reduced."""
SMALLEST_PX = 20
"""Least shorter side of a photograph, of which a preview shows some pixels."""
JPEG_QUALITY = 95
FLAT = 2.5  # standard deviation along a line, codes
CLIPS_A_PHOTO = 12
COMPRESSED = 0.5  # share of a step's squares
NOISE = {1: 0.03, 2: 0.02, 4: 0.01, 8: 0.005}
"""Standard deviations of noise in windows, by grain size in pixels, at most; a film's falls like this. With more at 4
and 8 pixels, painters lose their anchor in smooth areas."""
CLIP_NOISE = 0.3  # of NOISE, for windows of compressed clips, which have their own


@contextmanager
def _opened(path: Path) -> Iterator[Image.Image]:
    try:
        with Image.open(path) as file:
            yield file
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except Exception as error:  # damaged files raise types without a common base
        raise ValueError(f"{path}: cannot be read as a picture ({first_line(error)})") from error


def read_picture(path: Path, longest_px: int | None = None) -> Tensor:
    """Read an upright picture (3, H, W) uint8. Raises ValueError."""
    with _opened(path) as file:
        ImageOps.exif_transpose(file, in_place=True)
        picture = _in_srgb(file)
    if longest_px:
        picture.thumbnail((longest_px, longest_px), Image.Resampling.LANCZOS)
    return torch.from_numpy(np.array(picture)).permute(2, 0, 1).contiguous()


def _in_srgb(picture: Image.Image) -> Image.Image:
    profile = picture.info.get("icc_profile")
    if picture.mode.startswith("I;16"):  # Pillow would cut codes off at 255
        picture = Image.fromarray(np.rint(np.asarray(picture) / 257).astype(np.uint8))
    plain = picture if picture.mode in _CHANNELS else picture.convert("RGB")
    if profile:
        with suppress(ValueError):
            _, transform = transform_to_srgb(profile, {_CHANNELS[plain.mode]: plain.mode})
            made = ImageCms.applyTransform(plain, transform)
            assert made is not None  # None only for in-place changes
            return made
    return plain.convert("RGB")


WHOLE = Crop()


def read_painting(path: Path, shorter_px: int, crop: Crop = WHOLE) -> Tensor:
    """Read a painting (1, 3, H, W), 0..1, without detail finer than DETAIL.

    Raises ValueError.
    """
    with _opened(path) as file:
        has_holes = file.has_transparency_data and np.asarray(file.convert("RGBA"))[..., 3].min() < 255
    if has_holes:
        raise ValueError(f"{path}: is transparent in places; put it on a ground, or cut out a part without holes")
    picture = read_picture(path)
    height, width = picture.shape[1:]
    if min(height, width) < SMALLEST_PAINTING_PX:
        raise ValueError(
            f"{path}: {width}x{height} is too small to learn from; "
            f"give at least {SMALLEST_PAINTING_PX} px a side, better {GOOD_PAINTING_PX}"
        )
    picture = cut(picture, crop)
    side = _border(picture)
    if side:
        raise ValueError(f"{path}: has a border of one colour at the {side}; cut it off, or it will be painted as well")
    height, width = picture.shape[1:]
    shown = picture[None].float() / 255
    scale = shorter_px / min(height, width)
    finest = DETAIL * min(1.0, scale)
    shown = functional.interpolate(
        shown, (round(height * finest), round(width * finest)), mode="bilinear", antialias=True
    )
    return functional.interpolate(shown, (round(height * scale), round(width * scale)), mode="bicubic").clamp(0, 1)


def cut(picture: Tensor, crop: Crop) -> Tensor:
    height, width = picture.shape[1:]
    rows = slice(round(height * crop.top), round(height * (1 - crop.bottom)))
    return picture[:, rows, round(width * crop.left) : round(width * (1 - crop.right))]


def is_grey(painting: Tensor) -> bool:
    """Return whether a painting (1, 3, H, W), 0..1, is nearly grey."""
    return float((painting.amax(1) - painting.amin(1)).mean()) < GREY


def _border(picture: Tensor) -> str:
    sides = {"top": picture, "bottom": picture.flip(1), "left": picture.mT, "right": picture.mT.flip(1)}
    for side, lines in sides.items():
        outermost = lines[:, : max(2, lines.shape[1] // 100)].float()
        if float(outermost.std(2).max()) < FLAT:
            return side
    return ""


class Material:
    """Squares and clips on a device."""

    def __init__(self, photos: Sequence[Tensor], clips: Clips, device: torch.device) -> None:
        self._photos, self._clips, self._device = [_extended(photo.to(device)) for photo in photos], clips, device

    @classmethod
    def of(
        cls,
        photos: Sequence[Tensor],
        squares_px: int,
        device: torch.device,
        on_clip: Callable[[float], None] = lambda _: None,
    ) -> Material:
        """Make material from photographs (3, H, W) uint8. on_clip: as in `Clips.of`."""
        side = squares_px + SPARE_PX
        return cls(photos, Clips.of(photos, CLIPS_A_PHOTO, side, device, on_clip=on_clip), device)

    def squares(self, count: int, size_px: int, dice: random.Random) -> Tensor:
        """Cut squares, (count, 3, size_px, size_px), 0..1, at several scales."""
        squares = torch.stack([self._square(size_px, dice) for _ in range(count)])
        return Light(count, self._device, dice).on(squares)

    def pairs(
        self,
        count: int,
        squares_px: int,
        window_px: int,
        corner: tuple[int, int],
        dice: random.Random,
        noise: torch.Generator,
    ) -> tuple[Tensor, Tensor]:
        """Cut squares, the last from clips, and a window at `corner` a moment later."""
        top, left = corner
        compressed = round(COMPRESSED * count)
        squares = [self._square(squares_px, dice) for _ in range(count - compressed)]
        windows = [square[:, top : top + window_px, left : left + window_px] for square in squares]
        for _ in range(compressed):
            square, window = self._clips.pair(squares_px, window_px, top, left, dice)
            squares.append(square.float() / 255)
            windows.append(window.float() / 255)
        light = Light(count, self._device, dice)
        square, window = light.on(torch.stack(squares)), light.on(torch.stack(windows))
        share = torch.tensor([1.0] * (count - compressed) + [CLIP_NOISE] * compressed, device=self._device)
        window = window * dice.uniform(0.95, 1.05) + dice.uniform(-0.02, 0.02)
        for size, most in NOISE.items():
            grain = torch.randn(
                (count, 3, -(-window_px // size), -(-window_px // size)), generator=noise, device=self._device
            )
            if size > 1:
                grain = functional.interpolate(grain, scale_factor=float(size), mode="bilinear")
            window = window + (share * most * dice.random())[:, None, None, None] * grain[..., :window_px, :window_px]
        return square, window.clamp(0, 1)

    def _square(self, size_px: int, dice: random.Random) -> Tensor:
        photo = dice.choice(self._photos)
        height, width = photo.shape[1:]
        side = min(round(size_px * math.exp(dice.uniform(math.log(1 / 3), math.log(3)))), height, width)
        top, left = dice.randint(0, height - side), dice.randint(0, width - side)
        square = photo[:, top : top + side, left : left + side].float()
        if dice.random() < 0.5:
            square = square.flip(2)
        if side != size_px:
            square = functional.interpolate(square[None], (size_px, size_px), mode="bilinear", antialias=True)[0]
        return square / 255


def read_photos(folder: Path, longest_px: int = LONGEST_PX, most: int = MOST_PHOTOS) -> list[Tensor]:
    """Read a folder tree's photographs (3, H, W) uint8. Raises ValueError if too few."""
    paths = photo_files(folder)
    if len(paths) < FEWEST_PHOTOS:
        found = f"holds {count_of(len(paths), 'photograph')} ({', '.join(PICTURE_SUFFIXES)})"
        raise ValueError(
            f"{folder}: {found}; give at least {FEWEST_PHOTOS}, better {ENOUGH_PHOTOS}, "
            "or the painter learns them by heart"
        )
    photos: list[Tensor] = []
    unread: list[ValueError] = []
    chosen = dict.fromkeys(paths[n * len(paths) // most] for n in range(most))  # in order
    for path in (*chosen, *(path for path in paths if path not in chosen)):
        if len(photos) == most:
            break
        try:
            photos.append(_read_photo(path, longest_px))
        except ValueError as error:
            unread.append(error)
    if len(photos) < min(FEWEST_PHOTOS, most):
        raise ValueError(f"{folder}: {len(unread)} of its photographs cannot be read, such as {unread[0]}")
    return photos


def _read_photo(path: Path, longest_px: int) -> Tensor:
    photo = read_picture(path, longest_px)
    height, width = photo.shape[1:]
    if min(height, width) < SMALLEST_PX:
        raise ValueError(f"{path}: {width}x{height} is too small to learn from")
    return photo


def to_jpeg(picture: NDArray[np.uint8]) -> Tensor:
    """Encode a photograph (H, W, 3) as bytes (N,), for checkpoints."""
    content = BytesIO()
    Image.fromarray(picture).save(content, "jpeg", quality=JPEG_QUALITY, subsampling=0)
    return torch.frombuffer(bytearray(content.getvalue()), dtype=torch.uint8)


def from_jpeg(content: Tensor) -> Tensor:
    """Decode `to_jpeg`'s bytes as (3, H, W) uint8. Raises Pillow's errors, ValueError."""
    with Image.open(BytesIO(content.numpy().tobytes()), formats=("JPEG",)) as file:
        if max(file.size) > LONGEST_PX:
            raise ValueError(f"a photograph of {file.width}x{file.height} is none of a checkpoint")
        return torch.from_numpy(np.array(file.convert("RGB"))).permute(2, 0, 1).contiguous()


def photo_files(folder: Path) -> list[Path]:
    """List picture files of a folder tree. Raises ValueError."""
    if not os.path.isdir(folder):  # noqa: PTH112 - unlike pathlib's it takes a name that is too long
        raise ValueError(f"{folder}: there is no such folder of photographs")
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in PICTURE_SUFFIXES)


def _extended(photo: Tensor) -> Tensor:
    height, width = photo.shape[1] // 4, photo.shape[2] // 4
    return functional.pad(photo[None].float(), (width, width, height, height), mode="reflect")[0].to(torch.uint8)


class Light:
    """Random exposure, contrast, saturation, white balance, exchanged channels."""

    def __init__(self, count: int, device: torch.device, dice: random.Random) -> None:
        def draw(low: float, high: float, channels: int = 1) -> Tensor:
            values = [dice.uniform(low, high) for _ in range(count * channels)]
            return torch.tensor(values, device=device).view(count, channels, 1, 1)

        self._saturation, self._contrast, self._exposure = draw(0.4, 1.5), draw(0.7, 1.3), draw(-0.12, 0.12)
        self._balance, self._gamma = draw(0.85, 1.15, 3), draw(0.75, 1.35)
        self._orders = [dice.sample(range(3), 3) if dice.random() < 0.25 else [0, 1, 2] for _ in range(count)]

    def on(self, pictures: Tensor) -> Tensor:
        """Apply one light to pictures (count, 3, H, W), 0..1."""
        grey = pictures.mean(1, keepdim=True)
        pictures = grey + (pictures - grey) * self._saturation
        pictures = (pictures - 0.5) * self._contrast + 0.5 + self._exposure
        pictures = (pictures * self._balance).clamp(0, 1) ** self._gamma
        return torch.stack([picture[order] for picture, order in zip(pictures, self._orders, strict=True)])
