"""Cloud Workflows on one machine: the same YAML, the same API, every step durable. It runs nothing undocumented."""
