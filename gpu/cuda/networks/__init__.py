"""Networks on NVIDIA GPUs: own kernels, ONNX Runtime, TensorRT."""
