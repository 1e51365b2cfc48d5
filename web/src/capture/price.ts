/** What a research run costs, in words, before anyone pays. */
import type { Config, Offer } from "../api/config";
import { dollars } from "../words/money";

/** By whom it is done: as it was chosen in the settings, and without that as the deployment does it. */
export function offered({ research, engines }: Config, chosen: string | undefined): Offer | null {
  return (chosen === undefined ? null : engines?.[chosen]) ?? research ?? null;
}

export function price(research: Offer | null): string {
  if (!research) return "may cost money, within the day’s budget";
  if (research.model) return `by ${research.engine ?? "agents"}, free but for the chat’s model`;
  if (!research.paid) return "free, from your own notes";
  const amount = research.cost_usd == null ? "costs money" : `about ${dollars(research.cost_usd)}`;
  return research.engine ? `${amount}, by ${research.engine}` : amount;
}
