"""Any graphics card through WebGPU, which runs on Vulkan and on Metal: the third of the GPU backends."""
