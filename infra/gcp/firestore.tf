locals {
  # The Firebase CLI's form. Which query needs which index: tests/emulators/indexes.py, which compares.
  firestore = jsondecode(file("${path.module}/firestore.indexes.json"))

  indexes = {
    for index in local.firestore.indexes : join(" ", concat(
      [index.collectionGroup, index.queryScope],
      [for field in index.fields : "${field.fieldPath}:${try(field.order, field.arrayConfig)}"],
    )) => index
  }
  overrides = {
    for override in try(local.firestore.fieldOverrides, []) :
    "${override.collectionGroup} ${override.fieldPath}" => override
  }
}

# The first database of a project is the one with a free tier, and its name is "(default)".
resource "google_firestore_database" "database" {
  project     = var.project
  name        = "(default)"
  location_id = var.region
  type        = "FIRESTORE_NATIVE"

  # A person's notes: destroying this configuration leaves them, and deleting them takes two deliberate steps.
  delete_protection_state = "DELETE_PROTECTION_ENABLED"
  deletion_policy         = "ABANDON"

  depends_on = [google_project_service.api]
}

# Queries over several fields.
resource "google_firestore_index" "index" {
  for_each = local.indexes

  project     = var.project
  database    = google_firestore_database.database.name
  collection  = each.value.collectionGroup
  query_scope = each.value.queryScope

  dynamic "fields" {
    for_each = each.value.fields
    content {
      field_path   = fields.value.fieldPath
      order        = try(fields.value.order, null)
      array_config = try(fields.value.arrayConfig, null)
    }
  }
}

# Fields indexed otherwise than by default: over all tenants for tick, or not at all.
resource "google_firestore_field" "override" {
  for_each = local.overrides

  project    = var.project
  database   = google_firestore_database.database.name
  collection = each.value.collectionGroup
  field      = each.value.fieldPath

  index_config {
    dynamic "indexes" {
      for_each = each.value.indexes
      content {
        query_scope  = indexes.value.queryScope
        order        = try(indexes.value.order, null)
        array_config = try(indexes.value.arrayConfig, null)
      }
    }
  }
}

# shared/store/answers.py keeps answers for a day. Firestore only ends what is stored as a time, and needs no index.
resource "google_firestore_field" "answers_end" {
  project    = var.project
  database   = google_firestore_database.database.name
  collection = "idempotency"
  field      = "expires_at"

  ttl_config {}
  index_config {}
}

# shared/store/memories.py keeps receipts, and what their hashes stand for, for 90 days; infra/local/store/expiry.py ends
# the same on one machine.
resource "google_firestore_field" "receipts_end" {
  for_each = toset(["memory_canaries", "memory_names", "receipts"])

  project    = var.project
  database   = google_firestore_database.database.name
  collection = each.key
  field      = "expires_at"

  ttl_config {}
  index_config {}
}

# Documents in shared/store: get, query and commit; fanout only looks.
resource "google_project_iam_member" "store" {
  for_each = {
    for name, function in local.functions :
    name => contains(function.reaches, "store") ? "roles/datastore.user" : "roles/datastore.viewer"
    if length(setintersection(function.reaches, ["store", "store-read"])) > 0
  }

  project = var.project
  role    = each.value
  member  = local.members[each.key]
}
