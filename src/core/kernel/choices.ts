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
 * times its start, then neighbours of the best at ever smaller distances. Then all values of the few once more, beside
 * what the others have become. A local optimum, and never worse than the start, as far as `race` can tell. No setting
 * twice; at most about 3 log2(most / least) + 12 settings for a range, and twice its values for a choice among a few.
 */
export async function searchChoices(choices: readonly Choice[], race: Race): Promise<Chosen> {
  let best = startOf(choices);
  const keyOf = (setting: Chosen): string => choices.map(({ name }) => setting[name]).join();
  const tried = new Set([keyOf(best)]);
  const improve = async ({ name }: Choice, values: readonly number[]): Promise<void> => {
    const fresh = [...new Set(values)]
      .map((value): Chosen => ({ ...best, [name]: value }))
      .filter((setting) => !tried.has(keyOf(setting)));
    if (fresh.length === 0) return;
    for (const setting of fresh) tried.add(keyOf(setting));
    const settings = [best, ...fresh];
    best = settings[await race(settings)];
  };
  for (const choice of choices) {
    const { name } = choice;
    if (choice.kind === 'one-of') {
      await improve(choice, choice.values);
      continue;
    }
    const inside = (values: readonly number[]): number[] =>
      values.map((value) => Math.round(value)).filter((value) => value >= choice.least && value <= choice.most);
    const doubled: number[] = [];
    for (let value = choice.start; value <= choice.most; value *= 2) doubled.push(value);
    for (let value = choice.start / 2; value >= choice.least; value /= 2) doubled.push(value);
    await improve(choice, inside(doubled));
    const coarse = best[name];
    for (let step = coarse / 2; step >= Math.max(1, coarse * FINEST_STEP); step /= 2) {
      await improve(choice, inside([best[name] - step, best[name] + step]));
    }
  }
  for (const choice of choices) if (choice.kind === 'one-of') await improve(choice, choice.values);
  return best;
}
