"""A job on several devices or machines: who paints which segment, and what paints it."""
