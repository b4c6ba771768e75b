"""Networks on NVIDIA GPUs."""
