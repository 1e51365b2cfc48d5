import { expect, it } from "vitest";
import { format, parse, sameRoom, to } from "../route/address";

it.each(["#/chat", "#/chat/01abc", "#/settings", "#/chat/01abc?q=x"])("%s comes back as it was", (hash) =>
  expect(format(parse(hash))).toBe(hash),
);

it.each(["#/settings/x", "#/chat/a/b"])("%s is nowhere", (hash) =>
  expect(parse(hash).room).toEqual({ at: "nowhere" }),
);

it("tells one conversation from another", () => {
  const room = { at: "chat", id: "a" } as const;
  expect(sameRoom(room, parse("#/chat/a").room)).toBe(true);
  expect(sameRoom(room, parse("#/chat").room)).toBe(false);
  expect(format(to(room, parse("#/notes/x?q=y&cite=1")))).toBe("#/chat/a?q=y");
});
