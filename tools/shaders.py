"""Make gpu/webgpu/wgsl of the HLSL kernels: the texts that WebGPU runs, which are part of the package.

python tools/dev.py shaders

The compiler is Slang's. It comes with slangtorch, a wheel of 15 MB, which pip unpacks into build/slangc without the
PyTorch that it asks for. Each text says what it was made of: a test finds those that are stale without the compiler.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from framebrush.gpu import hlsl_records, layouts  # noqa: E402
from framebrush.gpu.hlsl_painter_plan import TILES, conv_variant, plan_dispatches  # noqa: E402
from framebrush.gpu.kernel_sources import Variant, kernel_text  # noqa: E402
from framebrush.gpu.painter import read_painter  # noqa: E402
from framebrush.gpu.webgpu.kernels import CONSTANTS, ENTRY_POINT, stem  # noqa: E402
from framebrush.models.library import bundled  # noqa: E402
from framebrush.models.load import load_style  # noqa: E402

SHADERS = ROOT / "gpu" / "d3d12" / "shaders"
TEXTS = ROOT / "gpu" / "webgpu" / "wgsl"
COMPILER = ROOT / "build" / "slangc"
PACKAGE, VERSION = "slangtorch==1.3.22", "2026.14.1"

WRITES_OTHERWISE = [Variant("stroke_draw", (("RAISED", "1"),)), Variant("relief_smooth", (("DEVIATION", "1"),))]
"""What a define makes write something of another type, for which WGSL has no option."""

OPTIONS = [
    *("-D", "WGSL", "-entry", ENTRY_POINT, "-stage", "compute", "-target", "wgsl"),
    *("-warnings-as-errors", "all"),  # what it does not understand it drops
    *("-warnings-disable", "30056"),  # a choice by components, which HLSL spells as no other
]

PAINTED_SIZE = 640, 360
"""Of frames whose painters' layers are taken; all larger ones have the same kernels."""


class ShaderError(Exception):
    """A text cannot be made; the message says why."""


@cache
def variants() -> tuple[Variant, ...]:
    """Each text, as the kernel and the defines that it is made of."""
    names = sorted({path.stem for path in SHADERS.glob("*.hlsl")} - {"conv"})
    return *map(Variant, names), *WRITES_OTHERWISE, *sorted(_layers(), key=str)


def _layers() -> set[Variant]:
    """The convolutions of the bundled painters, by all tiles, with what lies between them in either type."""
    found = set[Variant]()
    for path in bundled().values():
        painter = read_painter(load_style(path).model)
        for tile in TILES.values():
            dispatches = (plan_dispatches(painter, PAINTED_SIZE, tile) if painter else None) or ()
            for stored in ("float32", "float16"):
                found |= {conv_variant(dispatches, number, stored) for number in range(len(dispatches))}
    return found


def source(variant: Variant) -> str:
    """What the compiler is given."""

    def declaration(record: str) -> str:
        return f"[[vk::binding(0, {CONSTANTS})]] {layouts.hlsl(hlsl_records.layout(record))}"

    text = kernel_text("framebrush.gpu.d3d12", "shaders", f"{variant.name}.hlsl", declaration)
    return "".join(f"#define {name} {value}\n" for name, value in variant.defines) + text


def place(variant: Variant) -> Path:
    """The file of a text."""
    return TEXTS / f"{stem(variant)}.wgsl"


def signed(variant: Variant, made: str) -> str:
    """A text below the lines that say what it was made of, by what, and how."""
    origin = f"// {variant.name}.hlsl, made by slangc {VERSION}. To make it anew: python tools/dev.py shaders"
    of, so = digest(repr((source(variant), OPTIONS, VERSION))), digest(made)
    return f"{origin}\n// {of} {so}\n{made}"


def digest(text: str) -> str:
    """Of a text, to be compared."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def stale() -> list[str]:
    """What is wrong with the texts that are there: missing, made of something else, changed by hand, or left over."""
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
    """slangc, which is fetched where it is not there. Raises ShaderError."""
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
    """The text of a kernel as the compiler makes it. Raises ShaderError with what it says."""
    with tempfile.TemporaryDirectory(prefix="framebrush-shaders-") as name:
        given, made = Path(name) / f"{variant.name}.slang", Path(name) / "made.wgsl"
        given.write_text(source(variant), encoding="utf-8", newline="\n")
        _run([str(program), str(given), *OPTIONS, "-o", str(made)])
        return made.read_text(encoding="utf-8")


def _run(command: list[str]) -> str:
    """Both outputs of a command. Raises ShaderError where it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise ShaderError(f"{Path(command[0]).name} ended with {done.returncode}: {done.stdout.strip()[:3000]}")
    return done.stdout


def main() -> None:
    """Entry point."""
    program = compiler()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = list(pool.map(lambda variant: signed(variant, compiled(program, variant)), variants()))
    for path in TEXTS.glob("*.wgsl"):
        path.unlink()
    for variant, text in zip(variants(), texts, strict=True):
        place(variant).write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(texts)} texts of WGSL are in {TEXTS.relative_to(ROOT)}")


if __name__ == "__main__":
    try:
        main()
    except ShaderError as problem:
        sys.exit(f"shaders: {problem}")
