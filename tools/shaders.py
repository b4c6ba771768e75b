"""Generate gpu/webgpu/wgsl, the packaged WGSL for WebGPU, from the HLSL kernels.

python tools/dev.py shaders

The compiler is Slang's, from the wheel slangtorch (15 MB). Each WGSL file records its sources for a test.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from framebrush.gpu import layouts  # noqa: E402
from framebrush.gpu.hlsl.hlsl_records import LAYOUTS  # noqa: E402
from framebrush.gpu.hlsl.painter_dispatches import conv_variant, plans  # noqa: E402
from framebrush.gpu.kernel_sources import Variant, kernel_text  # noqa: E402
from framebrush.gpu.painter import read_painter  # noqa: E402
from framebrush.gpu.webgpu.kernels import CONSTANTS, ENTRY_POINT  # noqa: E402
from framebrush.models.library import bundled  # noqa: E402
from framebrush.models.reading.load import load_style  # noqa: E402

SHADERS = ROOT / "gpu" / "d3d12" / "shaders"
TEXTS = ROOT / "gpu" / "webgpu" / "wgsl"
COMPILER = ROOT / "build" / "slangc"
PACKAGE, VERSION = "slangtorch==1.3.22", "2026.14.1"

WRITES_OTHERWISE = [Variant("stroke_draw", (("RAISED", "1"),)), Variant("relief_smooth", (("DEVIATION", "1"),))]
"""Variants with another output type or another input, for which WGSL has no override constant."""

OPTIONS = [
    *("-D", "WGSL", "-entry", ENTRY_POINT, "-stage", "compute", "-target", "wgsl"),
    *("-warnings-as-errors", "all"),  # Slang would drop code that it does not understand
    *("-warnings-disable", "30056"),  # a choice by components; HLSL has no other spelling for it
]

PAINTED_SIZE = 640, 360
"""Frame size for collecting painter kernels; all larger sizes use the same kernels."""


class ShaderError(Exception):
    """WGSL file that cannot be generated. The message says why."""


@cache
def variants() -> tuple[Variant, ...]:
    """List kernel and defines of each WGSL file."""
    names = sorted({path.stem for path in SHADERS.glob("*.hlsl")} - {"conv"})
    return *map(Variant, names), *WRITES_OTHERWISE, *sorted(layer_variants(), key=str)


@cache
def layer_variants() -> frozenset[Variant]:
    """Return convolutions of the bundled painters, for all sizes and types."""
    found = set[Variant]()
    for path in bundled().values():
        painter = read_painter(load_style(path).model)
        for stored, native in (("float32", False), ("float16", True)):
            for dispatches in plans(painter, PAINTED_SIZE, native=native).values() if painter else ():
                found |= {conv_variant(dispatches, number, stored) for number in range(len(dispatches))}
    return frozenset(found)


def source(variant: Variant) -> str:
    """Return the compiler's input for a variant."""

    def declaration(record: str) -> str:
        return f"[[vk::binding(0, {CONSTANTS})]] {layouts.hlsl(LAYOUTS[record])}"

    text = kernel_text("framebrush.gpu.d3d12", "shaders", f"{variant.name}.hlsl", declaration)
    return "".join(f"#define {name} {value}\n" for name, value in variant.defines) + text


def place(variant: Variant) -> Path:
    """Return the path of a variant's WGSL file."""
    return TEXTS / f"{variant.stem}.wgsl"


def signed(variant: Variant, made: str) -> str:
    """Return WGSL below a header with its sources and options."""
    origin = f"// {variant.name}.hlsl, made by slangc {VERSION}. To make it anew: python tools/dev.py shaders"
    of, so = digest(repr((source(variant), OPTIONS, VERSION))), digest(made)
    return f"{origin}\n// {of} {so}\n{made}"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def stale() -> list[str]:
    """List missing, outdated, changed and superfluous WGSL files."""
    wanted = {place(variant): variant for variant in variants()}
    wrong = [f"{path.name} is made of no kernel" for path in sorted(TEXTS.iterdir()) if path not in wanted]
    for path, variant in wanted.items():
        if not path.is_file():
            wrong.append(f"{path.name} is missing")
            continue
        text = path.read_text(encoding="utf-8")
        if text != signed(variant, "".join(text.splitlines(keepends=True)[2:])):
            wrong.append(f"{path.name} was not made of what {variant.name}.hlsl and its includes are now")
    return wrong


def compiler() -> Path:
    """Return the path of slangc, downloaded if missing. Raises ShaderError."""
    program = COMPILER / "slangtorch" / "bin" / ("slangc.exe" if os.name == "nt" else "slangc")
    if not program.exists() or _version(program) != VERSION:
        pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        _run([*pip, "--no-deps", "--upgrade", "--target", str(COMPILER), PACKAGE])
        if os.name != "nt":
            program.chmod(0o755)
    if _version(program) != VERSION:
        raise ShaderError(f"{PACKAGE} has slangc {_version(program)}, not {VERSION}; correct the version in {__file__}")
    return program


def _version(program: Path) -> str:
    return _run([str(program), "-v"]).strip()


def compiled(program: Path, variant: Variant) -> str:
    """Compile a variant to WGSL. Raises ShaderError."""
    with tempfile.TemporaryDirectory(prefix="framebrush-shaders-") as name:
        given, made = Path(name) / f"{variant.name}.slang", Path(name) / "made.wgsl"
        given.write_text(source(variant), encoding="utf-8", newline="\n")
        _run([str(program), str(given), *OPTIONS, "-o", str(made)])
        return made.read_text(encoding="utf-8")


def _run(command: list[str]) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise ShaderError(f"{Path(command[0]).name} ended with {done.returncode}: {done.stdout.strip()[:3000]}")
    return done.stdout


def main() -> None:
    program = compiler()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = list(pool.map(lambda variant: signed(variant, compiled(program, variant)), variants()))
    replace_files(TEXTS, {place(variant).name: text.encode() for variant, text in zip(variants(), texts, strict=True)})
    print(f"{len(texts)} texts of WGSL are in {TEXTS.relative_to(ROOT)}")


def replace_files(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write a folder's files and delete all others."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, content in contents.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    try:
        main()
    except ShaderError as problem:
        sys.exit(f"shaders: {problem}")
