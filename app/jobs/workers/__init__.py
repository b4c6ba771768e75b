"""A job on several devices or machines: assigning the segments, and painting them."""
