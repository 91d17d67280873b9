/** Whether the parameters that both have are equal. */
export function isAlike(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(a).every(([name, value]) => (b[name] ?? value) === value);
}
