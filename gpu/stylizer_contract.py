"""Contract of a stylizer's backend."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from framebrush.base.closing import Closing
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.gpu.stages.look import Look
from framebrush.gpu.surface import Surface

SlotT = TypeVar("SlotT")


class StylizerContract(Closing, Generic[SlotT]):
    """Methods of a backend, called in order with checked arguments. Shortest: `gpu/reference`."""

    @abstractmethod
    def _make_slots(self, count: int) -> list[SlotT]:
        """Allocate the network and slots. Raises OutOfMemoryError, DeviceError."""

    @property
    @abstractmethod
    def _engine_name(self) -> str | None:
        """Return the engine's name, None while it may change."""

    def _expect(self, slot: SlotT, into: Frame | None) -> None:
        """Note the next fetch's destination, if known; the previous one is not written any more."""

    @abstractmethod
    def _upload(self, slot: SlotT, frame: Frame, look: Look) -> None:
        """Copy host planes to a slot, waiting if the device still uses it."""

    @abstractmethod
    def _import(self, slot: SlotT, frame: DeviceFrame, look: Look) -> None:
        """Take a device frame without a host copy, released once it was read."""

    @abstractmethod
    def _run(self, slot: SlotT, look: Look) -> None:
        """Start conversion and network. Later output of the slot uses the current `table`."""

    @abstractmethod
    def _combine(
        self,
        slot: SlotT,
        before: Sequence[SlotT],
        after: Sequence[SlotT],
        last: SlotT | None,
        look: Look,
        place: int,
    ) -> None:
        """Start a slot's result from its network output and its neighbours'.

        Called once per painted frame of a stylizer with a window, in order, even without neighbours.

        Args:
            place: frame number in the film.
            last: previous frame, for advection; None after a flush.
        """

    @abstractmethod
    def _follow(self, slot: SlotT, last: SlotT | None, look: Look, place: int) -> None:
        """Convert a followed frame, and advect the previous frame's strokes. See `_combine`."""

    @abstractmethod
    def _show(self, slot: SlotT, surface: Surface, look: Look) -> None:
        """Draw a slot's result on a surface of this device."""

    @abstractmethod
    def _fetch(self, slot: SlotT, into: Frame, look: Look) -> bool:
        """Convert a slot's result, wait, and copy it; return whether it is finite."""

    def _store(self, slot: SlotT, into: DeviceFrame, look: Look) -> bool:
        """Convert a slot's result and copy it on the device; return whether it is finite."""
        raise NotImplementedError

    @abstractmethod
    def _abandon(self, slot: SlotT) -> None:
        """Ensure after a failure that the device no longer uses a slot."""

    @abstractmethod
    def _close(self) -> None:
        """Wait for the device and free everything, even if construction failed. Must not raise."""
