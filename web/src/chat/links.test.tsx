/** Which links of an answer are drawn: those that the server names, once it has. */
import { prerender } from "react-dom/static";
import { expect, it } from "vitest";
import { ChatEvent, ChatSession } from "../api/chat";
import { BLANK, type Talk } from "./talk";
import { turnsOf } from "./turns";
import { TurnView } from "./TurnView";

const at = "2026-06-15T12:00:00Z";
const READ = "https://example.org/read";
const TEXT = `See [a][1], ${READ}, [b](#/notes/01b 't').\n\n[1]: https://evil.example`;
const nothing = () => undefined;

/** The turn as it stands on the page once everything is there. */
async function page(draft: object, status: string, streamed = ""): Promise<string> {
  const events = [ChatEvent.parse({ seq: 1, at, turn: "t1", ...draft })];
  const session = ChatSession.parse({
    id: "s1",
    created_at: at,
    updated_at: at,
    turn: { id: "t1", status, first_seq: 1 },
  });
  const live: Talk = { ...BLANK, session, events, streaming: { text: streamed, thinking: "" }, link: "live" };
  const [turn] = turnsOf(events, session);
  if (!turn) throw new Error("no turn");
  const { prelude } = await prerender(
    <TurnView session="s1" turn={turn} live={live} again={nothing} edit={nothing} decide={nothing} />,
  );
  return (await new Response(prelude).text()).replaceAll("<!-- -->", "");
}

const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url);

it("an answer links to what its event names, and to nothing else", async () => {
  const links = [READ, "#/notes/01b"];
  expect(hrefs(await page({ type: "text", text: TEXT, links }, "done"))).toEqual(links);
  expect(hrefs(await page({ type: "text", text: TEXT, links: [READ] }, "done"))).toEqual([READ]);
});

it("an answer that was stored before links were named has none", async () => {
  const out = await page({ type: "text", text: TEXT }, "done");
  expect(hrefs(out)).toEqual([]);
  expect(out).toContain(`See a, ${READ}, b.`);
});

it("streaming text has no links, whatever was read by then", async () => {
  const out = await page({ type: "text", text: "First.", links: [READ, "#/notes/01b"] }, "running", TEXT);
  expect(out).toContain(`See a, ${READ}, b.`);
  expect(hrefs(out)).toEqual([]);
});
