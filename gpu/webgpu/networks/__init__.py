"""What runs networks on WebGPU."""
