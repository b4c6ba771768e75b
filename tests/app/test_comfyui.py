"""The node for ComfyUI, against the interface that docs.comfy.org describes.

https://docs.comfy.org/custom-nodes/backend/server_overview: INPUT_TYPES, RETURN_TYPES, FUNCTION and CATEGORY of a class
in NODE_CLASS_MAPPINGS; images are float32 tensors (N, H, W, C) of 0 to 1, masks (H, W) or (N, H, W). ComfyUI calls
nodes in a thread, in PyTorch's inference mode. It is in no package index, so that its two functions are stand-ins here.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import framebrush
from tests.app.api.test_batch import batch

torch = pytest.importorskip("torch")
WIDGETS = {"INT": int, "FLOAT": float, "STRING": str, "BOOLEAN": bool}


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
        with torch.inference_mode():
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
    return torch.from_numpy(batch()).float() / 255


def test_images_are_painted_as_a_film_with_progress(comfy: Comfy, images: Any) -> None:  # noqa: ANN401
    found = executed(images=images, style="scream", strength=0.9, brush=0.7, faces=0.0)
    assert (found.dtype, found.shape, found.device) == (torch.float32, images.shape, images.device)
    options: dict[str, Any] = {"strength": 0.9, "brush": 0.7, "faces": 0.0}
    assert np.array_equal(found.numpy(), framebrush.paint(images.numpy(), "scream", **options))
    assert (comfy.total, comfy.shown) == (len(images), [*range(len(images) + 1)])
    alone = executed(images=images[:1], style="scream", brush=0.0, sequence=False)
    assert np.array_equal(alone[0].numpy(), framebrush.paint(images[0].numpy(), "scream", brush=0.0))


def test_the_user_can_cancel(comfy: Comfy, images: Any) -> None:  # noqa: ANN401
    comfy.cancelled_after = 2
    with pytest.raises(Interrupted):
        executed(images=images, style="scream")
    assert comfy.shown == [0, 1, 2]


def test_a_mask_says_where_it_is_painted(images: Any) -> None:  # noqa: ANN401
    """Without ComfyUI's modules, too, as in a script."""
    mask = torch.zeros(1, 96, 128)
    mask[..., 64:] = 1.2  # masks of other nodes overshoot
    change = (executed(images=images[:2], style="scream", mask=mask) - images[:2]).abs().mean(dim=(0, 1, 3))
    assert change[:48].max() < 0.02 < 0.04 < change[80:].min()
    each = torch.zeros(2, 96, 128)
    each[1] = 1
    change = (executed(images=images[:2], style="scream", mask=each) - images[:2]).abs().mean(dim=(1, 2, 3))
    assert change[0] < 0.01 < 0.04 < change[1]
    without_alpha = executed(images=images[:2], style="scream", mask=torch.zeros(1, 64, 64))
    assert (without_alpha - images[:2]).abs().mean() > 0.04
    with pytest.raises(ValueError, match="3 masks are given for 2 pictures"):
        executed(images=images[:2], style="scream", mask=torch.zeros(3, 96, 128))
