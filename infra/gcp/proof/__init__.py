"""What proves the deployment offline: the provider's recorded schema, a stand-in that serves it, gcloud's linter."""
