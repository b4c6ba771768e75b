"""NVTX ranges of a frame's stages, for NVIDIA Nsight Systems."""

from __future__ import annotations

from framebrush.gpu.errors import DeviceError

DOMAIN = "framebrush"


class Ranges:
    """Nested NVTX ranges of each thread."""

    def __init__(self) -> None:
        """Load nvtx. Raises DeviceError without it."""
        try:
            import nvtx
        except ImportError:
            raise DeviceError(
                "naming the stages for Nsight Systems needs nvtx; install it with pip install nvtx"
            ) from None
        self._domain = nvtx.get_domain(DOMAIN)

    def begin(self, stage: str) -> None:
        """Begin a range on this thread."""
        self._domain.push_range(self._domain.get_event_attributes(message=stage))

    def end(self) -> None:
        self._domain.pop_range()
