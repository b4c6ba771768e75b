"""GPU backend for any graphics card, through WebGPU on Vulkan or Metal.

Calls of wgpu raise DeviceError or DeviceLostError, allocations OutOfMemoryError. `close` is idempotent; unless said
otherwise, the GPU must have finished.
"""
