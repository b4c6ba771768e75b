"""Makers of graphics cards by PCI or Vulkan ids."""

from __future__ import annotations

VENDORS = {
    0x10DE: "NVIDIA",
    0x1002: "AMD",
    0x8086: "Intel",
    0x5143: "Qualcomm",
    0x13B5: "ARM",
    0x14E4: "Broadcom",
    0x106B: "Apple",
    0x1414: "Microsoft",
    0x10005: "Mesa",
}


def vendor_name(vendor_id: int) -> str:
    """Return a maker's name, or the id as "0x1234"."""
    return VENDORS.get(vendor_id, f"0x{vendor_id:04x}")
