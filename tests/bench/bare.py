"""The floor for captures: a FastAPI function that inserts one row, served like ours, with the same durability."""

import json
import sqlite3
import sys
import time

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from shared.models.ids import ulid

app = FastAPI()
database = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "CREATE TABLE IF NOT EXISTS notes (id TEXT PRIMARY KEY, data TEXT NOT NULL)",
):
    database.execute(statement)


class Capture(BaseModel):
    text: str


@app.post("/api/v1/captures", status_code=201)
async def capture(entry: Capture) -> dict[str, str]:
    note_id = ulid(time.time())
    database.execute("INSERT INTO notes VALUES (?, ?)", (note_id, json.dumps({"body": entry.text})))
    return {"id": note_id}


if __name__ == "__main__":
    print("ready", flush=True)
    uvicorn.run(app, port=int(sys.argv[2]), log_level="critical", access_log=False)
