/**
 * A number of a kernel's plan that no rule gives for every device, so that a trial looks for it: one of a few values, or
 * a whole number of a range.
 */
export type Choice = {
  /** a plural, to follow a number: 'lanes' */
  readonly name: string;
  /** without a trial, and where a trial begins */
  readonly start: number;
} & (
  | { readonly kind: 'one-of'; readonly values: readonly number[] }
  | { readonly kind: 'range'; readonly least: number; readonly most: number }
);

/** A value for each choice, by name. */
export type Chosen = Readonly<Record<string, number>>;

/** What a plan takes without a trial. */
export function startOf(choices: readonly Choice[]): Chosen {
  return Object.fromEntries(choices.map(({ name, start }) => [name, start]));
}

/** Which of these is the fastest: its place. The first is the one that they have to beat. */
export type Race = (settings: readonly Chosen[]) => Promise<number>;

/** Steps of a range are halved until they are this part of the value. */
const FINEST_STEP = 1 / 64;

/**
 * Looks for the fastest setting, one choice after the other: all values of a few; of a range first the powers of two
 * times its start, then neighbours of the best at ever smaller distances. A local optimum, and never worse than the
 * start, as far as `race` can tell. At most about 3 log2(most / least) + 12 settings for a range.
 */
export async function searchChoices(choices: readonly Choice[], race: Race): Promise<Chosen> {
  let best = startOf(choices);
  for (const choice of choices) {
    const { name } = choice;
    const tried = new Set([best[name]]);
    const improve = async (values: readonly number[]): Promise<void> => {
      const fresh = [...new Set(values)].filter((value) => !tried.has(value));
      if (fresh.length === 0) return;
      for (const value of fresh) tried.add(value);
      const settings = [best, ...fresh.map((value) => ({ ...best, [name]: value }))];
      best = settings[await race(settings)];
    };
    if (choice.kind === 'one-of') {
      await improve(choice.values);
      continue;
    }
    const inside = (values: readonly number[]): number[] =>
      values.map((value) => Math.round(value)).filter((value) => value >= choice.least && value <= choice.most);
    const doubled: number[] = [];
    for (let value = choice.start; value <= choice.most; value *= 2) doubled.push(value);
    for (let value = choice.start / 2; value >= choice.least; value /= 2) doubled.push(value);
    await improve(inside(doubled));
    const coarse = best[name];
    for (let step = coarse / 2; step >= Math.max(1, coarse * FINEST_STEP); step /= 2) {
      await improve(inside([best[name] - step, best[name] + step]));
    }
  }
  return best;
}
