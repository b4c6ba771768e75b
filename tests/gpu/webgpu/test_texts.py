"""The WGSL files: up to date with the kernels, constants equal to the records', bindings declared.

Needs neither a compiler nor an adapter.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from framebrush.gpu.errors import DeviceError
from framebrush.gpu.hlsl import hlsl_records
from framebrush.gpu.kernel_sources import Variant, kernel_text
from framebrush.gpu.webgpu.kernels import CONSTANTS, READS, WRITES, Binding, read, shader
from tools import shaders

pytestmark = pytest.mark.unit

WHAT_TO_DO = "run: python tools/dev.py shaders"
SIZES = {"f32": (4, 4), "u32": (4, 4), "vec2": (8, 8), "vec3": (16, 12), "vec4": (16, 16)}
"""Alignment and bytes in WGSL."""


@pytest.mark.slow
def test_the_texts_are_made_of_the_kernels_as_they_are() -> None:
    assert not shaders.stale(), WHAT_TO_DO


def test_every_text_is_run_against_its_reference() -> None:
    files = Path(__file__).parent.glob("test_*.py")
    tests = "".join(path.read_text("utf-8") for path in files if path.name != Path(__file__).name)
    for name in {variant.name for variant in shaders.variants()} - {"conv"}:
        assert re.search(rf'(Variant|dispatch)\("{name}"', tests), f"no test runs {name}"


@pytest.mark.parametrize("wrong", ["source", "text", "missing", "left over"])
def test_a_text_that_is_not_what_it_should_be_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    for path in shaders.TEXTS.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(shaders, "TEXTS", tmp_path)
    assert not shaders.stale()
    blend, known = tmp_path / "blend.wgsl", shaders.source
    if wrong == "source":
        monkeypatch.setattr(shaders, "source", lambda of: known(of) + "//" * (of.name == "blend"))
    elif wrong == "text":
        blend.write_text(blend.read_text("utf-8").replace("rows_0", "rows_1"), "utf-8")
    elif wrong == "missing":
        blend.unlink()
    else:
        blend.with_name("blend-2.wgsl").write_bytes(blend.read_bytes())
    (said,) = shaders.stale()
    assert said.startswith("blend")


def laid_out(text: str) -> list[tuple[str, int]]:
    """The fields of a text's uniform buffer and where WGSL puts them."""
    found, end = [], 0
    body = re.search(r"^struct SLANG_ParameterGroup_Constants_std140_0\n\{\n(.*?)^\};", text, re.M | re.S)
    assert body
    for at, name, kind, count in re.findall(
        r"@align\((\d+)\) (\w+)_0 : (?:array<)?(\w+)(?:<\w+>)?(?:, i32\((\d+)\)>)?,", body[1]
    ):
        alignment, size = SIZES[kind]
        assert int(at) % alignment == 0
        offset = -(-end // int(at)) * int(at)
        found.append((name, offset))
        end = offset + size * int(count or 1)
    return found


@pytest.mark.parametrize("path", sorted(shaders.TEXTS.iterdir()), ids=lambda path: path.stem)
def test_constants_lie_where_the_record_has_them(path: Path) -> None:
    names: list[str] = []
    kernel = f"{path.stem.partition('-')[0]}.hlsl"
    kernel_text("framebrush.gpu.d3d12", "shaders", kernel, lambda name: names.append(name) or "")
    (name,) = names
    record = hlsl_records.LAYOUTS[name]
    assert record.fields is not None
    assert laid_out(path.read_text("utf-8")) == [(field, record.fields[field][1]) for field in record.names or ()]


WORKGROUP = re.compile(r"^var<workgroup> \w+ : (?:array<)?(?:atomic<)?(\w+)(?:<\w+>)?>?(?:, i32\((\d+)\)>)?;$", re.M)


@pytest.mark.parametrize("path", sorted(shaders.TEXTS.iterdir()), ids=lambda path: path.stem)
def test_a_text_needs_no_more_than_every_device_has(path: Path) -> None:
    """The limits of WebGPU's own, but for the threads of a group."""
    text = path.read_text("utf-8")
    kinds = [binding.kind for binding in read(text, {}).bindings]
    assert kinds.count("storage") + kinds.count("read-only-storage") <= 8
    assert kinds.count("storage-texture") <= 4
    shared = WORKGROUP.findall(text)
    assert len(shared) == text.count("var<workgroup>")
    assert sum(SIZES[kind.replace("i32", "u32")][0] * int(count or 1) for kind, count in shared) <= 16384


def test_a_text_says_what_it_reads_and_writes() -> None:
    found = shader(Variant("corner_share"))
    assert found.group == (16, 16)
    assert set(found.bindings) == {
        Binding(READS, 0, "texture", "f32"),
        Binding(READS, 1, "texture", "f32"),
        Binding(READS, 2, "read-only-storage"),
        Binding(WRITES, 0, "storage-texture", "r32float"),
        Binding(CONSTANTS, 0, "uniform"),
    }
    assert shader(Variant("resample"), {"AXIS": 1}).constants == {"0": 1}
    assert Binding(READS, 1, "read-only-storage") in shader(Variant("resample")).bindings
    assert Binding(WRITES, 1, "storage") in shader(Variant("resample")).bindings


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(DeviceError, match="there is no WGSL of 'conv SIDE=9'"):
        shader(Variant("conv", (("SIDE", "9"),)))
    with pytest.raises(DeviceError, match="the kernel has no option COLUMN, ROW"):
        shader(Variant("resample"), {"ROW": 1, "COLUMN": 2})
    with pytest.raises(DeviceError, match="without @workgroup_size"):
        read("fn main() {}", {})
