"""Networks on Direct3D 12: own kernels, and DirectML by ONNX Runtime's C API."""
