"""Networks from elsewhere: read in a process of their own, understood, and made canonical."""
