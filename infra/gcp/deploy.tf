# From push to live: cloudbuild.yaml, with the same variables as now. Only where a repository is connected.
resource "google_cloudbuild_trigger" "push" {
  count = var.repository == "" ? 0 : 1

  project         = var.project
  location        = var.region
  name            = "memex"
  description     = "Checks, builds and deploys what is pushed to main"
  service_account = "projects/${var.project}/serviceAccounts/${local.emails["deploy"]}"
  filename        = "cloudbuild.yaml"

  repository_event_config {
    repository = var.repository
    push {
      branch = "^main$"
    }
  }

  substitutions = {
    _REGION        = var.region
    _GEMINI_SECRET = var.gemini_secret
    _SETTINGS      = jsonencode(var.settings)
    _BUDGET        = jsonencode(var.budget)
    _ALERT_EMAIL   = var.alert_email
    _REPOSITORY    = var.repository
  }

  depends_on = [google_project_iam_member.deploy]
}

# `terraform apply` in cloudbuild.yaml. It makes accounts and gives them rights, so it can do nearly everything here:
# protect the branch as you would protect the project.
#   editor         makes and changes each resource, acts as the functions' accounts, writes the build's log
#   securityAdmin  sets the permissions that stand beside them
#   storage.admin  the state's bucket, and the archive
resource "google_project_iam_member" "deploy" {
  for_each = var.repository == "" ? toset([]) : toset(["roles/editor", "roles/iam.securityAdmin", "roles/storage.admin"])

  project = var.project
  role    = each.key
  member  = local.members["deploy"]
}

# A plan compares the empty key table with what is there.
resource "google_secret_manager_secret_iam_member" "deploy" {
  count = var.repository == "" ? 0 : 1

  project   = var.project
  secret_id = google_secret_manager_secret.device_keys.secret_id
  role      = "roles/secretmanager.secretAccessor"
  member    = local.members["deploy"]
}

# A plan compares the budget, which belongs to the billing account.
resource "google_billing_account_iam_member" "deploy" {
  count = var.repository == "" || var.budget == null ? 0 : 1

  billing_account_id = var.budget.billing_account
  role               = "roles/billing.costsManager"
  member             = local.members["deploy"]
}
