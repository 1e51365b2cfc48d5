/** A fresh Idempotency-Key. (randomUUID exists on secure origins only, getRandomValues everywhere.) */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
