/** Server-sent events out of text that arrives in any pieces. Pure: no network here. */
export interface Frame {
  event: string;
  data: string;
  id: string | null;
}

export class Frames {
  #rest = "";
  #started = false;
  #event = "";
  #data: string[] = [];
  #id: string | null = null;

  /** The frames that this piece completes. */
  push(piece: string): Frame[] {
    let text = this.#rest + piece;
    if (!this.#started && text.length > 0) {
      this.#started = true;
      if (text.startsWith("\uFEFF")) text = text.slice(1);
    }
    const found: Frame[] = [];
    let start = 0;
    const breaks = /[\r\n]/g;
    for (let hit = breaks.exec(text); hit; hit = breaks.exec(text)) {
      const at = hit.index;
      // A CR at the very end may be half of a CRLF: wait for the next piece.
      if (text[at] === "\r" && at + 1 === text.length) break;
      const frame = this.#line(text.slice(start, at));
      if (frame) found.push(frame);
      start = at + (text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1);
      breaks.lastIndex = start;
    }
    this.#rest = text.slice(start);
    return found;
  }

  #line(line: string): Frame | null {
    if (line === "") return this.#complete();
    if (line.startsWith(":")) return null;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return null;
  }

  #complete(): Frame | null {
    const frame = { event: this.#event || "message", data: this.#data.join("\n"), id: this.#id };
    const empty = this.#data.length === 0;
    this.#event = "";
    this.#data = [];
    this.#id = null;
    return empty ? null : frame;
  }
}
