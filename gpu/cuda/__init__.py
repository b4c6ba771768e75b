"""CUDA backend.

Kernels compiled by NVRTC, networks by own kernels, ONNX Runtime or TensorRT.
"""
