"""Server-sent events as text. It only writes frames."""

PING = b": still here\n\n"


def frame(event: str, data: str, number: int | None = None) -> bytes:
    """One event; `data` is a single line of JSON, `number` becomes its id, by which a client resumes."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {event}\ndata: {data}\n\n".encode()
