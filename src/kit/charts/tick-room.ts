/** The width of a digit in the axes' font, px. */
const DIGIT = 7.3;
/** The gap between two labels, px. */
const GAP = 6;

/** The ticks of an axis whose labels do not overlap; of two that would, the one in `first` stays, or else the earlier one. */
export function ticksWithRoom(
  ticks: readonly number[],
  first: readonly number[],
  x: (tick: number) => number,
  text: (tick: number) => string,
): readonly number[] {
  const kept: { readonly tick: number; readonly from: number; readonly to: number }[] = [];
  for (const tick of new Set([...first.filter((t) => ticks.includes(t)), ...ticks])) {
    const half = (text(tick).length * DIGIT + GAP) / 2;
    const from = x(tick) - half;
    const to = x(tick) + half;
    if (kept.every((other) => to <= other.from || from >= other.to)) kept.push({ tick, from, to });
  }
  return kept.map(({ tick }) => tick);
}
