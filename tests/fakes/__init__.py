"""Stand-ins for what can't be had in a unit test, as small as their port allows."""
