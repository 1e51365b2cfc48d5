/** Headers as one types them. Pure. */

/** "Authorization: Bearer x", one on each line; or the line that is none. */
export function headersIn(text: string): { headers: Record<string, string> } | { wrong: string } {
  const headers: Record<string, string> = {};
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "") continue;
    const at = line.indexOf(":");
    const value = line.slice(at + 1).trim();
    // What may be a secret is never shown again, so only its place is told.
    if (at < 1 || value === "")
      return { wrong: "Write one header on each line: a name, a colon, its value." };
    headers[line.slice(0, at).trim()] = value;
  }
  return { headers };
}
