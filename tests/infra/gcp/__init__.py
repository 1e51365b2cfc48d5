"""The deployment, proved without a cloud."""
