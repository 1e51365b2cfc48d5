/** Which addresses a note may link to: http, https and other notes. Everything else is just text. */
export function safeLink(url: string): string | null {
  if (/^#\/notes\/[A-Za-z0-9]+$/.test(url)) return url;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
  const { protocol, username, password } = new URL(url);
  // A name before the host is how one page dresses up as another.
  return /^https?:$/.test(protocol) && username === "" && password === "" ? url : null;
}

/** Where a safe address leads, in one spelling: two that a browser takes for the same place are the same. */
export function meant(url: string): string {
  return noteIn(url) === null && URL.canParse(url) ? new URL(url).href : url;
}

/** The note that a `#/notes/<id>` link names. */
export function noteIn(url: string): string | null {
  return /^#\/notes\/([A-Za-z0-9]+)$/.exec(url)?.[1] ?? null;
}

/** All notes that a text names by their links. */
export const notesNamed = (text: string): string[] => [...new Set(text.match(/#\/notes\/[A-Za-z0-9]+/g))];

export function host(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : "";
}
