/** What a research run costs, in words, before anyone pays. */
import type { Config } from "../api/config";
import { dollars } from "../words/money";

export function price(research: Config["research"] | undefined): string {
  if (!research) return "may cost money, within the day’s budget";
  if (!research.paid) return "free, from your own notes";
  const amount = research.cost_usd == null ? "costs money" : `about ${dollars(research.cost_usd)}`;
  return research.engine ? `${amount}, by ${research.engine}` : amount;
}
