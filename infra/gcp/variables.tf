variable "project" {
  description = "Id of the Google Cloud project that holds everything."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project))
    error_message = "A project id has 6 to 30 lowercase letters, digits and hyphens; it is not the project's number."
  }
}

variable "region" {
  description = "Region of everything, the database too: Eventarc has no multi-regions."
  type        = string

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "A region looks like europe-west1; the multi-regions nam5 and eur3 have no triggers."
  }
}

variable "archive" {
  description = "Path of the zip that `python -m infra.gcp.archive` wrote: the source of every function."
  type        = string
}

variable "gemini_secret" {
  description = "Name of a secret that holds a Gemini API key; empty means that research runs on Vertex AI."
  type        = string
  default     = ""
}

variable "settings" {
  description = "Further MEMEX_ variables of all functions (README, Settings), such as MEMEX_DAILY_BUDGET_USD."
  type        = map(string)
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.settings), local.optional_settings)) == 0
    error_message = "Only these can be set here: ${join(", ", local.optional_settings)}."
  }
}

variable "budget" {
  description = "Billing account and monthly amount, in its currency, at half and all of which Google sends a mail."
  type = object({
    billing_account = string
    monthly         = number
  })
  default = null
}

variable "alert_email" {
  description = "Who hears of dead letters and failed runs; empty means nobody, since alert conditions are billed."
  type        = string
  default     = ""
}

variable "repository" {
  description = "Connected repository (projects/P/locations/R/connections/C/repositories/N) that deploys itself on push."
  type        = string
  default     = ""
}
