"""Kernels for WebGPU, which runs on Vulkan, Metal and Direct3D 12. There is no device of it yet."""
