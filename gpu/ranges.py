"""The stages of a frame as NVTX ranges, which NVIDIA Nsight Systems shows above the threads that work on them and, on
CUDA, above the kernels that these launch. Without a profiler, nvtx does nothing."""

from __future__ import annotations

from framebrush.gpu.errors import DeviceError

DOMAIN = "framebrush"


class Ranges:
    """Ranges of each thread, one within another."""

    def __init__(self) -> None:
        """Raises DeviceError where nvtx is not installed."""
        try:
            import nvtx
        except ImportError:
            raise DeviceError(
                "naming the stages for Nsight Systems needs nvtx; install it with pip install nvtx"
            ) from None
        self._domain = nvtx.get_domain(DOMAIN)

    def begin(self, stage: str) -> None:
        """Begin a range of this thread."""
        self._domain.push_range(self._domain.get_event_attributes(message=stage))

    def end(self) -> None:
        """End the range of this thread that began last."""
        self._domain.pop_range()
