# The rules that no schema knows. Terraform runs them on the plan, with a stand-in for the provider.
mock_provider "google" {
  mock_data "google_project" {
    defaults = { number = "123456789012" }
  }
}

variables {
  project = "memex-test"
  region  = "europe-west1"
  archive = "versions.tf" # any file stands for the archive
}

run "defaults" {
  command = plan

  assert {
    condition     = alltrue([for f in google_cloudfunctions2_function.function : f.build_config[0].runtime == "python313"])
    error_message = "Every function runs on python313: the version whose wheels are pinned."
  }
  assert {
    condition = alltrue([
      for f in google_cloudfunctions2_function.function :
      tonumber(f.service_config[0].available_cpu) >= 1 && f.service_config[0].max_instance_request_concurrency > 1
    ])
    error_message = "Concurrency needs a whole CPU; a concurrency of one gives each stream an instance of its own."
  }
  assert {
    condition = alltrue([
      for f in google_cloudfunctions2_function.function :
      f.service_config[0].min_instance_count == 0 && f.service_config[0].max_instance_count <= 10
    ])
    error_message = "Nothing runs while idle, and every function's instances are capped."
  }
  assert {
    condition = alltrue([
      for name, f in google_cloudfunctions2_function.function :
      f.build_config[0].environment_variables["SOURCE_DATE_EPOCH"] == "1"
      && f.service_config[0].environment_variables["PYTHONPATH"] == "/workspace"
      && f.service_config[0].environment_variables["FUNCTION_USE_ASGI"] == "true"
    ])
    error_message = "Without these a function finds no shared/, serves no stream, or compiles itself in each cold start."
  }
  assert {
    condition = alltrue([
      for name, f in google_cloudfunctions2_function.function :
      (f.service_config[0].ingress_settings == "ALLOW_ALL") == contains(["api", "capture", "chat"], name)
    ])
    error_message = "Only api, capture and chat are reached from outside."
  }
  assert {
    condition = toset([for key, m in google_cloud_run_v2_service_iam_member.caller : m.name if m.member == "allUsers"]) == toset([
      for name, f in google_cloudfunctions2_function.function : name if length(f.service_config[0].secret_volumes) > 0
    ])
    error_message = "Whoever lets anyone in checks device keys, and nobody else holds them."
  }
  assert {
    condition     = toset(keys(google_secret_manager_secret_iam_member.device_keys)) == local.public
    error_message = "Nobody reads the device keys who does not check them."
  }
  assert {
    condition     = length(distinct([for f in google_cloudfunctions2_function.function : f.service_config[0].service_account_email])) == length(google_cloudfunctions2_function.function)
    error_message = "Each function has an account of its own."
  }
  assert {
    condition = alltrue([
      for s in google_pubsub_subscription.push :
      s.expiration_policy[0].ttl == "" && length(s.dead_letter_policy) == 1 && length(s.retry_policy) == 1
    ])
    error_message = "A subscription lives forever, backs off, and gives up into a dead-letter topic."
  }
  assert {
    condition = alltrue([
      for name, s in google_pubsub_subscription.push :
      s.ack_deadline_seconds >= google_cloudfunctions2_function.function[name].service_config[0].timeout_seconds
    ])
    error_message = "A message must not come again while its function is still at it."
  }
  assert {
    condition     = alltrue([for s in google_pubsub_subscription.dead : s.expiration_policy[0].ttl == ""])
    error_message = "What holds dead letters lives forever."
  }
  assert {
    condition     = length(google_eventarc_trigger.notes.retry_policy) == 0
    error_message = "A retry_policy could only turn the trigger's retries off."
  }
  assert {
    condition = alltrue([
      google_firestore_database.database.location_id == var.region,
      google_firestore_database.database.delete_protection_state == "DELETE_PROTECTION_ENABLED",
      google_firestore_database.database.name == "(default)",
    ])
    error_message = "The database is where the functions are, is the free one, and is protected."
  }
  assert {
    condition     = length(google_firestore_field.answers_end.ttl_config) == 1
    error_message = "Kept answers end by themselves."
  }
  assert {
    condition = alltrue([
      for field in values(google_firestore_field.receipts_end) : length(field.ttl_config) == 1
    ])
    error_message = "Receipts of memory end by themselves."
  }
  assert {
    condition     = google_cloud_scheduler_job.tick.schedule == "*/15 * * * *"
    error_message = "tick comes every 15 minutes; more often costs, less often leaves lost messages lying."
  }
  assert {
    condition     = google_storage_bucket_object.archive.name == "memex-${filesha256(var.archive)}.zip"
    error_message = "The archive is named after its content, or a change is not deployed."
  }
  assert {
    condition = alltrue([
      length(google_billing_budget.month) == 0,
      length(google_monitoring_alert_policy.alert) == 0,
      length(google_cloudbuild_trigger.push) == 0,
      length(google_secret_manager_secret_iam_member.gemini) == 0,
    ])
    error_message = "Budget, alerts, trigger and Gemini key are there only when asked for."
  }
}
