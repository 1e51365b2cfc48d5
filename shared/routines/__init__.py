"""What is done on a schedule: a review in the morning, a digest in the evening. They propose, and write nothing."""
