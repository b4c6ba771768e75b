"""Stages on the CPU, named as their references in `gpu.stages`.

Objects serve one thread at a time; results are valid until the next call.
"""
