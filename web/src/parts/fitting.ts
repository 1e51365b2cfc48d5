/** How many tags fit into the one line that a row has for them: reckoned, as measuring each row would slow the feed. */

/** Letters of the small size beside the age, in a row of the narrowest list. */
const ROOM = 34;
const GAP = 2;
const MORE = 4;
/** With more letters than that beside it, not even the sign of a tag has room. */
const CROWDED = 20;

/** How many of the tags to show, one at least where there is any room; `beside` is how many letters stand in the line already. */
export function fitting(tags: readonly string[], beside: number): number {
  let left = ROOM - (beside > 0 ? beside + GAP : 0);
  let shown = 0;
  for (const tag of tags) {
    left -= tag.length + 1 + (shown > 0 ? GAP : 0);
    // Where others stay out, their number needs room, too.
    if (left < (shown + 1 < tags.length ? MORE : 0)) break;
    shown += 1;
  }
  return Math.max(beside > CROWDED ? 0 : 1, shown);
}
