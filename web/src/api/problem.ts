/** What went wrong, in the three parts a person needs: what happened, what to do, and a code to quote. */
import * as z from "zod";

const Told = z.object({
  error: z.object({ code: z.string(), message: z.string(), next: z.string().nullish() }),
});

export class Problem extends Error {
  constructor(
    /** HTTP status; 0 where no answer came. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly next: string,
  ) {
    super(message);
    this.name = "Problem";
  }

  /** Nobody knows whether what was asked for was done. */
  get unsure(): boolean {
    return [0, 502, 504].includes(this.status);
  }

  static from(error: unknown): Problem {
    if (error instanceof Problem) return error;
    return new Problem(-1, "unexpected", "Something in this page went wrong.", "Reload the page.");
  }

  static unreached(): Problem {
    return new Problem(
      0,
      "offline",
      "Memex can’t be reached.",
      "Check the connection, or that Memex is running; then try again.",
    );
  }

  static unreadable(): Problem {
    return new Problem(
      -1,
      "unreadable",
      "Memex answered something that this page doesn’t understand.",
      "Reload the page: the server may be newer than it.",
    );
  }

  /** From an answer that is not a success. */
  static told(status: number, body: unknown): Problem {
    const found = Told.safeParse(body);
    if (found.success) {
      const { code, message, next } = found.data.error;
      return new Problem(status, code, message, next ?? "");
    }
    return new Problem(
      status,
      "unexplained",
      `Memex answered with an error (${status}).`,
      "Try again in a moment.",
    );
  }
}
