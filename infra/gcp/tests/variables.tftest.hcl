# What the variables change, and what they refuse.
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

run "everything" {
  command = plan

  variables {
    gemini_secret = "memex-gemini-key"
    settings      = { MEMEX_DAILY_BUDGET_USD = "20" }
    budget        = { billing_account = "012345-6789AB-CDEF01", monthly = 10 }
    alert_email   = "someone@example.org"
    repository    = "projects/memex-test/locations/europe-west1/connections/c/repositories/memex"
  }

  assert {
    condition = toset([
      for name, f in google_cloudfunctions2_function.function : name
      if length(f.service_config[0].secret_environment_variables) > 0
    ]) == toset([for name, member in google_secret_manager_secret_iam_member.gemini : name])
    error_message = "Who gets the Gemini key may read it."
  }
  assert {
    condition     = length(google_project_iam_member.research) == 0
    error_message = "With a Gemini key nobody needs Vertex AI."
  }
  assert {
    condition = alltrue([
      for f in google_cloudfunctions2_function.function :
      f.service_config[0].environment_variables["MEMEX_DAILY_BUDGET_USD"] == "20"
    ])
    error_message = "Settings reach every function."
  }
  assert {
    condition     = length(google_monitoring_alert_policy.alert) == 2 && length(google_billing_budget.month) == 1
    error_message = "Alerts and budget are made when asked for."
  }
  assert {
    condition     = google_cloudbuild_trigger.push[0].filename == "cloudbuild.yaml"
    error_message = "What is pushed runs cloudbuild.yaml."
  }
}

run "an_unknown_setting" {
  command = plan
  variables {
    settings = { MEMEX_DAILY_BUGDET_USD = "20" }
  }
  expect_failures = [var.settings]
}

run "a_multi_region" {
  command = plan
  variables {
    region = "eur3"
  }
  expect_failures = [var.region]
}
