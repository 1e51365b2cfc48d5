"""The one table of what each tool may do; a tool that is not in it can't be used."""

from typing import Literal

Class = Literal["read", "write", "external", "destructive"]
"""What a tool touches: nothing; the person's notes, so that it can be undone; money or the outside; notes for good."""

CLASSES: dict[str, Class] = {
    "search_notes": "read",
    "get_note": "read",
    "list_recent_notes": "read",
    "list_tasks": "read",
    "calculator": "read",
    "current_time": "read",
    "search_research": "read",
    "generate_artifact": "read",
    "ask_user": "read",
    "create_note": "write",
    "update_note": "write",
    "create_tasks": "write",
    "update_task": "write",
    "undo_change": "write",
    "queue_approval": "write",
    "create_thesis": "write",
    "add_evidence": "write",
    "start_research": "external",
    "web_search": "external",
    "http_fetch": "external",
    "fetch_market_data": "external",
    "delete_note": "destructive",
}
MCP: Class = "external"
"""Every tool of an MCP server: what it does is its own word."""
