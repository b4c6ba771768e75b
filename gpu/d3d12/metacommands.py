"""Proxy of a DirectML device without metacommands, for drivers with wrong ones.

It adds a flag that ONNX Runtime only sets on its own devices.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import c_uint64, c_void_p
from typing import Any

import win32more.Windows.Win32.AI.MachineLearning.DirectML as M

from framebrush.gpu.d3d12.native import Com

QUERY_INTERFACE = 0
COMPILE_GRAPH: int = M.IDMLDevice1.CompileGraph._vtbl_index  # the last method
COMPILE = (M.IDMLDevice.CompileOperator._vtbl_index, COMPILE_GRAPH)
"""Methods with the arguments object, description, flags, interface, result."""

ARGUMENTS = 6  # of CheckFeatureSupport, the longest method; x64 ignores surplus arguments
Method = ctypes.CFUNCTYPE(c_uint64, *[c_uint64] * ARGUMENTS)


class WithoutMetacommands:
    """IDMLDevice1 proxy, which outlives its objects."""

    def __init__(self, device: Com) -> None:
        self._device = device
        theirs = (c_void_p * (1 + COMPILE_GRAPH)).from_address(c_void_p.from_address(device.value).value or 0)
        self._methods = [self._method(slot, Method(address or 0)) for slot, address in enumerate(theirs)]
        self._table = (c_void_p * len(self._methods))(*(ctypes.cast(ours, c_void_p).value for ours in self._methods))
        self._object = c_void_p(ctypes.addressof(self._table))
        self.com: Com = M.IDMLDevice(ctypes.addressof(self._object))

    def _method(self, slot: int, theirs: Callable[..., int]) -> Any:  # noqa: ANN401 - ctypes has no name for it
        def passed_on(_: int, *arguments: int) -> int:
            return theirs(self._device.value, *arguments)

        def compiled(_: int, what: int, flags: int, *arguments: int) -> int:
            return theirs(self._device.value, what, flags | M.DML_EXECUTION_FLAG_DISABLE_META_COMMANDS, *arguments)

        def queried(this: int, interface: int, result: int, *arguments: int) -> int:
            code = theirs(self._device.value, interface, result, *arguments)
            found = c_void_p.from_address(result)
            if found.value == self._device.value:
                found.value = this
            return code

        ours = queried if slot == QUERY_INTERFACE else compiled if slot in COMPILE else passed_on
        return Method(ours)
