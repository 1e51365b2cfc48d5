"""Long research runs: client, report, execution, and the operation that ties them."""
