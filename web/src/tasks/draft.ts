/** The task that is being typed, kept on this device until the server has it. */
import * as z from "zod";
import "../api/maybe";
import { keep, shelf, take } from "../state/kept";

const NAME = "memex.task";

export const loadTitle = (): string => take(shelf(), NAME, z.string()) ?? "";

export function keepTitle(title: string): void {
  keep(shelf(), NAME, title === "" ? null : title);
}
