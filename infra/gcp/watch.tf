# What tells a person. All of it is off until a variable asks for it: alert conditions are billed.
resource "google_billing_budget" "month" {
  count = var.budget == null ? 0 : 1

  billing_account = var.budget.billing_account
  display_name    = "Memex (${var.project})"

  budget_filter {
    projects = ["projects/${data.google_project.this.number}"]
  }
  amount {
    specified_amount {
      units = tostring(var.budget.monthly)
    }
  }
  threshold_rules {
    threshold_percent = 0.5
  }
  threshold_rules {
    threshold_percent = 1.0
  }

  depends_on = [google_project_service.api]
}

resource "google_monitoring_notification_channel" "mail" {
  count = var.alert_email == "" ? 0 : 1

  project      = var.project
  display_name = "Memex"
  type         = "email"
  labels       = { email_address = var.alert_email }

  depends_on = [google_project_service.api]
}

resource "google_monitoring_alert_policy" "alert" {
  for_each = var.alert_email == "" ? {} : {
    dead_letters = {
      title  = "Memex: a message was given up"
      filter = "resource.type = \"pubsub_subscription\" AND metric.type = \"pubsub.googleapis.com/subscription/dead_letter_message_count\""
      help   = "Read it: `gcloud pubsub subscriptions pull note-events-dead --auto-ack` (or operation-events-dead). The next tick does what it asked for."
    }
    failed_runs = {
      title  = "Memex: a workflow execution failed"
      filter = "resource.type = \"workflows.googleapis.com/Workflow\" AND metric.type = \"workflows.googleapis.com/finished_execution_count\" AND metric.labels.status = \"FAILED\""
      help   = "See why: `gcloud workflows executions list research --location=${var.region}`. The operation in the app says what to do next."
    }
  }

  project               = var.project
  display_name          = each.value.title
  combiner              = "OR"
  severity              = "WARNING"
  notification_channels = [google_monitoring_notification_channel.mail[0].id]

  conditions {
    display_name = each.value.title
    condition_threshold {
      filter          = each.value.filter
      comparison      = "COMPARISON_GT"
      threshold_value = 0
      duration        = "0s"
      aggregations {
        alignment_period   = "300s"
        per_series_aligner = "ALIGN_DELTA"
      }
    }
  }

  documentation {
    mime_type = "text/markdown"
    content   = each.value.help
  }

  depends_on = [google_project_service.api]
}
