output "web" {
  description = "The web client; open it with #key=... once, and it keeps the key."
  value       = "${local.addresses["api"]}/"
}

output "addresses" {
  description = "Addresses of the public functions, for curl and the memex command (MEMEX_URL)."
  value       = { for name in local.public : name => local.addresses[name] }
}

output "device_keys" {
  description = "Secret that holds the table of device keys: `gcloud secrets versions add memex-device-keys --data-file=keys.json`"
  value       = google_secret_manager_secret.device_keys.secret_id
}

output "workflow" {
  description = "Runs can be watched with `gcloud workflows executions list research`."
  value       = google_workflows_workflow.workflow["research"].name
}

output "dead_letters" {
  description = "Subscriptions that keep what could not be delivered, for seven days."
  value       = sort([for subscription in google_pubsub_subscription.dead : subscription.name])
}
