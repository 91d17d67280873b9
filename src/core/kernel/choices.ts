/**
 * A constant of a kernel's plan that no rule sets well on every device, so a search finds it: one of a few values, or a
 * whole number in a range.
 */
export type Choice = {
  /** a plural, to follow a number: 'lanes' */
  readonly name: string;
  /** the value without a search, and where a search begins */
  readonly start: number;
} & (
  | { readonly kind: 'one-of'; readonly values: readonly number[] }
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
);

/** A setting: a value for each choice, by name. */
export type Chosen = Readonly<Record<string, number>>;

/** The setting, a value for each choice, without a search. */
export function startOf(choices: readonly Choice[]): Chosen {
  return Object.fromEntries(choices.map(({ name, start }) => [name, start]));
}

/**
 * Times settings: indices of those that ran, the fastest first. The first setting leads unless another beats it.
 */
export type Race = (settings: readonly Chosen[]) => Promise<readonly number[]>;

/** Steps of a range are halved down to this share of the value. */
const FINEST_STEP = 1 / 64;

/** Settings of one race when combinations of choices are tried. */
const RACE_SIZE = 8;

/**
 * Searches for the fastest setting, one choice after the other: all values of a 'one-of', with the best setting so far
 * and with the second; of a 'range' first the powers of two times its start, then neighbours of the best at ever
 * smaller distances. Then all other combinations of 'one-of' values, those that were fast alone first, because two
 * values may pay off only together. Never worse than the start, as far as `race` can tell. No setting is tried twice;
 * at most about 3 log2(max / min) + 12 settings for a range.
 */
export async function searchChoices(
  choices: readonly Choice[],
  race: Race,
  start: Chosen = startOf(choices),
): Promise<Chosen> {
  let best = start;
  const keyOf = (setting: Chosen): string => choices.map(({ name }) => setting[name]).join();
  const tried = new Set([keyOf(best)]);
  /** Races the best with new candidates; returns the settings that ran, the fastest first. */
  const improve = async (candidates: readonly Chosen[]): Promise<readonly Chosen[]> => {
    const settings = [best];
    for (const candidate of candidates) {
      if (tried.has(keyOf(candidate))) continue;
      tried.add(keyOf(candidate));
      settings.push(candidate);
    }
    if (settings.length === 1) return settings;
    const order = (await race(settings)).map((position) => settings[position]);
    best = order[0];
    return order;
  };
  const withValues = (setting: Chosen, { name }: Choice, values: readonly number[]): readonly Chosen[] =>
    values.map((value) => ({ ...setting, [name]: value }));
  /** values of each 'one-of', the fastest first */
  const valuesBySpeed: (readonly [name: string, values: readonly number[]])[] = [];
  /** The second best: a later choice may suit it better, and a short race hardly tells the two apart. */
  let second = best;
  for (const choice of choices) {
    const { name } = choice;
    if (choice.kind === 'one-of') {
      const order = await improve([best, second].flatMap((one) => withValues(one, choice, choice.values)));
      second = order[1] ?? second;
      valuesBySpeed.push([name, [...new Set([...order.map((setting) => setting[name]), ...choice.values])]]);
      continue;
    }
    /** the best setting with each of these values that is in the range */
    const inRange = (values: readonly number[]): readonly Chosen[] =>
      withValues(
        best,
        choice,
        values.map((value) => Math.round(value)).filter((value) => value >= choice.min && value <= choice.max),
      );
    const doubled: number[] = [];
    for (let value = choice.start; value <= choice.max; value *= 2) doubled.push(value);
    for (let value = choice.start / 2; value >= choice.min; value /= 2) doubled.push(value);
    await improve(inRange(doubled));
    const coarse = best[name];
    for (let step = coarse / 2; step >= Math.max(1, coarse * FINEST_STEP); step /= 2) {
      await improve(inRange([best[name] - step, best[name] + step]));
    }
  }
  const rest = bySpeedAlone(best, valuesBySpeed).filter((setting) => !tried.has(keyOf(setting)));
  for (let i = 0; i < rest.length; i += RACE_SIZE) await improve(rest.slice(i, i + RACE_SIZE));
  return best;
}

/** All combinations of values, ranked by speed: those with the smallest sum of ranks first. */
function bySpeedAlone(setting: Chosen, valuesBySpeed: readonly (readonly [name: string, values: readonly number[]])[]) {
  let combinations: readonly { readonly setting: Chosen; readonly rankSum: number }[] = [{ setting, rankSum: 0 }];
  for (const [name, values] of valuesBySpeed) {
    combinations = combinations.flatMap((one) =>
      values.map((value, rank) => ({ setting: { ...one.setting, [name]: value }, rankSum: one.rankSum + rank })),
    );
  }
  return combinations.toSorted((a, b) => a.rankSum - b.rankSum).map((one) => one.setting);
}
