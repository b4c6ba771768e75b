"""Photographs to paint on and paintings to learn from: read once, cut on the training device.

Few photographs must do: each step cuts fresh squares at a random place and scale, mirrored and recoloured, so a network
meets the same meadow as a 360p frame and as a corner of a 1080p one.
"""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageOps, UnidentifiedImageError
from torch import Tensor
from torch.nn import functional

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}
SMALLEST_PAINTING_PX = 128


def read_picture(path: Path, longest_px: int | None = None) -> Tensor:
    """A picture as (3, H, W) uint8 R'G'B', turned upright, its longer side at most longest_px.

    Raises ValueError where the file cannot be read as a picture.
    """
    try:
        with Image.open(path) as file:
            picture = ImageOps.exif_transpose(file).convert("RGB")
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        raise ValueError(f"{path}: cannot be read as a picture ({error})") from error
    if longest_px:
        picture.thumbnail((longest_px, longest_px), Image.Resampling.LANCZOS)
    return torch.from_numpy(np.array(picture)).permute(2, 0, 1).contiguous()


def read_painting(path: Path, shorter_px: int, crop_bottom: float = 0.0) -> Tensor:
    """A painting as (1, 3, H, W) float 0..1, its shorter side shorter_px, with that share of its height cut off below
    (museums' and web sites' marks stand there).

    Raises ValueError where the file cannot be read or is too small to show a brush stroke.
    """
    picture = read_picture(path)
    height, width = picture.shape[1:]
    if min(height, width) < SMALLEST_PAINTING_PX:
        raise ValueError(
            f"{path}: {width}x{height} is too small to learn from; give at least {SMALLEST_PAINTING_PX} px"
        )
    picture = picture[:, : round(height * (1 - crop_bottom))]
    height, width = picture.shape[1:]
    scale = shorter_px / min(height, width)
    size = (round(height * scale), round(width * scale))
    return functional.interpolate(picture[None].float() / 255, size, mode="bilinear", antialias=True)


class Photos:
    """Squares cut from photographs, on the training device."""

    def __init__(self, folder: Path, device: torch.device, longest_px: int = 1600) -> None:
        """Raises ValueError where the folder holds no picture, or one that cannot be read."""
        if not folder.is_dir():
            raise ValueError(f"{folder}: there is no such folder of photographs")
        paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
        if not paths:
            raise ValueError(f"{folder}: holds no photographs ({', '.join(sorted(SUFFIXES))})")
        self._photos = [_extended(read_picture(path, longest_px).to(device)) for path in paths]

    def cut(self, count: int, size_px: int, dice: random.Random) -> Tensor:
        """count squares as (count, 3, size_px, size_px) float 0..1, each from a half to three times that size: smooth
        as the sky of a large frame, and busy as a small one."""
        return _recoloured(torch.stack([self._square(size_px, dice) for _ in range(count)]), dice)

    def _square(self, size_px: int, dice: random.Random) -> Tensor:
        photo = dice.choice(self._photos)
        height, width = photo.shape[1:]
        side = min(round(size_px * math.exp(dice.uniform(math.log(0.5), math.log(3)))), height, width)
        top, left = dice.randint(0, height - side), dice.randint(0, width - side)
        square = photo[:, top : top + side, left : left + side].float()
        if dice.random() < 0.5:
            square = square.flip(2)
        if side != size_px:
            square = functional.interpolate(square[None], (size_px, size_px), mode="bilinear", antialias=True)[0]
        return square / 255


def _extended(photo: Tensor) -> Tensor:
    """A photograph with a quarter of itself mirrored on each side, so that wide squares fit as well."""
    height, width = photo.shape[1] // 4, photo.shape[2] // 4
    return functional.pad(photo[None].float(), (width, width, height, height), mode="reflect")[0].to(torch.uint8)


def _recoloured(squares: Tensor, dice: random.Random) -> Tensor:
    """Exposure, contrast, saturation, white balance and, now and then, exchanged channels: another light each time."""
    count = len(squares)

    def draw(low: float, high: float, channels: int = 1) -> Tensor:
        values = [dice.uniform(low, high) for _ in range(count * channels)]
        return torch.tensor(values, device=squares.device).view(count, channels, 1, 1)

    grey = squares.mean(1, keepdim=True)
    squares = grey + (squares - grey) * draw(0.4, 1.5)
    squares = (squares - 0.5) * draw(0.7, 1.3) + 0.5 + draw(-0.12, 0.12)
    squares = (squares * draw(0.85, 1.15, 3)).clamp(0, 1) ** draw(0.75, 1.35)
    orders = [dice.sample(range(3), 3) if dice.random() < 0.25 else [0, 1, 2] for _ in range(count)]
    return torch.stack([square[order] for square, order in zip(squares, orders, strict=True)])
