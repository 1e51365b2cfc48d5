"""What `memex doctor` looks at, here and in a Google Cloud project. It only reads, and mends nothing itself."""
