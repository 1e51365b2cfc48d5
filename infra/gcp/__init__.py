"""The deployment to Google Cloud, as Terraform; and the proof of it that needs no cloud."""
