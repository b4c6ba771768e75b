"""What runs a network on NVIDIA GPUs: our own kernels, ONNX Runtime, TensorRT."""
