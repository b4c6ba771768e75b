"""Stages of a frame: definitions, constants for all devices, passes for GPUs."""
