"""The network between a slot's tensors: the whole frame in one run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpu.d3d12.directml import BoundTensor
from gpu.d3d12.ort import Handle
from gpu.device import Counters

if TYPE_CHECKING:
    from gpu.d3d12.device import D3D12Device
    from gpu.d3d12.slot import Slot
    from models.style import Style


class WholeFrame:
    """One session of the frame's size, bound to the tensors of every slot."""

    def __init__(self, device: D3D12Device, style: Style, tensor_size: tuple[int, int], slots: list[Slot]) -> None:
        self._closing: list[BoundTensor | Handle] = []
        label = f"'{style.card.name}' at {tensor_size[0]}x{tensor_size[1]}"
        self._session = device.directml.session(style.fixed(*tensor_size), label)
        try:
            self._bindings = [self._bind(device, slot) for slot in slots]
        except BaseException:
            self.close()
            raise

    def _bind(self, device: D3D12Device, slot: Slot) -> Handle:
        tensors = {}
        for name, tensor in (("frame", slot.source), ("styled", slot.painted)):
            tensors[name] = BoundTensor(device.directml, tensor.buffer, tensor.shape, tensor.precision)
            self._closing.append(tensors[name])
        inputs = {"frame": tensors["frame"].tensor}
        if slot.mix:
            mix = BoundTensor(device.directml, slot.mix, (1, slot.mix.size_bytes // 4), "float32")
            self._closing.append(mix)
            inputs["mix"] = mix.tensor
        binding = self._session.bind(inputs, {"styled": tensors["styled"].tensor})
        self._closing.append(binding)
        return binding

    def paint(self, slot: Slot, counters: Counters) -> None:
        """Queue the network on a slot whose source tensor is queued before."""
        self._session.run(self._bindings[slot.index])
        counters.runs += 1

    def close(self) -> None:
        """Release bindings, tensors and the session, in this order; the device is idle. Idempotent."""
        for thing in reversed(self._closing):
            thing.close()
        self._closing.clear()
        self._session.close()
