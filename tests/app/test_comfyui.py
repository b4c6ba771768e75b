"""The node for ComfyUI, against the interface that docs.comfy.org describes.

https://docs.comfy.org/custom-nodes/backend/server_overview: INPUT_TYPES, RETURN_TYPES, FUNCTION and CATEGORY of a class
in NODE_CLASS_MAPPINGS; images are float32 tensors (N, H, W, C) of 0 to 1, masks (H, W) or (N, H, W). ComfyUI calls
nodes in a thread, in PyTorch's inference mode. It is in no package index, so that its two functions are stand-ins here,
and so is a tensor without PyTorch.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import framebrush
from framebrush.comfyui import FramebrushPaint
from tests.app.api.test_batch import batch

try:
    import torch
except ImportError:  # an extra
    torch = None
WIDGETS = {"INT": int, "FLOAT": float, "STRING": str, "BOOLEAN": bool}


class Tensor(np.ndarray[Any, Any]):
    """An array with the methods of a tensor in host memory that the node calls."""

    def clamp(self, low: float, high: float) -> Any:  # noqa: ANN401
        return self.clip(low, high)

    def cpu(self) -> Tensor:
        return self

    def numpy(self) -> npt.NDArray[Any]:
        return self.view(np.ndarray)


def tensor(samples: npt.NDArray[Any]) -> Any:  # noqa: ANN401
    return samples.view(Tensor) if torch is None else torch.from_numpy(samples)


class Interrupted(Exception):  # noqa: N818 - ComfyUI's is InterruptProcessingException
    """What ComfyUI raises in a node that the user cancels."""


class Comfy:
    """ComfyUI's progress bar, with a button that cancels after a number of images."""

    def __init__(self) -> None:
        self.total, self.shown, self.cancelled_after = 0, list[int](), 1 << 30

    def bar(self, total: int) -> Comfy:
        self.total = total
        return self

    def update_absolute(self, value: int) -> None:
        self.shown.append(value)

    def check(self) -> None:
        if len(self.shown) > self.cancelled_after:
            raise Interrupted


@pytest.fixture
def comfy(monkeypatch: pytest.MonkeyPatch) -> Comfy:
    """The modules of ComfyUI that nodes import, while it runs them."""
    found, modules = Comfy(), {name: ModuleType(name) for name in ("comfy", "comfy.utils", "comfy.model_management")}
    modules["comfy.utils"].ProgressBar = found.bar  # type: ignore[attr-defined]
    modules["comfy.model_management"].throw_exception_if_processing_interrupted = found.check  # type: ignore[attr-defined]
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    return found


def executed(**inputs: Any) -> Any:  # noqa: ANN401 - a tensor
    """Run the node as ComfyUI does: inputs are checked, missing widgets have their defaults."""
    names: dict[str, Any] = {}
    exec("from framebrush.comfyui import *", names)  # as the file in custom_nodes does
    (node,) = names["NODE_CLASS_MAPPINGS"].values()
    assert names["NODE_DISPLAY_NAME_MAPPINGS"].keys() == names["NODE_CLASS_MAPPINGS"].keys()
    wanted = node.INPUT_TYPES()
    assert wanted.keys() <= {"required", "optional", "hidden"}
    given: dict[str, Any] = {}
    for name, (kind, *rest) in (wanted["required"] | wanted.get("optional", {})).items():
        facts = rest[0] if rest else {}
        if name in inputs:
            given[name] = inputs[name]
        elif name in wanted["required"]:
            given[name] = facts["default"]
        if isinstance(kind, list):
            assert all(isinstance(one, str) for one in kind)
            assert given[name] in kind
        elif kind in WIDGETS:
            assert isinstance(given[name], WIDGETS[kind])
            assert facts.get("min", 0) <= given[name] <= facts.get("max", 1)
        else:
            assert kind in ("IMAGE", "MASK")
    assert inputs.keys() <= given.keys()
    assert isinstance(node.CATEGORY, str)

    def run() -> Any:  # noqa: ANN401
        with nullcontext() if torch is None else torch.inference_mode():
            return getattr(node(), node.FUNCTION)(**given)

    with ThreadPoolExecutor(1) as thread:
        results = thread.submit(run).result()
    assert isinstance(results, tuple)
    assert node.RETURN_TYPES == ("IMAGE",)
    assert len(results) == 1
    return results[0]


@pytest.fixture(scope="module")
def images() -> Any:  # noqa: ANN401
    """`batch` as ComfyUI has it."""
    return tensor(batch().astype(np.float32) / 255)


def test_images_are_painted_as_a_film_with_progress(comfy: Comfy, images: Any) -> None:  # noqa: ANN401
    found = executed(images=images, style="scream", strength=0.9, brush=0.7, faces=0.0)
    assert (found.dtype, found.shape) == (images.dtype, images.shape)
    assert isinstance(found, np.ndarray if torch is None else torch.Tensor)
    options: dict[str, Any] = {"strength": 0.9, "brush": 0.7, "faces": 0.0}
    assert np.array_equal(found, framebrush.paint(np.asarray(images), "scream", **options))
    assert (comfy.total, comfy.shown) == (len(images), [*range(len(images) + 1)])
    alone = executed(images=images[:1], style="scream", brush=0.0, sequence=False)
    assert np.array_equal(alone[0], framebrush.paint(np.asarray(images[0]), "scream", brush=0.0))


def test_the_user_can_cancel(comfy: Comfy, images: Any) -> None:  # noqa: ANN401
    comfy.cancelled_after = 2
    with pytest.raises(Interrupted):
        executed(images=images, style="scream")
    assert comfy.shown == [0, 1, 2]


def test_a_mask_says_where_it_is_painted(images: Any) -> None:  # noqa: ANN401
    """Without ComfyUI's modules, too, as in a script."""

    def change(mask: npt.NDArray[Any]) -> npt.NDArray[Any]:
        found = executed(images=images[:2], style="scream", mask=tensor(mask.astype(np.float32)))
        return np.abs(np.asarray(found) - np.asarray(images[:2])).mean(axis=(1, 3))

    mask = np.zeros((1, 96, 128))
    mask[..., 64:] = 1.2  # masks of other nodes overshoot
    of_columns = change(mask).mean(axis=0)
    assert of_columns[:48].max() < 0.02 < 0.04 < of_columns[80:].min()
    each = np.stack([np.zeros((96, 128)), np.ones((96, 128))])
    of_pictures = change(each).mean(axis=1)
    assert of_pictures[0] < 0.01 < 0.04 < of_pictures[1]
    assert change(np.zeros((1, 64, 64))).mean() > 0.04  # what a picture without alpha has
    assert change(np.zeros((1, 96, 128))).mean() < 0.01
    with pytest.raises(ValueError, match="3 masks are given for 2 pictures"):
        change(np.zeros((3, 96, 128)))


def test_widgets_leave_to_the_style_what_the_user_does_not_set(images: Any) -> None:  # noqa: ANN401
    """Saved workflows hold their values, so that none may change its meaning."""
    node = FramebrushPaint.INPUT_TYPES()["required"]
    range_ = {"min": 0.0, "max": 1.0, "step": 0.05}
    assert node["strength"] == ("FLOAT", {"default": 1.0, **range_})
    for name in ("brush", "faces"):
        kind, facts = node[name]
        assert facts.pop("tooltip").endswith("; -1: as the style has it")
        assert (kind, facts) == ("FLOAT", {"default": -1.0, "min": -1.0, "max": 1.0, "step": 0.05})
    assert node["sequence"][1]["default"] is True
    styles, facts = node["style"]
    assert facts == {"default": "starry-night"}
    assert {"starry-night", "scream"} < {*styles}
    options: dict[str, Any] = {"images": images[:1], "style": "scream"}
    own = framebrush.paint(np.asarray(images[:1]), "scream")
    assert np.array_equal(executed(**options), own)
    assert np.array_equal(executed(**options, brush=-1.0, faces=-1.0), own)
    for name, value in (("brush", 0.0), ("strength", 0.5)):
        assert not np.array_equal(executed(**options, **{name: value}), own)
