/** Whether a message is nothing but a person's word about a question that waits. Pure. */
import type { Decision } from "../api/chat";
import type { Approval } from "./turns";

const YES = new Set([
  ...[
    "yes",
    "y",
    "yep",
    "yeah",
    "yes please",
    "ok",
    "okay",
    "sure",
    "allow",
    "approve",
    "approved",
    "go ahead",
  ],
  ...[
    "do it",
    "please do",
    "yes do it",
    "ja",
    "ja bitte",
    "jo",
    "klar",
    "gerne",
    "mach es",
    "mach das",
    "👍",
  ],
]);
const NO = new Set([
  ...["no", "n", "nope", "no thanks", "no thank you", "dont", "do not", "no dont", "stop", "cancel", "deny"],
  ...["reject", "never", "nein", "nein danke", "nee", "nicht", "lass es", "lieber nicht", "👎"],
]);

/** What "yes" or "no" decides; null for every other message: that is one of its own. */
export function wordOf(text: string, reason: Approval["reason"]): Decision | null {
  const bare = text
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}👍👎]+/gu, " ")
    .trim();
  if (YES.has(bare)) return reason === "egress_approval" ? "egress_allow_once" : "approve";
  if (NO.has(bare)) return reason === "egress_approval" ? "egress_deny" : "reject";
  return null;
}

/** What sending does to the question that waits, said before it is sent. */
export function beforehand(text: string, reason: Approval["reason"]): string {
  if (text.trim() === "") return "“Yes” or “no” answers it; a new message counts as no to the question above";
  const word = wordOf(text, reason);
  if (word === null) return "Sending this closes the question above as no";
  if (word === "egress_allow_once") return "Sends your yes to the question above, for this once";
  return `Sends your ${word === "approve" ? "yes" : "no"} to the question above`;
}
