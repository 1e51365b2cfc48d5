locals {
  # note-events: published by fanout (a note was written) and tick (it was forgotten); heard by enrich and research.
  # operation-events: published by whoever changes an operation (api, research, agent, memory, dispatch, tick); heard by dispatch.
  topics = toset(["note-events", "operation-events"])

  # The functions that hear a topic. Filters are a saving: each consumer reads the note and decides by that.
  subscriptions = {
    enrich   = { topic = "note-events", filter = "attributes.enrich = \"true\"" }
    research = { topic = "note-events", filter = "attributes.research = \"true\"" }
    dispatch = { topic = "operation-events", filter = "" }
  }

  publishers = merge([
    for name, function in local.functions : {
      for topic in function.publishes : "${name}-to-${topic}" => { function = name, topic = topic }
    }
  ]...)

  # Google's own account that delivers; `gcloud beta services identity create --service=pubsub.googleapis.com` makes it.
  pubsub_agent = "serviceAccount:service-${data.google_project.this.number}@gcp-sa-pubsub.iam.gserviceaccount.com"
}

resource "google_pubsub_topic" "topic" {
  for_each = local.topics

  project = var.project
  name    = each.key

  message_storage_policy {
    allowed_persistence_regions = [var.region]
  }

  depends_on = [google_project_service.api]
}

# Bus.publish in shared/events/bus.py.
resource "google_pubsub_topic_iam_member" "publisher" {
  for_each = local.publishers

  project = var.project
  topic   = google_pubsub_topic.topic[each.value.topic].name
  role    = "roles/pubsub.publisher"
  member  = local.members[each.value.function]
}

resource "google_pubsub_subscription" "push" {
  for_each = local.subscriptions

  project = var.project
  name    = each.key
  topic   = google_pubsub_topic.topic[each.value.topic].name
  filter  = each.value.filter

  # Shorter, and a message would come again while the function is still at it; Pub/Sub takes at most 600.
  ack_deadline_seconds = min(600, max(10, local.functions[each.key].seconds))

  push_config {
    push_endpoint = "${local.addresses[each.key]}/"
    oidc_token {
      service_account_email = local.emails["push"]
      audience              = local.addresses[each.key]
    }
  }

  retry_policy {
    minimum_backoff = "10s"
    maximum_backoff = "600s"
  }

  dead_letter_policy {
    dead_letter_topic     = "projects/${var.project}/topics/${google_pubsub_topic.dead[each.value.topic].name}"
    max_delivery_attempts = 10
  }

  # Never: an idle month is no reason to forget who listens.
  expiration_policy {
    ttl = ""
  }

  depends_on = [google_cloud_run_v2_service_iam_member.caller]
}

# What could not be delivered ten times. Published by Pub/Sub itself; recorded by dispatch, and kept for a person:
# `gcloud pubsub subscriptions pull note-events-dead --auto-ack`
resource "google_pubsub_topic" "dead" {
  for_each = local.topics

  project = var.project
  name    = "${each.key}-dead"

  message_storage_policy {
    allowed_persistence_regions = [var.region]
  }

  depends_on = [google_project_service.api]
}

# Without a subscription a topic keeps nothing.
resource "google_pubsub_subscription" "dead" {
  for_each = local.topics

  project                    = var.project
  name                       = "${each.key}-dead"
  topic                      = google_pubsub_topic.dead[each.key].name
  message_retention_duration = "604800s"

  expiration_policy {
    ttl = ""
  }
}

# The same messages, as entries of their tenant's activity. dispatch writes them: what delivers is let in there already,
# so that no account gets a right for it. While dispatch is down, they come again for seven days.
resource "google_pubsub_subscription" "told" {
  for_each = local.topics

  project                    = var.project
  name                       = "${each.key}-told"
  topic                      = google_pubsub_topic.dead[each.key].name
  message_retention_duration = "604800s"
  ack_deadline_seconds       = min(600, max(10, local.functions["dispatch"].seconds))

  push_config {
    push_endpoint = "${local.addresses["dispatch"]}/dead"
    oidc_token {
      service_account_email = local.emails["push"]
      audience              = local.addresses["dispatch"]
    }
  }

  retry_policy {
    minimum_backoff = "10s"
    maximum_backoff = "600s"
  }

  expiration_policy {
    ttl = ""
  }

  depends_on = [google_cloud_run_v2_service_iam_member.caller]
}

# Pub/Sub moves a message that was tried too often ...
resource "google_pubsub_topic_iam_member" "dead" {
  for_each = local.topics

  project = var.project
  topic   = google_pubsub_topic.dead[each.key].name
  role    = "roles/pubsub.publisher"
  member  = local.pubsub_agent
}

# ... and takes it from where it was.
resource "google_pubsub_subscription_iam_member" "dead" {
  for_each = local.subscriptions

  project      = var.project
  subscription = google_pubsub_subscription.push[each.key].name
  role         = "roles/pubsub.subscriber"
  member       = local.pubsub_agent
}
