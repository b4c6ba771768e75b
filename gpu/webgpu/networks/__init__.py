"""Networks on WebGPU."""
