locals {
  # One entry a workflow. Its name is that of its file in workflows/.
  #   calls      the function whose steps it calls
  #   variables  what it is told beside that function's address
  workflows = {
    research = {
      calls       = "research"
      description = "create -> sleep -> poll -> ... -> finish, for at most ${local.research_minutes} minutes"
      variables   = { MEMEX_POLL_SECONDS = "30", MEMEX_RESEARCH_MINUTES = tostring(local.research_minutes) }
    }
    # Agent tasks and routines.
    agent_task = {
      calls       = "agent"
      description = "step -> step -> ... until the task is done or waits for a person"
      variables   = { MEMEX_AGENT_MINUTES = tostring(local.agent_minutes) }
    }
    # What is remembered.
    memory = {
      calls       = "memory"
      description = "generate -> sleep -> poll -> ... -> reconcile, for at most ${local.memory_minutes} minutes"
      variables   = { MEMEX_POLL_SECONDS = "5", MEMEX_MEMORY_MINUTES = tostring(local.memory_minutes) }
    }
  }
}

# Started by dispatch and tick, stopped by them and api.
resource "google_workflows_workflow" "workflow" {
  for_each = local.workflows

  project         = var.project
  region          = var.region
  name            = each.key
  description     = each.value.description
  service_account = local.emails["workflow"]
  source_contents = file("${path.module}/../../workflows/${each.key}.yaml")
  call_log_level  = "LOG_ERRORS_ONLY"

  user_env_vars = merge(
    { "MEMEX_${upper(each.value.calls)}_URL" = local.addresses[each.value.calls] },
    each.value.variables,
  )

  # It is code, and holds nothing that can't be deployed again; the data are in Firestore, which is protected.
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

# Each had a resource of its own once: a project from then keeps its workflows, and what they ran.
moved {
  from = google_workflows_workflow.research
  to   = google_workflows_workflow.workflow["research"]
}

moved {
  from = google_workflows_workflow.agent_task
  to   = google_workflows_workflow.workflow["agent_task"]
}

moved {
  from = google_workflows_workflow.memory
  to   = google_workflows_workflow.workflow["memory"]
}
