/** Which task a box in a note's text is. Pure. */
import type { Task } from "../api/task";
import { plain } from "../feed/preview";

const BOX = /^[\s>]*(?:[-*+]|\d+[.)])\s+\[[ xX]\]\s+(.*)$/;
const FENCE = /^[\s>]*(```|~~~)/;
/** Due, scheduled, done: as task plugins for Markdown note it behind the words. */
const DAYS = /(?:[📅📆🗓⏳⌛🛫➕✅❌]\ufe0f?\s?\d{4}-\d\d-\d\d\s*)+$/u;

/** One form for a task and the box that it was found in: the words. */
export function wordsOf(text: string): string {
  return (
    text
      .replace(DAYS, "")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
  ).join(" ");
}

/** The words of the text's boxes. */
export function boxes(markdown: string): string[] {
  let fence = "";
  return markdown.split("\n").flatMap((line) => {
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (fence !== "") {
      if (mark === fence) fence = "";
      return [];
    }
    fence = mark;
    const found = fence === "" ? BOX.exec(line)?.[1] : undefined;
    return found === undefined ? [] : [wordsOf(plain(found))];
  });
}

/** Whether a task is what a box says; a long title is stored up to a sign that it goes on. */
function is(task: Task, words: string): boolean {
  const title = wordsOf(task.title);
  if (title === "" || words === "") return false;
  return title === words || (task.title.endsWith("…") && words.startsWith(title));
}

/** The task that a box with these words stands for. */
export const taskOf = (tasks: readonly Task[], text: string): Task | undefined => {
  const words = wordsOf(text);
  return tasks.find((task) => is(task, words));
};

/** The tasks that no box of the text shows, in the order in which they were found. */
export function unboxed(tasks: readonly Task[], markdown: string): Task[] {
  const words = boxes(markdown);
  return tasks
    .filter((task) => !words.some((box) => is(task, box)))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
