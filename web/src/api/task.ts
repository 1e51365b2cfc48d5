/** Something to do, found in a note. */
import * as z from "zod";
import { maybe } from "./maybe";

export const Task = z.object({
  id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  title: z.string(),
  status: z.enum(["open", "done", "dropped"]).default("open"),
  source_note_id: maybe(z.string()),
});
export type Task = z.infer<typeof Task>;

export const TaskAnswer = z.object({ task: Task });
export const TaskPage = z.object({ tasks: z.array(Task), next_cursor: maybe(z.string()) });
export type TaskPage = z.infer<typeof TaskPage>;
