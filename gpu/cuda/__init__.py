"""CUDA backend: NVRTC kernels; networks by own kernels, ONNX Runtime or TensorRT.

Driver calls raise DeviceError, allocations OutOfMemoryError. `close` is idempotent; unless said otherwise, the GPU must
have finished.
"""
