"""The DXIL files: up to date with the kernels, and signed. Needs neither compiler nor adapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from framebrush.gpu.d3d12 import compiled
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.kernel_sources import Variant
from tools import dxil

pytestmark = pytest.mark.unit


def test_the_files_are_made_of_the_kernels_as_they_are() -> None:
    assert not dxil.stale(), "run: python tools/dev.py shaders"


@pytest.mark.parametrize("wrong", ["source", "content", "signature", "missing", "left over"])
def test_a_file_that_is_not_what_it_should_be_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    for path in dxil.FILES.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(dxil, "FILES", tmp_path)
    assert not dxil.stale()
    variant, known = dxil.variants()[0], dxil.text
    one = tmp_path / f"{variant.stem}.dxil"
    code = one.read_bytes()
    if wrong == "source":
        monkeypatch.setattr(dxil, "text", lambda of: known(of) + "//" * (of == variant))
    elif wrong == "content":
        one.write_bytes(code[:-1] + bytes([code[-1] ^ 1]))
    elif wrong == "signature":
        one.write_bytes(code[:4] + bytes(16) + code[20:])
    elif wrong == "missing":
        one.unlink()
    else:
        one = one.with_name("another.dxil")
        one.write_bytes(code)
    (said,) = dxil.stale()
    assert said.startswith(one.name)


def test_every_native_variant_is_shipped_and_no_other() -> None:
    for variant in dxil.variants():
        assert compiled.is_native(variant)
        assert dxil.is_signed(compiled.read(variant))
    with pytest.raises(DeviceError, match="there is no DXIL of 'blend NATIVE=1'"):
        compiled.read(Variant("blend", (compiled.NATIVE,)))
