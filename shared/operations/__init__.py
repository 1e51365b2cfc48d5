"""Long work as a state machine: what may follow what, who runs next, how it ends. The kinds differ by a table."""
