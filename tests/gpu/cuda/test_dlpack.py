"""Pictures of other libraries that are painted where they lie, in a GPU's memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import framebrush
from framebrush.api.paint import OnGpu
from framebrush.gpu.device import Device, open_device
from tests.cuda import needs
from tests.gpu.pictures import scene

pytestmark = needs("cuda")
torch: Any = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def cuda() -> Iterator[Device]:
    with open_device("cuda") as opened:
        yield opened


def rgba() -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.ascontiguousarray(scene(160, 96).planes[0])


def painted(picture: Any, device: Device, **options: Any) -> Any:  # noqa: ANN401
    """As a tensor on the GPU."""
    found = framebrush.paint(picture, "scream", device=device, **options)
    assert isinstance(found, OnGpu)
    return torch.from_dlpack(found)


def test_a_tensor_stays_on_the_gpu(cuda: Device) -> None:
    picture = rgba()
    expected = framebrush.paint(picture[..., :3], "scream", device=cuda)
    tensor = torch.from_numpy(picture).cuda()
    before = tensor.clone()
    found = painted(tensor, cuda)
    assert found.is_cuda
    assert found.shape == (96, 160, 4)
    assert np.array_equal(found[..., :3].cpu().numpy(), expected)
    assert (found[..., 3] == 255).all()
    assert torch.equal(tensor, before), "the picture was changed"


def test_planes_and_parts(cuda: Device) -> None:
    picture = rgba()
    tensor = torch.from_numpy(picture).cuda()
    planes = tensor[..., :3].permute(2, 0, 1).contiguous()
    whole = framebrush.paint(picture[..., :3], "scream", device=cuda)
    assert np.array_equal(painted(planes.permute(1, 2, 0), cuda)[..., :3].cpu().numpy(), whole)
    part = framebrush.paint(np.ascontiguousarray(picture[16:80, 32:128, :3]), "scream", device=cuda)
    assert np.array_equal(painted(tensor[16:80, 32:128], cuda)[..., :3].cpu().numpy(), part)


@pytest.mark.parametrize("kind", ["float16", "float32"])
def test_floats_stay_floats(cuda: Device, kind: str) -> None:
    picture = (rgba()[..., :3].astype(np.float32) / 255).astype(kind)
    expected = framebrush.paint(picture, "scream", device=cuda)
    found = painted(torch.from_numpy(picture).cuda().permute(2, 0, 1).contiguous().permute(1, 2, 0), cuda)
    assert (found.dtype, found.shape) == (getattr(torch, kind), (96, 160, 3))
    assert np.array_equal(found.cpu().numpy(), expected)
    with pytest.raises(ValueError, match=r"float.*three planes"):
        framebrush.paint(torch.from_numpy(picture).cuda(), "scream", device=cuda)


def test_work_that_is_queued_on_the_picture_is_waited_for(cuda: Device) -> None:
    picture = torch.from_numpy(rgba()).cuda()
    expected = painted(picture, cuda).clone()
    busy, made = torch.rand(4096, 4096, device="cuda"), torch.zeros_like(picture)
    with torch.cuda.stream(torch.cuda.Stream()):
        for _ in range(20):
            busy = busy @ busy
            busy /= busy.max()
        made.copy_(picture)
        found = painted(made, cuda)
    assert torch.equal(found, expected)


def test_memory_is_given_back(cuda: Device) -> None:
    picture = torch.from_numpy(rgba()).cuda()
    painted(picture, cuda)
    frames = cuda.context.frames  # type: ignore[attr-defined]
    before = len(frames)
    for _ in range(3):
        found = painted(picture, cuda)
        assert len(frames) == before + 1, "the result is not the only frame"
        del found
    assert len(frames) == before


@pytest.mark.parametrize(
    ("change", "error", "reason"),
    [
        (lambda tensor: tensor.double(), TypeError, "float64 cannot be painted"),
        (lambda tensor: tensor.float(), ValueError, "give four channels of uint8"),
        (lambda tensor: tensor[..., 0], ValueError, r"shape \(96, 160\)"),
        (lambda tensor: tensor[..., :3].contiguous(), ValueError, "give four channels of uint8 that lie together"),
        (lambda tensor: tensor[:0], ValueError, r"shape \(0, 160, 4\)"),
    ],
)
def test_what_cannot_be_painted(change: Any, error: type[Exception], reason: str, cuda: Device) -> None:  # noqa: ANN401
    with pytest.raises(error, match=reason):
        painted(change(torch.from_numpy(rgba()).cuda()), cuda)


def test_cupy_and_jax(cuda: Device) -> None:
    picture = rgba()
    expected = framebrush.paint(picture[..., :3], "scream", device=cuda)
    cupy = pytest.importorskip("cupy")
    found = framebrush.paint(cupy.asarray(picture), "scream", device=cuda)
    assert np.array_equal(cupy.from_dlpack(found).get()[..., :3], expected)
    jax = pytest.importorskip("jax")
    array = jax.device_put(picture, jax.devices("gpu")[0])
    found = framebrush.paint(array, "scream", device=cuda)
    assert np.array_equal(np.asarray(jax.dlpack.from_dlpack(found))[..., :3], expected)
