"""CUDA backend: NVRTC kernels; networks by own kernels, ONNX Runtime or TensorRT."""
