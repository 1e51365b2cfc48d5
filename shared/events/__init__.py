"""What happened and how it travels: trace, operation log, deliveries, bus."""
