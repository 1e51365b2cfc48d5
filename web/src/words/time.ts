/** Times as people say them. */
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "just now", "3 min ago", "5 h ago", "2 days ago", then the date. */
export function ago(then: string, now: number): string {
  const at = Date.parse(then);
  if (Number.isNaN(at)) return "";
  const passed = now - at;
  if (passed < 45 * SECOND) return "just now";
  if (passed < HOUR) return `${Math.max(1, Math.floor(passed / MINUTE))} min ago`;
  if (passed < DAY) return `${Math.max(1, Math.floor(passed / HOUR))} h ago`;
  if (passed < 2 * DAY) return "1 day ago";
  if (passed < 7 * DAY) return `${Math.floor(passed / DAY)} days ago`;
  const date = new Date(at);
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" }),
  });
}

/** The whole time, for the title of a short one. */
export function fullTime(then: string): string {
  const at = new Date(then);
  return Number.isNaN(at.getTime())
    ? ""
    : at.toLocaleString("en-GB", { dateStyle: "full", timeStyle: "medium" });
}

/** How long something takes, to the nearest that a person would say: "8 s", "3 min", "1 h 20 min", "2 days 5 h", "7 days". */
export function duration(milliseconds: number): string {
  const whole = (unit: number) => Math.max(0, Math.round(milliseconds / unit));
  const seconds = whole(SECOND);
  if (seconds < 60) return `${seconds} s`;
  const minutes = whole(MINUTE);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return both(minutes, 60, "h", (rest) => `${rest} min`);
  const hours = whole(HOUR);
  if (hours < 3 * 24) return both(hours, 24, hours < 48 ? "day" : "days", (rest) => `${rest} h`);
  return `${whole(DAY)} days`;
}

/** "1 h 20 min", "1 h" */
function both(number: number, unit: number, name: string, less: (rest: number) => string): string {
  const rest = number % unit;
  const first = `${Math.floor(number / unit)} ${name}`;
  return rest === 0 ? first : `${first} ${less(rest)}`;
}

/** "next look in 4 s", or null when nothing is being waited for. */
export function nextLook(at: string | null, now: number): string | null {
  if (at === null) return null;
  const left = Date.parse(at) - now;
  if (Number.isNaN(left)) return null;
  return left < SECOND ? "looking now" : `next look in ${duration(left)}`;
}
