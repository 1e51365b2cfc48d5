/** What the search box asks for: `#word` is a tag, the rest is text. */
import type { Wanted } from "../api/server";
import type { Address } from "../route/address";

const TAG = /(?:^|\s)#([^\s#]+)/gu;

export function wantedFrom({ q, kind, bin }: Pick<Address, "q" | "kind" | "bin">): Wanted {
  const tags = [...q.matchAll(TAG)].flatMap((found) => found[1] ?? []);
  const text = q.replace(TAG, " ").replace(/\s+/g, " ").trim();
  return { text, tags, kind, bin };
}

export function everything(wanted: Wanted): boolean {
  return wanted.text === "" && wanted.tags.length === 0 && wanted.kind === null && !wanted.bin;
}

export function same(one: Wanted, other: Wanted): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
