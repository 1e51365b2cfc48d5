/** Amounts, aligned and honest: nothing used is "free", a trace of money is never rounded to nothing. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  return amount < 0.01 ? "under $0.01" : `$${amount.toFixed(2)}`;
}

export function count(number: number): string {
  return number.toLocaleString("en-US");
}

export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}
