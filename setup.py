"""Compilation of the CPU kernels for the wheel.

FRAMEBRUSH_SYSTEM=windows-x86_64 builds another system's wheel; CC=zig makes faster kernels than GCC.
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

from tools import cpu_kernels

SYSTEM = os.environ.get("FRAMEBRUSH_SYSTEM") or cpu_kernels.this_system()


class Step(Command):
    """Build step."""

    user_options: ClassVar[list[tuple[str, str, str]]] = []
    editable_mode = False

    def initialize_options(self) -> None:
        self.build_lib: str | None = None

    def finalize_options(self) -> None:
        self.set_undefined_options("build_py", ("build_lib", "build_lib"))

    def _package(self) -> Path:
        assert self.build_lib is not None
        return Path(self.build_lib, "framebrush")

    def get_output_mapping(self) -> dict[str, str]:
        return {}


class BuildKernels(Step):
    """Compile the kernels into the wheel, or beside their sources if editable."""

    def run(self) -> None:
        if self.editable_mode:
            cpu_kernels.build(SYSTEM)
        else:
            cpu_kernels.compile_all(SYSTEM, self._made())

    def _made(self) -> Path:
        return self._package() / "gpu" / "cpu" / cpu_kernels.library(SYSTEM).name

    def get_source_files(self) -> list[str]:
        files = *sorted(cpu_kernels.SOURCES.glob("*.[ch]")), *sorted(cpu_kernels.SHARED.glob("*.h"))
        return [str(source.relative_to(cpu_kernels.ROOT)) for source in files]

    def get_outputs(self) -> list[str]:
        return [] if self.editable_mode else [str(self._made())]


class BuildPages(Step):
    """Copy docs for the window."""

    def run(self) -> None:
        for made in map(Path, self.get_outputs()):
            made.parent.mkdir(parents=True, exist_ok=True)
            self.copy_file(cpu_kernels.ROOT / "docs" / made.name, made)

    def get_source_files(self) -> list[str]:
        return [str(page.relative_to(cpu_kernels.ROOT)) for page in sorted((cpu_kernels.ROOT / "docs").glob("*.md"))]

    def get_outputs(self) -> list[str]:
        into = self._package() / "docs"
        return [] if self.editable_mode else [str(into / Path(page).name) for page in self.get_source_files()]


class Build(build):
    sub_commands: ClassVar = [*build.sub_commands, ("build_kernels", None), ("build_pages", None)]


class Compiled(Distribution):
    def has_ext_modules(self) -> bool:
        return True


class Wheel(bdist_wheel):
    """Wheel for any Python 3 on one system."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", cpu_kernels.PLATFORMS[SYSTEM]


setup(
    distclass=Compiled,
    cmdclass={"bdist_wheel": Wheel, "build": Build, "build_kernels": BuildKernels, "build_pages": BuildPages},
    setup_requires=["ziglang"] if cpu_kernels.needs_zig(SYSTEM) else [],
)
