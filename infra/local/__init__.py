"""The same product on one machine: store, bus, triggers, workflow engine, stand-ins, the memex command."""
