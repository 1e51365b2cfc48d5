# What is deployed, and who builds it.
resource "google_storage_bucket" "source" {
  project                     = var.project
  name                        = "${var.project}-memex-source"
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = true

  # Each archive replaces the one before; keeping deleted ones for a week, as is the default, would cost.
  soft_delete_policy {
    retention_duration_seconds = 0
  }

  depends_on = [google_project_service.api]
}

# Named after its content: other source, another name, a new deployment; the same source, nothing to do.
resource "google_storage_bucket_object" "archive" {
  bucket = google_storage_bucket.source.name
  name   = "memex-${filesha256(var.archive)}.zip"
  source = var.archive
}

# The functions' images. Ours and not the default one, so that old images go; equal layers are paid once.
resource "google_artifact_registry_repository" "images" {
  project       = var.project
  location      = var.region
  repository_id = "memex"
  description   = "Images of the functions"
  format        = "DOCKER"

  cleanup_policies {
    id     = "keep-two"
    action = "KEEP"
    most_recent_versions {
      keep_count = 2
    }
  }
  cleanup_policies {
    id     = "delete-the-rest"
    action = "DELETE"
    condition {
      tag_state  = "ANY"
      older_than = "86400s"
    }
  }

  depends_on = [google_project_service.api]
}

# The build writes its log, ...
# (and reads the copy of the archive that Cloud Functions makes in a bucket of its own, gcf-v2-sources-*)
resource "google_project_iam_member" "build" {
  for_each = toset(["roles/logging.logWriter", "roles/storage.objectViewer"])

  project = var.project
  role    = each.key
  member  = local.members["build"]
}

# ... reads the archive, ...
resource "google_storage_bucket_iam_member" "build" {
  bucket = google_storage_bucket.source.name
  role   = "roles/storage.objectViewer"
  member = local.members["build"]
}

# ... and writes the image.
resource "google_artifact_registry_repository_iam_member" "build" {
  project    = var.project
  location   = var.region
  repository = google_artifact_registry_repository.images.name
  role       = "roles/artifactregistry.writer"
  member     = local.members["build"]
}
