terraform {
  required_version = ">= 1.11"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.41, < 9.0"
    }
  }

  # The bucket is named when it is set up: terraform init -backend-config=bucket=PROJECT-memex-state
  backend "gcs" {
    prefix = "memex"
  }
}

# Quota is counted on the project itself, also for the APIs (budgets) that refuse a person's credentials otherwise.
provider "google" {
  project               = var.project
  region                = var.region
  billing_project       = var.project
  user_project_override = true
}

data "google_project" "this" {
  project_id = var.project
}
