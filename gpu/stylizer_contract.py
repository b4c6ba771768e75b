"""Contract of a stylizer's backend."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from framebrush.base.closing import Closing
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.gpu.look import Look
from framebrush.gpu.surface import Surface

SlotT = TypeVar("SlotT")


class StylizerContract(Closing, Generic[SlotT]):
    """Methods of a backend, called in order with checked arguments."""

    @abstractmethod
    def _make_slots(self, count: int) -> list[SlotT]:
        """Allocate the network and slots. Raises OutOfMemoryError, DeviceError."""

    @property
    @abstractmethod
    def _engine_name(self) -> str | None:
        """Engine's name, None while it may change."""

    def _expect(self, slot: SlotT, into: Frame | None) -> None:
        """Note the next fetch's destination; leave the previous one alone."""

    @abstractmethod
    def _upload(self, slot: SlotT, frame: Frame, look: Look) -> None:
        """Copy host planes to a slot, waiting for the device."""

    @abstractmethod
    def _import(self, slot: SlotT, frame: DeviceFrame, look: Look) -> None:
        """Take a device frame without a host copy, then release it."""

    @abstractmethod
    def _run(self, slot: SlotT, look: Look) -> None:
        """Start conversion and network. Output uses the current `table`."""

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

        Called once per painted frame, in order, even without neighbours, if the stylizer has a window. last: previous
        frame, for advection; None after a flush.
        """

    @abstractmethod
    def _follow(self, slot: SlotT, last: SlotT | None, look: Look, place: int) -> None:
        """Convert a followed frame and advect strokes. See `_combine`."""

    @abstractmethod
    def _show(self, slot: SlotT, surface: Surface, look: Look) -> None: ...

    @abstractmethod
    def _fetch(self, slot: SlotT, into: Frame, look: Look) -> bool:
        """Copy a slot's converted result; return whether it is finite."""

    def _store(self, slot: SlotT, into: DeviceFrame, look: Look) -> bool:
        """Copy a slot's converted result on the device. Returns as `_fetch`."""
        raise NotImplementedError

    @abstractmethod
    def _abandon(self, slot: SlotT) -> None:
        """Ensure after a failure that no slot is in use."""

    @abstractmethod
    def _close(self) -> None:
        """Wait and free everything, however incomplete. Must not raise."""
