/** Smallest step of a clock in nanoseconds, found by watching it change. Runs for about 20 steps of the clock. */
export function clockStepNs(nowMs: () => number): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 20; i++) {
    const before = nowMs();
    let after = nowMs();
    while (after === before) after = nowMs();
    smallest = Math.min(smallest, (after - before) * 1e6);
  }
  return Math.round(smallest);
}
