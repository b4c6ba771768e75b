"""GPU backend for any graphics card, through WebGPU on Vulkan or Metal."""
