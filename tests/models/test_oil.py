"""The bundled style `oil`, which paints the film itself: file contents and unpainted areas."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Sizes, plan_sizes
from framebrush.models import oil
from framebrush.models.brushes import OIL
from framebrush.models.reading.load import load_style
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.sample_picture import sample_picture
from tests import networks

pytestmark = pytest.mark.unit


def test_committed_file_is_what_the_script_makes() -> None:
    assert oil.FILE.read_bytes() == oil.build().SerializeToString(deterministic=True)


def test_the_network_leaves_the_film_as_it_is_at_its_own_size() -> None:
    style = load_style("oil")
    picture = sample_picture(48, 64)[None].astype(np.float32)
    made = networks.session(style.model).run(None, {"frame": picture})[0]
    np.testing.assert_array_equal(made, picture)
    size = (1920, 1080)
    assert plan_sizes(size, style.card) == Sizes.of(size, size, size, stroke_px=20.0)


def test_it_is_brush_and_relief_alone_and_is_not_steadied() -> None:
    card = load_style("oil").card
    look = Look(steady=1.0).of(card)
    assert (look.brush, look.relief, look.canvas, card.brush_kind) == (1.0, oil.RELIEF, 0.0, OIL)
    assert look.steady < 0.1


def test_a_file_of_unknown_origin_is_not_believed_to_paint_nothing() -> None:
    """A network that paints would be given the whole size of the film."""
    assert make_style(onnx.load_from_string(oil.FILE.read_bytes()), "oil").card.paints
