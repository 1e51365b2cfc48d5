"""Reading and writing documents; nothing else knows a path or a field's place."""
