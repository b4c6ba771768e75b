"""TensorRT's engines, built by a process of its own: python -m framebrush.gpu.cuda.networks.tensorrt_build.

Arguments: the file of the model, the folder to make, the precision, the GPU's number. The end of its orders (see
`app/base/child.py`) ends the process. Exit status 0: the folder is there, whole.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from framebrush.base import parent
from framebrush.base.child import Child
from framebrush.gpu.cuda.networks.engines import Engine
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.errors import DeviceError

TENSORRT = "TensorrtExecutionProvider"


def engine_options(folder: Path, precision: str) -> Mapping[str, str]:
    """Options of the TensorRT provider that an engine is built and found with."""
    return {
        "trt_engine_cache_enable": "1",
        "trt_engine_cache_path": str(folder),
        "trt_fp16_enable": "1" if precision == "float16" else "0",
    }


class Build:
    """A process that builds an engine. A build that failed is not tried again: its reason lies beside the folder.

    note: what the user should know about it.
    """

    def __init__(self, folder: Path, model: bytes, precision: str, ordinal: int, label: str) -> None:
        """folder: is there when the build has ended well. model: of a fixed size. ordinal: of the GPU."""
        self._failure = folder.with_suffix(".failed")
        self._process: Child | None = None
        if self._failure.exists():
            reason = self._failure.read_text(encoding="utf-8", errors="replace")
            self.note = (
                f"TensorRT could not build {label} ({reason}), so the CUDA provider paints; delete {self._failure} to "
                "try again"
            )
            return
        self.note = (
            f"TensorRT builds {label} for this GPU, once, which takes minutes; until then the CUDA provider paints"
        )
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._work = tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True)
        file = Path(self._work.name) / "network.onnx"
        file.write_bytes(model)
        self._process = Child(__name__, str(file), str(folder), precision, str(ordinal), keeps_errors=True)

    def ended(self) -> bool:
        """Whether the engine is there now; asked again after that, False. Does not wait."""
        process = self._process
        if process is None or not process.has_ended:
            return False
        how = process.wait()
        if how.status:
            reason = how.errors.rpartition("\n")[2] or f"the process {how}"
            self._failure.write_text(reason, encoding="utf-8")
        self.close()
        return how.status == 0

    def close(self) -> None:
        """End the process. Idempotent."""
        process, self._process = self._process, None
        if process is not None:
            process.close()
            self._work.cleanup()


class DeferredEngine:
    """See `framebrush.gpu.cuda.networks.engines.Engine`. One engine until another one is built, then that. The frame at
    which it changes waits until the first engine has finished and the other one is loaded."""

    name: str | None = None
    captures = False

    def __init__(self, first: Engine, build: Build, open_built: Callable[[], Engine]) -> None:
        self.note = build.note
        self._engine, self._build, self._open_built = first, build, open_built

    def bind(self, frame: Tensor, styled: Tensor, mix: int) -> Callable[[], int]:
        """See Engine."""
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
        """See Engine."""
        return self._engine.blend(weights, mix)

    def _change(self) -> None:
        try:
            built = self._open_built()
        except DeviceError:  # no room for both: the next time it is there from the start
            return
        self._engine.close()
        self._engine = built

    def close(self) -> None:
        """See Engine."""
        self._build.close()
        self._engine.close()


def build(model: Path, folder: Path, precision: str, ordinal: int) -> None:
    """Build the engine for a model in a folder beside it, and move that when it is whole. Raises DeviceError."""
    from framebrush.gpu.cuda.diagnose import require_tensorrt
    from framebrush.gpu.cuda.networks.runtime import CUDA, open_session

    require_tensorrt()
    own = model.with_suffix("")
    own.mkdir()
    number = {"device_id": str(ordinal)}
    open_session(
        model.read_bytes(), model.name, [(TENSORRT, {**number, **engine_options(own, precision)}), (CUDA, number)]
    )
    if not folder.is_dir():  # as where another process was quicker
        own.rename(folder)


def main() -> int:
    """The process; returns the exit status."""
    model, folder, precision, ordinal = sys.argv[1:]
    parent.listen(lambda _: None, lambda: os._exit(1))
    try:
        build(Path(model), Path(folder), precision, int(ordinal))
    except Exception as error:  # whatever it is, the parent tells it
        print(" ".join(str(error).split()) or type(error).__name__, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
