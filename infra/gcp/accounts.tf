# Who acts. Each function has an account of its own; what an account may do stands beside the thing that it may do.
locals {
  accounts = merge(
    { for name in keys(local.functions) : name => "Runs the function ${name}" },
    {
      workflow  = "Runs the workflows, which call the steps of research, agent and memory"
      eventarc  = "Brings Firestore's events to fanout"
      push      = "Brings Pub/Sub's messages to the functions"
      scheduler = "Calls tick"
      build     = "Builds the functions' images"
    },
    var.repository == "" ? {} : { deploy = "Deploys what is pushed" },
  )

  # Computed like the addresses, and taken from the account itself, so that it exists before it is named.
  emails = {
    for name, account in google_service_account.account :
    name => "${account.account_id}@${account.project}.iam.gserviceaccount.com"
  }
  members = { for name, email in local.emails : name => "serviceAccount:${email}" }
}

resource "google_service_account" "account" {
  for_each = local.accounts

  project      = var.project
  account_id   = "memex-${each.key}"
  display_name = "Memex ${each.key}"
  description  = each.value

  depends_on = [google_project_service.api]
}
