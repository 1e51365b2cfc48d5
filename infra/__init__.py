"""Where the product runs: Google Cloud, or this machine."""
