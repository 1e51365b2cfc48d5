# Started by dispatch and tick, stopped by them and api; calls the steps of functions/research.
resource "google_workflows_workflow" "research" {
  project         = var.project
  region          = var.region
  name            = "research"
  description     = "create -> sleep -> poll -> ... -> finish, for at most ${local.research_minutes} minutes"
  service_account = local.emails["workflow"]
  source_contents = file("${path.module}/../../workflows/research.yaml")
  call_log_level  = "LOG_ERRORS_ONLY"

  user_env_vars = {
    MEMEX_RESEARCH_URL     = local.addresses["research"]
    MEMEX_POLL_SECONDS     = "30"
    MEMEX_RESEARCH_MINUTES = tostring(local.research_minutes)
  }

  # It is code, and holds nothing that can't be deployed again; the data are in Firestore, which is protected.
  deletion_protection = false

  depends_on = [google_project_service.api, google_cloud_run_v2_service_iam_member.caller]
}

# The same for agent tasks and routines; calls the steps of functions/agent.
resource "google_workflows_workflow" "agent_task" {
  project         = var.project
  region          = var.region
  name            = "agent_task"
  description     = "step -> step -> ... until the task is done or waits for a person"
  service_account = local.emails["workflow"]
  source_contents = file("${path.module}/../../workflows/agent_task.yaml")
  call_log_level  = "LOG_ERRORS_ONLY"

  user_env_vars = {
    MEMEX_AGENT_URL     = local.addresses["agent"]
    MEMEX_AGENT_MINUTES = tostring(local.agent_minutes)
  }

  deletion_protection = false

  depends_on = [google_project_service.api, google_cloud_run_v2_service_iam_member.caller]
}

# The same for what is remembered; calls the steps of functions/memory.
resource "google_workflows_workflow" "memory" {
  project         = var.project
  region          = var.region
  name            = "memory"
  description     = "generate -> sleep -> poll -> ... -> reconcile, for at most ${local.memory_minutes} minutes"
  service_account = local.emails["workflow"]
  source_contents = file("${path.module}/../../workflows/memory.yaml")
  call_log_level  = "LOG_ERRORS_ONLY"

  user_env_vars = {
    MEMEX_MEMORY_URL     = local.addresses["memory"]
    MEMEX_POLL_SECONDS   = "5"
    MEMEX_MEMORY_MINUTES = tostring(local.memory_minutes)
  }

  deletion_protection = false

  depends_on = [google_project_service.api, google_cloud_run_v2_service_iam_member.caller]
}

# Executions in shared/operations/execution.py: create, look at, cancel. Workflows have no permissions of their own.
resource "google_project_iam_member" "executions" {
  for_each = toset([for name, function in local.functions : name if contains(function.reaches, "workflows")])

  project = var.project
  role    = "roles/workflows.invoker"
  member  = local.members[each.key]
}

# call_log_level: the workflow's account writes the log of a failed call.
resource "google_project_iam_member" "workflow_log" {
  project = var.project
  role    = "roles/logging.logWriter"
  member  = local.members["workflow"]
}
