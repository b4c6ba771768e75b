"""Strokes and relief as lists of passes: the device's memory estimate equals their resources."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from framebrush.gpu import tiles
from framebrush.gpu.cuda import finishing as cuda
from framebrush.gpu.frame import rgba8
from framebrush.gpu.hlsl.finishing import Finishing, finishing_bytes
from framebrush.gpu.look import Look
from framebrush.gpu.passes import Buffer, Constant, Language, Texture
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.masks import Mixing, Photograph, Shares, masks_bytes
from framebrush.gpu.stages.relief.cuda import Relief
from framebrush.gpu.stages.strokes import carriage_bytes, layout_of
from framebrush.gpu.stages.strokes.cuda import CudaStrokePainter
from framebrush.gpu.stages.strokes.passes import Carrying, StrokeMemory
from framebrush.models.style import Style
from tests.networks import identity

pytestmark = pytest.mark.unit


TABLES = 64 << 10
"""Bytes of the tables that are left out of what is reckoned with."""


@pytest.mark.parametrize("language", ["hlsl", "cuda"])
@pytest.mark.parametrize(
    ("target", "working"),
    [((160, 100), (80, 50)), ((640, 360), (640, 360)), ((640, 360), (40, 24)), ((960, 540), (240, 136))],
)
def test_memory_is_that_of_the_passes(target: Size, working: Size, language: Language) -> None:
    card, sizes = replace(identity().card, stride=4), Sizes.of(target, working, target)
    plan = tiles.plan(*sizes.working, card, "off")
    look = Look(brush=1.0, relief=1.0)
    settings = Settings(Style(card, b""), rgba8(*target), rgba8(*target), sizes, plan, look, 1)
    way = FramePasses(settings, language)
    painted = way.painted(way.styled)
    if language == "cuda":
        painter = CudaStrokePainter(settings, way)
        steps = [painter.step(0, painted, look, 0.0, carried=False), Relief(painter, sizes).step(0, look)]
        reckoned = cuda.finishing_bytes(sizes, layout_of(settings))
    else:
        finishing = Finishing(settings, way, Carrying(StrokeMemory(settings, way.frame)), reports=False)
        steps = finishing.steps(0, look, None, at_home=False, detailed=False)
        reckoned = finishing_bytes(sizes, layout_of(settings))
    passes = [one for step in steps for one in step.work.passes]
    uses = {use for one in passes for uses in one.uses() for use in uses}
    of_strokes = [
        use for use in uses if isinstance(use, Buffer | Texture | Constant) and use not in (way.frame, painted)
    ]
    taken = Counter[bool]()
    for use in of_strokes:
        taken[use.kept] += use.make().nbytes if isinstance(use, Constant) else use.size_bytes
    assert 0 <= taken[False] - reckoned < TABLES
    assert 0 < taken[True] <= carriage_bytes(settings)


@pytest.mark.parametrize("language", ["hlsl", "wgsl", "cuda"])
def test_memory_of_masks_is_that_of_the_passes(language: Language) -> None:
    sizes = Sizes.of((640, 360), (240, 136), (960, 540))
    plan = tiles.plan(*sizes.working, identity().card, "off")
    look = Look(faces=0.5, photo_inside=1.0)
    settings = Settings(Style(identity().card, b""), rgba8(640, 360), rgba8(960, 540), sizes, plan, look, 1)
    way = FramePasses(settings, language)
    works = {
        look: Mixing(settings, way, language).work,
        replace(look, faces=0.0): Photograph(settings, way, language)
        .step(0, look, Shares(0.0, 1.0, 0.0), way.painted(way.styled))
        .work,
    }
    taken = 0
    for work in works.values():
        made = {use for one in work.passes for use in one.writes if isinstance(use, Buffer | Texture) and not use.kept}
        taken += sum(use.size_bytes for use in made)
    assert 0 <= taken - masks_bytes(sizes, look, in_place=language == "cuda") < TABLES
    assert masks_bytes(sizes, Look(faces=0.0), in_place=False) == 0
