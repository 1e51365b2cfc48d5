/** The task that is being typed, kept on this device until the server has it. */
import * as z from "zod";
import "../api/maybe";
import { keep, shelf, take } from "../state/kept";
import { signal } from "../state/signal";

const NAME = "memex.task";

export const title = signal(take(shelf(), NAME, z.string()) ?? "");

export function write(text: string): void {
  title.set(text);
  keep(shelf(), NAME, text === "" ? null : text);
}
