"""A memory bank on this machine, with the wire format of Google's. It is the memory that the local product has."""
