locals {
  # One line a function. Its name is its folder, its entry point and its service.
  #   callers    accounts that may call it; "anyone" where the function itself checks device keys
  #   publishes  topics
  #   reaches    doors beside the bus: store, store-read (Firestore), workflows, model (enrichment), and
  #              research (Deep Research and the Gemini of chat and agent, which are one service with one right), and
  #              memory (Memory Bank, of the same service; only with MEMEX_MEMORY_ENGINE in var.settings)
  #   seconds    time limit; concurrency and instances cap what a loop or an attacker can cost
  functions = {
    capture  = { callers = ["anyone"], publishes = [], reaches = ["store"], seconds = 60, mb = 512, concurrency = 20, instances = 5 }
    api      = { callers = ["anyone"], publishes = ["operation-events"], reaches = ["store", "workflows", "research", "memory"], seconds = 360, mb = 512, concurrency = 40, instances = 5 }
    chat     = { callers = ["anyone"], publishes = ["operation-events"], reaches = ["store", "research", "memory"], seconds = 3600, mb = 1024, concurrency = 20, instances = 5 }
    fanout   = { callers = ["eventarc"], publishes = ["note-events"], reaches = ["store-read"], seconds = 60, mb = 512, concurrency = 20, instances = 3 }
    enrich   = { callers = ["push"], publishes = [], reaches = ["store", "model"], seconds = 300, mb = 512, concurrency = 10, instances = 3 }
    research = { callers = ["push", "workflow"], publishes = ["operation-events"], reaches = ["store", "research"], seconds = 300, mb = 512, concurrency = 10, instances = 3 }
    agent    = { callers = ["workflow"], publishes = ["operation-events"], reaches = ["store", "workflows", "research"], seconds = 300, mb = 1024, concurrency = 10, instances = 3 }
    memory   = { callers = ["workflow"], publishes = ["operation-events"], reaches = ["store", "workflows", "memory"], seconds = 300, mb = 512, concurrency = 10, instances = 3 }
    dispatch = { callers = ["push"], publishes = ["operation-events"], reaches = ["store", "workflows", "research", "memory"], seconds = 300, mb = 512, concurrency = 10, instances = 3 }
    tick     = { callers = ["scheduler"], publishes = ["note-events", "operation-events"], reaches = ["store", "workflows", "research", "memory"], seconds = 600, mb = 512, concurrency = 2, instances = 1 }
  }
  public = toset([for name, function in local.functions : name if contains(function.callers, "anyone")])

  # Computed and never read back: functions name each other, and reading would be a cycle.
  # https://cloud.google.com/run/docs/triggering/https-request#deterministic
  address_template = "https://{name}-${data.google_project.this.number}.${var.region}.run.app"
  addresses        = { for name in keys(local.functions) : name => replace(local.address_template, "{name}", name) }

  research_minutes = 120
  # More than MEMEX_TASK_TIMEOUT_SECONDS may be: the function ends a task in time, the workflow what the function can't.
  agent_minutes = 70
  # As long as shared/memory/kind.py says.
  memory_minutes = 15

  # What every function's shared/config.py reads. An empty value counts as not set.
  settings = {
    MEMEX_PROJECT          = var.project
    MEMEX_REGION           = var.region
    MEMEX_DEVICE_KEYS_FILE = "${local.keys_folder}/${local.keys_file}"
    MEMEX_FUNCTIONS_URL    = local.address_template
    MEMEX_VERTEX_PROJECT   = var.gemini_secret == "" ? var.project : ""
    MEMEX_RESEARCH_MINUTES = tostring(local.research_minutes)

    # The web client comes from api and calls capture and chat at addresses of their own.
    MEMEX_CORS_ORIGINS = join(",", compact([local.addresses["api"], lookup(var.settings, "MEMEX_CORS_ORIGINS", "")]))
  }

  # What may be added with var.settings; without, shared/config.py has a default.
  optional_settings = [
    "MEMEX_ACCURACY_MODE",
    "MEMEX_AGENT_GRAPH_ENABLED",
    "MEMEX_AGENT_MODE",
    "MEMEX_ALLOWED_HOSTS",
    "MEMEX_APPROVE_TOOLS",
    "MEMEX_CHAT_MODEL",
    "MEMEX_CONTEXT_TOKENS",
    "MEMEX_CORS_ORIGINS",
    "MEMEX_DAILY_BUDGET_USD",
    "MEMEX_DAILY_PAID_RUNS",
    "MEMEX_EGRESS_ENABLED",
    "MEMEX_ENRICH_MODEL",
    "MEMEX_FIRST_EVENT_SECONDS",
    "MEMEX_GATE_HOURS",
    "MEMEX_HUMAN_GATE",
    "MEMEX_MARKET_URL",
    "MEMEX_MAX_ITERATIONS",
    "MEMEX_MAX_RETRIES",
    "MEMEX_MAX_RUNNING",
    "MEMEX_MEMORY_ENABLED",
    "MEMEX_MEMORY_ENGINE",
    "MEMEX_MEMORY_URL",
    "MEMEX_OPENAI_URL",
    "MEMEX_OPERATION_BUDGET_TOKENS",
    "MEMEX_OPERATION_BUDGET_USD",
    "MEMEX_PRICES",
    "MEMEX_RESEARCH_AGENT",
    "MEMEX_RESEARCH_COST_USD",
    "MEMEX_RESEARCH_ENGINE",
    "MEMEX_RESEARCH_PAID",
    "MEMEX_TASK_TIMEOUT_SECONDS",
    "MEMEX_THINK",
    "MEMEX_TIME_ZONE",
    "MEMEX_TURN_TIMEOUT_SECONDS",
    "MEMEX_USE_TOOLS",
    "MEMEX_VERIFIER_CHECK",
  ]

  calls = merge([
    for name, function in local.functions : {
      for caller in function.callers : "${caller}-to-${name}" => { function = name, caller = caller }
    }
  ]...)
}

resource "google_cloudfunctions2_function" "function" {
  for_each = local.functions

  project     = var.project
  location    = var.region
  name        = each.key
  description = "Memex: functions/${each.key}"

  build_config {
    runtime           = "python313"
    entry_point       = each.key
    service_account   = "projects/${var.project}/serviceAccounts/${local.emails["build"]}"
    docker_repository = google_artifact_registry_repository.images.id

    environment_variables = {
      GOOGLE_FUNCTION_SOURCE = "functions/${each.key}/main.py"
      # Bytecode checked by hash: the image's layers lose their times, and all would be compiled in each cold start.
      SOURCE_DATE_EPOCH = "1"
    }

    source {
      storage_source {
        bucket = google_storage_bucket.source.name
        object = google_storage_bucket_object.archive.name
      }
    }
  }

  service_config {
    service_account_email = local.emails[each.key]
    timeout_seconds       = each.value.seconds
    available_memory      = "${each.value.mb}Mi"

    # Less than one CPU forces a concurrency of one, and one is the default: each stream would be a billed instance.
    available_cpu                    = "1"
    max_instance_request_concurrency = each.value.concurrency
    min_instance_count               = 0
    max_instance_count               = each.value.instances

    # Eventarc, Pub/Sub, Scheduler and Workflows of the same project count as internal at a run.app address.
    # https://cloud.google.com/run/docs/securing/ingress
    ingress_settings = contains(local.public, each.key) ? "ALLOW_ALL" : "ALLOW_INTERNAL_ONLY"

    environment_variables = merge(
      var.settings,
      local.settings,
      {
        PYTHONPATH        = "/workspace"
        FUNCTION_USE_ASGI = "true"
        # The platform adds "true", which would be a difference in each plan, and keeps lines below WARNING back.
        LOG_EXECUTION_ID = "false"
      },
      contains(local.public, each.key) ? {} : {
        MEMEX_CALLERS = join(",", [for caller in each.value.callers : local.emails[caller]])
      },
    )

    # Read anew each minute by shared/auth.py, so that revoking a key works at once. Only public functions look at it.
    dynamic "secret_volumes" {
      for_each = contains(local.public, each.key) ? [google_secret_manager_secret.device_keys.secret_id] : []
      content {
        project_id = var.project
        secret     = secret_volumes.value
        mount_path = local.keys_folder
        versions {
          version = "latest"
          path    = local.keys_file
        }
      }
    }

    dynamic "secret_environment_variables" {
      for_each = contains(local.gemini_readers, each.key) ? [var.gemini_secret] : []
      content {
        key        = "MEMEX_GEMINI_API_KEY"
        project_id = var.project
        secret     = secret_environment_variables.value
        version    = "latest"
      }
    }
  }

  # A start fails without the rights to read what is mounted, a build without those of its account.
  depends_on = [
    google_artifact_registry_repository_iam_member.build,
    google_project_iam_member.build,
    google_secret_manager_secret_iam_member.device_keys,
    google_secret_manager_secret_iam_member.gemini,
    google_secret_manager_secret_version.no_keys,
    google_storage_bucket_iam_member.build,
  ]
}

# Whoever calls a function: Cloud Run lets them in, and shared/auth.py checks token, audience and caller once more.
#   anyone     people's browsers and programs; the function checks their device keys
#   eventarc   the trigger of notes calls fanout
#   push       the subscriptions call enrich, research and dispatch
#   scheduler  the job calls tick
#   workflow   workflows/research.yaml calls the steps of research, agent_task.yaml those of agent, memory.yaml those
#              of memory
resource "google_cloud_run_v2_service_iam_member" "caller" {
  for_each = local.calls

  project  = var.project
  location = var.region
  name     = google_cloudfunctions2_function.function[each.value.function].name
  role     = "roles/run.invoker"
  member   = each.value.caller == "anyone" ? "allUsers" : local.members[each.value.caller]
}

# DeepResearch in shared/research/client.py: starts, looks at and cancels runs on Vertex AI. The model of chats and
# agent tasks in shared/agent/models/gemini.py: answers there. MemoryBankClient in shared/memory/client.py: remembers.
resource "google_project_iam_member" "research" {
  for_each = toset([
    for name, function in local.functions : name
    if(var.gemini_secret == "" && contains(function.reaches, "research")) ||
    (lookup(var.settings, "MEMEX_MEMORY_ENGINE", "") != "" && contains(function.reaches, "memory"))
  ])

  project = var.project
  role    = "roles/aiplatform.user"
  member  = local.members[each.key]
}
