# Firestore writes of notes -> fanout. A trigger of its own and not the function's event_trigger: that one makes a
# function of CloudEvents, and fanout is an HTTP function, which sees the caller's token and the ce-* headers.
#
# Delivery is retried for 24 hours, with a backoff of 10 to 600 seconds: that is Eventarc's rule, and retry_policy
# could only turn it off. What fails longer, tick finds. After deleting the database, make the trigger anew too.
resource "google_eventarc_trigger" "notes" {
  project         = var.project
  location        = var.region
  name            = "notes"
  service_account = local.emails["eventarc"]

  matching_criteria {
    attribute = "type"
    value     = "google.cloud.firestore.document.v1.written"
  }
  matching_criteria {
    attribute = "database"
    value     = google_firestore_database.database.name
  }
  matching_criteria {
    attribute = "document"
    operator  = "match-path-pattern"
    value     = "tenants/{tenant}/notes/{note}"
  }

  # Firestore sends nothing else, and fanout reads none of it.
  event_data_content_type = "application/protobuf"

  destination {
    cloud_run_service {
      service = google_cloudfunctions2_function.function["fanout"].name
      region  = var.region
      path    = "/"
    }
  }

  depends_on = [
    google_cloud_run_v2_service_iam_member.caller,
    google_project_iam_member.event_receiver,
  ]
}

# The trigger takes Firestore's events.
resource "google_project_iam_member" "event_receiver" {
  project = var.project
  role    = "roles/eventarc.eventReceiver"
  member  = local.members["eventarc"]
}
