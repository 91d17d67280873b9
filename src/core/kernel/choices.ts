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

/**
 * The places of those that come close to the fastest, the fastest first. The first setting is the one that they have to
 * beat: it leads where none of them does.
 */
export type Race = (settings: readonly Chosen[]) => Promise<readonly number[]>;

/** Steps of a range are halved until they are this part of the value. */
const FINEST_STEP = 1 / 64;

/**
 * Looks for the fastest setting, one choice after the other: all values of a few; of a range first the powers of two
 * times its start, then neighbours of the best at ever smaller distances. In the end, what came close in each of several
 * choices among a few is tried together: two values may pay only side by side. A local optimum, and never worse than the
 * start, as far as `race` can tell. No setting twice; at most about 3 log2(most / least) + 12 settings for a range.
 */
export async function searchChoices(choices: readonly Choice[], race: Race): Promise<Chosen> {
  let best = startOf(choices);
  const keyOf = (setting: Chosen): string => choices.map(({ name }) => setting[name]).join();
  const tried = new Set([keyOf(best)]);
  /** Those that came close to the fastest. */
  const improve = async (candidates: readonly Chosen[]): Promise<readonly Chosen[]> => {
    const settings = [best];
    for (const candidate of candidates) {
      if (tried.has(keyOf(candidate))) continue;
      tried.add(keyOf(candidate));
      settings.push(candidate);
    }
    if (settings.length === 1) return settings;
    const close = (await race(settings)).map((place) => settings[place]);
    best = close[0];
    return close;
  };
  const withValues = ({ name }: Choice, values: readonly number[]): readonly Chosen[] =>
    values.map((value) => ({ ...best, [name]: value }));
  /** per choice among a few, the values that came close */
  const finalists: (readonly [name: string, values: readonly number[]])[] = [];
  for (const choice of choices) {
    const { name } = choice;
    if (choice.kind === 'one-of') {
      const close = await improve(withValues(choice, choice.values));
      finalists.push([name, close.map((setting) => setting[name])]);
      continue;
    }
    const inside = (values: readonly number[]): readonly Chosen[] =>
      withValues(
        choice,
        values.map((value) => Math.round(value)).filter((value) => value >= choice.least && value <= choice.most),
      );
    const doubled: number[] = [];
    for (let value = choice.start; value <= choice.most; value *= 2) doubled.push(value);
    for (let value = choice.start / 2; value >= choice.least; value /= 2) doubled.push(value);
    await improve(inside(doubled));
    const coarse = best[name];
    for (let step = coarse / 2; step >= Math.max(1, coarse * FINEST_STEP); step /= 2) {
      await improve(inside([best[name] - step, best[name] + step]));
    }
  }
  let together: readonly Chosen[] = [best];
  for (const [name, values] of finalists) {
    together = together.flatMap((setting) => values.map((value) => ({ ...setting, [name]: value })));
  }
  await improve(together);
  return best;
}
