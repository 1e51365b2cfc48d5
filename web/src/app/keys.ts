/** All keys, in one table: what the `?` page lists is what works. */
export const KEYS = [
  { group: "Anywhere", keys: ["c"], does: "Capture" },
  { group: "Anywhere", keys: ["/"], does: "Search" },
  { group: "Anywhere", keys: ["j"], does: "Next note" },
  { group: "Anywhere", keys: ["k"], does: "Previous note" },
  { group: "Anywhere", keys: ["Enter"], does: "Open" },
  { group: "Anywhere", keys: ["Esc"], does: "Back, or close" },
  { group: "Anywhere", keys: ["n"], does: "Notes" },
  { group: "Anywhere", keys: ["o"], does: "Running work" },
  { group: "Anywhere", keys: ["z"], does: "Undo the last deletion" },
  { group: "Anywhere", keys: ["?"], does: "This list" },
  { group: "On a note", keys: ["e"], does: "Edit" },
  { group: "On a note", keys: ["Delete"], does: "Move to the bin" },
  { group: "While writing", keys: ["Ctrl", "Enter"], does: "Save (⌘ Enter on a Mac)" },
] as const;
