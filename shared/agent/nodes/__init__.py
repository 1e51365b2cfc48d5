"""The agents and gates of the graph: one file each, its prompt beside it. None of them knows ADK or a store."""
