"""Build steps beyond pyproject.toml: compile the CPU kernels and add them to the wheel.

FRAMEBRUSH_SYSTEM=windows-x86_64 builds another system's wheel; CC=zig uses zig, which makes faster kernels than GCC.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import ClassVar

from setuptools import Command, Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build import build

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tools import kernels

SYSTEM = os.environ.get("FRAMEBRUSH_SYSTEM") or kernels.this_system()


class BuildKernels(Command):
    """Compile the kernels into the wheel's build folder, or beside their sources for an editable install."""

    user_options: ClassVar[list[tuple[str, str, str]]] = []
    editable_mode = False

    def initialize_options(self) -> None:
        self.build_lib: str | None = None

    def finalize_options(self) -> None:
        self.set_undefined_options("build_py", ("build_lib", "build_lib"))

    def run(self) -> None:
        if self.editable_mode:
            kernels.build(SYSTEM)
        else:
            kernels.compile_all(SYSTEM, Path(self._made()))

    def _made(self) -> str:
        assert self.build_lib is not None
        return str(Path(self.build_lib, "framebrush", "gpu", "cpu", kernels.library(SYSTEM).name))

    def get_source_files(self) -> list[str]:
        files = *sorted(kernels.SOURCES.glob("*.[ch]")), *sorted(kernels.SHARED.glob("*.h"))
        return [str(source.relative_to(kernels.ROOT)) for source in files]

    def get_outputs(self) -> list[str]:
        return [] if self.editable_mode else [self._made()]

    def get_output_mapping(self) -> dict[str, str]:
        return {}


class Build(build):
    """Build with the kernels."""

    sub_commands: ClassVar = [*build.sub_commands, ("build_kernels", None)]


class Compiled(Distribution):
    """Distribution with a native library but no extension module."""

    def has_ext_modules(self) -> bool:
        return True


class Wheel(bdist_wheel):
    """Wheel for any Python 3 on one system."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", kernels.PLATFORMS[SYSTEM]


setup(
    distclass=Compiled,
    cmdclass={"bdist_wheel": Wheel, "build": Build, "build_kernels": BuildKernels},
    setup_requires=["ziglang"] if kernels.needs_zig(SYSTEM) else [],
)
