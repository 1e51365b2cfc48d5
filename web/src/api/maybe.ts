/** Shapes that the server's answers share. Added fields are dropped, missing optional ones are null. */
import * as z from "zod";

// Zod would otherwise probe for eval, which our Content-Security-Policy reports as a violation.
z.config({ jitless: true });

export const maybe = <T extends z.ZodType>(shape: T) => shape.nullish().transform((value) => value ?? null);

export const Json = z.record(z.string(), z.unknown());
