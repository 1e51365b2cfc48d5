locals {
  keys_folder = "/etc/memex"
  keys_file   = "device-keys.json"

  gemini_readers = toset(var.gemini_secret == "" ? [] : [
    for name, function in local.functions : name
    if length(setintersection(function.reaches, ["research", "model"])) > 0
  ])
}

# Who may come in: {device_id: {key_sha256, tenant, subject}}. Filled with gcloud, so that it is in no state file.
resource "google_secret_manager_secret" "device_keys" {
  project   = var.project
  secret_id = "memex-device-keys"

  replication {
    user_managed {
      replicas {
        location = var.region
      }
    }
  }

  depends_on = [google_project_service.api]
}

# Nobody, until the first real version: a function can't start without one, and an empty table lets no one in.
resource "google_secret_manager_secret_version" "no_keys" {
  secret      = google_secret_manager_secret.device_keys.id
  secret_data = "{}"
}

# DeviceKeys in shared/auth.py reads the mounted file.
resource "google_secret_manager_secret_iam_member" "device_keys" {
  for_each = local.public

  project   = var.project
  secret_id = google_secret_manager_secret.device_keys.secret_id
  role      = "roles/secretmanager.secretAccessor"
  member    = local.members[each.key]
}

# The Gemini API's key, made with gcloud before: clients of research and enrichment send it.
resource "google_secret_manager_secret_iam_member" "gemini" {
  for_each = local.gemini_readers

  project   = var.project
  secret_id = var.gemini_secret
  role      = "roles/secretmanager.secretAccessor"
  member    = local.members[each.key]
}
