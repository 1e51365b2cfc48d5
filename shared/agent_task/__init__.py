"""Agent tasks: a question, answered in steps that a workflow calls, with a result whose every claim is checked."""
