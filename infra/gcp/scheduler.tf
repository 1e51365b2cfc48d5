# The one job. Three are free in a billing account, and one that is paused counts too.
resource "google_cloud_scheduler_job" "tick" {
  project          = var.project
  region           = var.region
  name             = "tick"
  description      = "Finds by reading what a lost message would have told"
  schedule         = "*/15 * * * *"
  time_zone        = "Etc/UTC"
  attempt_deadline = "${local.functions["tick"].seconds}s"

  http_target {
    uri         = "${local.addresses["tick"]}/"
    http_method = "POST"
    oidc_token {
      service_account_email = local.emails["scheduler"]
      audience              = local.addresses["tick"]
    }
  }

  # The next round does what a failed one did not.
  retry_config {
    retry_count = 0
  }

  depends_on = [google_project_service.api, google_cloud_run_v2_service_iam_member.caller]
}
