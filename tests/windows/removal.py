"""Device removal, for real."""

from __future__ import annotations

import win32more.Windows.Win32.Graphics.Direct3D12 as D

from gpu.d3d12.commands import Recorder
from gpu.d3d12.device import D3D12Device


def remove(device: D3D12Device) -> None:
    """Make the device go away, as a crash of the driver does."""
    newer = D.ID3D12Device5()
    if device.native.device.QueryInterface(D.ID3D12Device5._iid_, newer) >= 0:
        newer.RemoveDevice()
        newer.Release()
    if not device.native.device.GetDeviceRemovedReason():  # vkd3d 1.14 only pretends; a list that is open does it
        recorder = Recorder(device.native, D.D3D12_COMMAND_LIST_TYPE_COMPUTE, "open list").begin()
        device.compute.com.ExecuteCommandLists(1, (D.ID3D12CommandList * 1)(recorder._com))
        recorder.close()
    assert device.native.device.GetDeviceRemovedReason() < 0
