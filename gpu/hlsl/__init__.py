"""Parts that D3D12 and WebGPU share."""
