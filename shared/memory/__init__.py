"""Memory that must prove itself before it is used. Loaded only where memory is on."""
