"""CUDA backend: kernels compiled by NVRTC, networks by own kernels, ONNX Runtime or TensorRT."""
