"""Compile gpu/d3d12/dxil, the packaged DXIL for shader model 6.2, from the HLSL kernels.

python tools/dev.py shaders

Microsoft's compiler and signer, from the wheel onnxruntime-ep-webgpu (13 MB), run on Windows or in the rig.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from framebrush.gpu.d3d12 import hlsl_sources  # noqa: E402
from framebrush.gpu.d3d12.compiled import is_native  # noqa: E402
from framebrush.gpu.kernel_sources import Variant  # noqa: E402
from tools.shaders import layer_variants, replace_files  # noqa: E402

FILES = ROOT / "gpu" / "d3d12" / "dxil"
MADE_OF = "made_of.txt"
COMPILER = ROOT / "build" / "dxc"
WHEEL = "onnxruntime-ep-webgpu==0.4.0"

OPTIONS = [
    *("-T", "cs_6_2", "-E", "main", "-O3"),
    "-enable-16bit-types",
    *("-HV", "2018"),  # as D3DCompile understands it: choices by the components of a vector
    "-Qstrip_debug",
    "-WX",
]


class DxilError(Exception):
    """DXIL that cannot be made. The message says why."""


@cache
def variants() -> tuple[Variant, ...]:
    """List all variants that are shipped as DXIL."""
    return tuple(sorted(filter(is_native, layer_variants()), key=str))


def text(variant: Variant) -> str:
    """Return the compiler's input for a variant."""
    source = hlsl_sources.source(variant.name)
    defines = hlsl_sources.macros(variant, source, hlsl_sources.ENDS_TYPED)
    return "".join(f"#define {name} {value}\n" for name, value in defines.items()) + source


def line(variant: Variant, code: bytes) -> str:
    """Return a file's line of MADE_OF: digests of sources, options and content."""
    made_of = hashlib.sha256(repr((text(variant), OPTIONS, WHEEL)).encode()).hexdigest()[:32]
    return f"{variant.stem}.dxil {made_of} {hashlib.sha256(code).hexdigest()[:32]}"


def is_signed(code: bytes) -> bool:
    """Return whether a DXIL container has a signature, as drivers demand."""
    return code[:4] == b"DXBC" and any(code[4:20])


def stale() -> list[str]:
    """List missing, outdated, changed, unsigned and superfluous files."""
    wanted = {f"{variant.stem}.dxil": variant for variant in variants()}
    there = {path.name: path.read_bytes() for path in sorted(FILES.iterdir()) if path.name != MADE_OF}
    recorded = (FILES / MADE_OF).read_text(encoding="utf-8").splitlines()
    wrong = [f"{name} is made of no kernel" for name in there if name not in wanted]
    for name, variant in wanted.items():
        code = there.get(name)
        if code is None:
            wrong.append(f"{name} is missing")
        elif not is_signed(code):
            wrong.append(f"{name} is not signed")
        elif line(variant, code) not in recorded:
            wrong.append(f"{name} was not made of what {variant.name}.hlsl and its includes are now")
    return wrong


def fetch_compiler() -> None:
    """Unpack Microsoft's compiler, if missing. Raises DxilError."""
    if not all((COMPILER / "onnxruntime_ep_webgpu" / f"{name}.dll").is_file() for name in ("dxcompiler", "dxil")):
        pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-deps", "--upgrade"]
        windows = ["--platform", "win_amd64", "--only-binary", ":all:"]
        _run([*pip, *windows, "--target", str(COMPILER), WHEEL])


def _run(command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT)
    if done.returncode:
        raise DxilError(f"{' '.join(command[:4])} ended with {done.returncode}")


def compiled() -> dict[Variant, bytes]:
    """Compile and sign all variants. Raises DxilError."""
    with tempfile.TemporaryDirectory(prefix="dxil-", dir=COMPILER) as name:
        folder = Path(name)
        for variant in variants():
            (folder / f"{variant.stem}.hlsl").write_text(text(variant), encoding="utf-8", newline="\n")
        winrig = str(ROOT / "tools" / "winrig" / "winrig")
        if os.name != "nt":
            _run([winrig, "make"])
        python = [sys.executable] if os.name == "nt" else [winrig, "run", "python"]
        given = (path.relative_to(ROOT).as_posix() for path in (COMPILER / "onnxruntime_ep_webgpu", folder))
        _run([*python, "tools/dxc.py", *given, *OPTIONS])
        made = {variant: (folder / f"{variant.stem}.dxil").read_bytes() for variant in variants()}
    unsigned = [str(variant) for variant, code in made.items() if not is_signed(code)]
    if unsigned:
        raise DxilError(f"not signed: {', '.join(unsigned)}")
    return made


def main() -> None:
    fetch_compiler()
    made = compiled()
    lines = "".join(f"{line(variant, code)}\n" for variant, code in made.items())
    replace_files(FILES, {f"{variant.stem}.dxil": code for variant, code in made.items()} | {MADE_OF: lines.encode()})
    print(f"{len(made)} kernels of shader model 6.2 are in {FILES.relative_to(ROOT)}")


if __name__ == "__main__":
    try:
        main()
    except DxilError as problem:
        sys.exit(f"dxil: {problem}")
