"""Process that builds a TensorRT engine.

python -m framebrush.gpu.cuda.tensorrt_build MODEL FOLDER PRECISION GPU. Ends when its input ends (see
`app/base/child.py`). Exit status 0: the folder is complete.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from framebrush.base import parent
from framebrush.base.child import Child
from framebrush.gpu.cuda.engines import CudaEngine
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.errors import DeviceError

TENSORRT = "TensorrtExecutionProvider"


def engine_options(folder: Path, precision: str) -> Mapping[str, str]:
    """Return options for building and loading an engine."""
    return {
        "trt_engine_cache_enable": "1",
        "trt_engine_cache_path": str(folder),
        "trt_fp16_enable": "1" if precision == "float16" else "0",
    }


class Build:
    """Process that builds an engine once; failures are remembered."""

    def __init__(self, folder: Path, model: bytes, precision: str, ordinal: int, label: str) -> None:
        self._failure = folder.with_suffix(".failed")
        self._process: Child | None = None
        if self._failure.exists():
            reason = self._failure.read_text(encoding="utf-8", errors="replace")
            self.note = (
                f"TensorRT could not build {label} ({reason}), so the CUDA provider paints; delete {self._failure} to "
                "try again"
            )
            return
        try:
            file = self._prepare(folder.parent, model)
        except OSError as error:
            reason = error.strerror or str(error)
            self.note = (
                f"TensorRT cannot build {label}, because {folder.parent} cannot be written ({reason}), so the CUDA "
                "provider paints"
            )
            return
        self.note = (
            f"TensorRT builds {label} for this GPU, once, which takes minutes; until then the CUDA provider paints"
        )
        self._process = Child(__name__, str(file), str(folder), precision, str(ordinal), keeps_errors=True)

    def _prepare(self, folder: Path, model: bytes) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        self._work = tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True)
        file = Path(self._work.name) / "network.onnx"
        try:
            file.write_bytes(model)
        except OSError:
            self._work.cleanup()
            raise
        return file

    def ended(self) -> bool:
        """Return True once the engine is complete, and only once."""
        process = self._process
        if process is None or not process.has_ended:
            return False
        how = process.wait()
        if how.status:
            reason = how.errors.rpartition("\n")[2] or f"the process {how}"
            with contextlib.suppress(OSError):  # then the next job tries again
                self._failure.write_text(reason, encoding="utf-8")
        self.close()
        return how.status == 0

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()
            self._work.cleanup()


class DeferredEngine:
    """Engine that another replaces once built, blocking one frame."""

    name: str | None = None
    captures = False

    def __init__(self, first: CudaEngine, build: Build, open_built: Callable[[], CudaEngine]) -> None:
        self.note = build.note
        self._engine, self._build, self._open_built = first, build, open_built

    def bind(self, frame: Tensor, styled: Tensor, mix: int) -> Callable[[], int]:
        engine = self._engine
        run = engine.bind(frame, styled, mix)

        def newest() -> int:
            nonlocal engine, run
            if self._build.ended():
                self._change()
            if engine is not self._engine:
                engine, run = self._engine, self._engine.bind(frame, styled, mix)
            return run()

        return newest

    def blend(self, weights: tuple[float, ...], mix: int) -> int:
        return self._engine.blend(weights, mix)

    def _change(self) -> None:
        try:
            built = self._open_built()
        except DeviceError:  # no memory for both: TensorRT is used from the start next time
            return
        self._engine.close()
        self._engine = built

    def close(self) -> None:
        self._build.close()
        self._engine.close()


def build(model: Path, folder: Path, precision: str, ordinal: int) -> None:
    """Build an engine in a temporary folder, then rename it."""
    from framebrush.gpu.cuda.diagnose import require_tensorrt
    from framebrush.gpu.cuda.onnx_runtime import CUDA, open_session

    require_tensorrt()
    own = model.with_suffix("")
    own.mkdir()
    number = {"device_id": str(ordinal)}
    open_session(
        model.read_bytes(), model.name, [(TENSORRT, {**number, **engine_options(own, precision)}), (CUDA, number)]
    )
    if not folder.is_dir():  # unless another process was faster
        own.rename(folder)


def main() -> int:
    """Run the process; return its exit status."""
    model, folder, precision, ordinal = sys.argv[1:]
    parent.listen(lambda _: None, lambda: os._exit(1))
    try:
        build(Path(model), Path(folder), precision, int(ordinal))
    except Exception as error:  # reported to the parent, whatever it is
        print(" ".join(str(error).split()) or type(error).__name__, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
