"""Compressed clips of resting or panning photographs, as training material."""

from __future__ import annotations

import io
import math
import os
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import av
import numpy as np
import torch
from av.video.stream import VideoStream
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

FRAMES = 6
SPARE_PX = 16  # of a clip's side beyond the squares
FASTEST_PX = 3  # pixels per frame and axis
RATES = (20, 38)  # of --crf: from hardly visible to blocky
STILL = 0.4  # share of clips that rest
HALVED = 0.3  # share of clips compressed at half the size
ENCODERS: dict[str, dict[str, object]] = {
    "libx264": {"preset": "veryfast"},
    "libx265": {"preset": "ultrafast", "x265-params": "log-level=none:pools=1"},
}


@dataclass(frozen=True, slots=True)
class Plan:
    """Parameters of a clip. move: pixels down and across per frame. noise: deviation, 0..1."""

    side: int
    zoom: float
    move: tuple[int, int]
    noise: float
    halved: bool
    encoder: str
    rate: int
    seed: int


def plan(side: int, dice: random.Random) -> Plan:
    """Draw a clip's parameters. side: a multiple of 4."""
    halved = dice.random() < HALVED
    step = 2 if halved else 1
    move = (0, 0)
    if dice.random() >= STILL:
        reach = FASTEST_PX // step
        move = (step * dice.randint(-reach, reach), step * dice.randint(-reach, reach))
    zoom = math.exp(dice.uniform(math.log(0.4), math.log(1.5)))
    noise = dice.uniform(0, 0.015)
    return Plan(
        side, zoom, move, noise, halved, dice.choice(sorted(ENCODERS)), dice.randint(*RATES), dice.getrandbits(32)
    )


def encode(photo: Tensor, how: Plan) -> bytes:
    """Encode a photograph's clip (3, H, W) uint8 as Matroska. Raises ValueError."""
    dice = np.random.default_rng(how.seed)
    step = 2 if how.halved else 1
    side, (down, across) = how.side // step, (move // step for move in how.move)
    height, width = side + abs(down) * (FRAMES - 1), side + abs(across) * (FRAMES - 1)
    canvas = _canvas(photo, how.zoom / step, height, width, dice)
    tops = [abs(down) * (FRAMES - 1) if down < 0 else 0, abs(across) * (FRAMES - 1) if across < 0 else 0]
    file = io.BytesIO()
    with av.open(file, "w", format="matroska") as container:
        try:
            stream = cast(VideoStream, container.add_stream(how.encoder, rate=Fraction(25)))
        except (ValueError, av.FFmpegError) as error:
            raise ValueError(f"compressed material needs the encoder {how.encoder} ({error})") from error
        stream.width = stream.height = side
        stream.pix_fmt = "yuv420p"
        stream.thread_count = 1
        stream.options = ENCODERS[how.encoder] | {"crf": str(how.rate)}
        for n in range(FRAMES):
            top, left = tops[0] + down * n, tops[1] + across * n
            window = canvas[top : top + side, left : left + side]
            noisy = window + dice.normal(0, 255 * how.noise, window.shape)
            picture = np.ascontiguousarray(noisy.clip(0, 255).round().astype(np.uint8))
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return file.getvalue()


def decode(file: bytes, how: Plan) -> Tensor:
    """Decode a clip, (FRAMES, 3, side, side) uint8."""
    with av.open(io.BytesIO(file), "r") as container:
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    return enlarged(np.stack(frames), how)


def enlarged(frames: NDArray[np.uint8], how: Plan) -> Tensor:
    """Convert frames (FRAMES, h, w, 3) to (FRAMES, 3, side, side), upscaled if halved."""
    clip = torch.from_numpy(frames).permute(0, 3, 1, 2).contiguous()
    if how.halved:
        size = (how.side, how.side)
        clip = functional.interpolate(clip.float(), size, mode="bilinear").round().to(torch.uint8)
    return clip


def _canvas(photo: Tensor, zoom: float, height: int, width: int, dice: np.random.Generator) -> NDArray[np.float32]:
    zoom = max(zoom, (height + 1) / photo.shape[1], (width + 1) / photo.shape[2])
    part = [min(math.ceil(side / zoom), whole) for side, whole in zip((height, width), photo.shape[1:], strict=True)]
    top, left = (int(dice.integers(0, whole - side + 1)) for side, whole in zip(part, photo.shape[1:], strict=True))
    cut = photo[None, :, top : top + part[0], left : left + part[1]].float()
    scaled = functional.interpolate(cut, (height, width), mode="bilinear", antialias=True)[0]
    return np.asarray(scaled.permute(1, 2, 0).numpy(), np.float32)


class Clips:
    """Clips on the training device, and pairs from them."""

    def __init__(self, frames: Sequence[Tensor], plans: Sequence[Plan], device: torch.device) -> None:
        self._frames, self._plans = torch.stack(list(frames)).to(device), list(plans)

    @classmethod
    def of(
        cls,
        photos: Sequence[Tensor],
        per_photo: int,
        side: int,
        device: torch.device,
        *,
        seed: int = 0,
        on_clip: Callable[[float], None] = lambda _: None,
    ) -> Clips:
        """Make clips of photographs, (3, H, W) uint8, on all cores.

        on_clip: receives the share 0..1, and may raise.
        """
        dice, frames = random.Random(seed), []
        jobs = [(photo, plan(side, dice)) for photo in photos for _ in range(per_photo)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            try:
                for clip in pool.map(lambda job: decode(encode(*job), job[1]), jobs):
                    frames.append(clip)
                    on_clip(len(frames) / len(jobs))
            finally:
                pool.shutdown(cancel_futures=True)
        return cls(frames, [how for _, how in jobs], device)

    def pair(self, squares_px: int, window_px: int, top: int, left: int, dice: random.Random) -> tuple[Tensor, Tensor]:
        """Cut a square, and one or two frames later its window at (top, left)."""
        number = dice.randrange(len(self._plans))
        first, apart = dice.randrange(FRAMES - 2), dice.randint(1, 2)
        first, second = (first, first + apart) if dice.random() < 0.5 else (first + apart, first)
        down, across = (move * (second - first) for move in self._plans[number].move)
        y, x = (dice.randint(0, SPARE_PX) for _ in range(2))
        square = self._frames[number, first, :, y : y + squares_px, x : x + squares_px]
        y, x = y + top - down, x + left - across
        return square, self._frames[number, second, :, y : y + window_px, x : x + window_px]
