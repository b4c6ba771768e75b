"""Jobs on several devices or machines: distribution and painting of segments."""
