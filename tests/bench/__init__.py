"""Benchmarks: ours beside a bare floor in the same run, as ratios, so that a slow machine changes nothing."""
