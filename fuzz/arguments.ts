// The command line of the fuzzer: `npm run fuzz`.

import {
  ArgumentError,
  numberIn,
  type Options,
  optionsHelp,
  readArguments,
  rejectOperands,
} from '../scripts/command-line.ts';

/** Which targets to fuzz, with how many cases or for how long. */
export interface FuzzArguments {
  readonly seed: number;
  /** time limit; null: until every count is reached */
  readonly minutes: number | null;
  /** cases by the id of each target that is fuzzed; null: as many as there is time for */
  readonly counts: ReadonlyMap<string, number | null>;
  readonly threads: number;
  readonly againstScipy: boolean;
  /** a case to try again: JSON, or the path of a file with it */
  readonly replay: string | null;
}

/** The properties of a target that `parseArguments` needs. */
export interface TargetName {
  readonly id: string;
  readonly unit: string;
}

export const DEFAULT_MINUTES = 1;

/** The numbers that an option accepts. */
interface Range {
  readonly min: number;
  readonly max: number;
  /** default true */
  readonly isWhole?: boolean;
}

function optionsOf(targets: readonly TargetName[]): Options {
  const countOptions = targets.map(({ id, unit }): [string, Options[string]] => [
    unit,
    { value: 'N', help: `N cases of ${id}` },
  ]);
  return {
    minutes: {
      value: 'N',
      help: `duration in minutes               (default ${DEFAULT_MINUTES} where no count is given)`,
    },
    ...Object.fromEntries(countOptions),
    only: { value: 'ID,...', help: `these alone: ${targets.map(({ id }) => id).join(', ')}` },
    seed: { value: 'N', help: 'of every case                     (default: another each time)' },
    threads: { value: 'N', help: '(default: a thread per core)' },
    'against-scipy': { help: 'compare what is opened with what SciPy reads; needs python3 with NumPy and SciPy' },
    case: { value: 'FILE|JSON', help: 'try one case again, as printed' },
  };
}

/** The help of the fuzzer. */
export function usage(targets: readonly TargetName[]): string {
  return `Usage: npm run fuzz -- [option value]...

${optionsHelp(optionsOf(targets))}

Exits with 1 when a law is broken or nothing was tried, with 2 when the command line is wrong.`;
}

/** Reads a command line. Throws ArgumentError with the option, found and expected. */
export function parseArguments(
  argv: readonly string[],
  targets: readonly TargetName[],
  defaults: { readonly seed: number; readonly threads: number },
): FuzzArguments {
  const options = readArguments(optionsOf(targets), argv);
  rejectOperands(options);
  const number = (option: string, { min, max, isWhole = true }: Range): number | null => {
    const text = options.value(option);
    if (text === undefined) return null;
    const value = numberIn(text);
    if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value;
    const kind = isWhole ? 'a whole number' : 'a number';
    throw new ArgumentError(`--${option}: found '${text}', expected ${kind} from ${min} to ${max}`);
  };
  const countsFromOptions = targets.flatMap((target): (readonly [string, number])[] => {
    const count = number(target.unit, { min: 0, max: 2 ** 31 - 1 });
    return count === null ? [] : [[target.id, count]];
  });
  const minutes =
    number('minutes', { min: 0, max: 24 * 60, isWhole: false }) ??
    (countsFromOptions.length > 0 ? null : DEFAULT_MINUTES);
  const onlyIds = onlyIdsOf(options.value('only'), targets);
  const counts = new Map<string, number | null>(countsFromOptions);
  // With counts but no minutes, only the counted targets are fuzzed; with minutes, the others share the remaining time.
  const fuzzedTargets = targets.filter(
    ({ id }) => (onlyIds === null || onlyIds.includes(id)) && (counts.has(id) || minutes !== null),
  );
  if (fuzzedTargets.length === 0)
    throw new ArgumentError('--only: found nothing that is counted, expected --minutes or its count');
  return {
    seed: number('seed', { min: 0, max: 2 ** 32 - 1 }) ?? defaults.seed,
    minutes,
    counts: new Map(fuzzedTargets.map(({ id }) => [id, counts.get(id) ?? null])),
    threads: number('threads', { min: 1, max: 256 }) ?? defaults.threads,
    againstScipy: options.has('against-scipy'),
    replay: options.value('case') ?? null,
  };
}

/** Returns the ids of the option --only; null without the option. */
function onlyIdsOf(text: string | undefined, targets: readonly TargetName[]): readonly string[] | null {
  if (text === undefined) return null;
  const ids = text.split(',');
  const unknown = ids.find((id) => !targets.some((target) => target.id === id));
  if (unknown === undefined) return ids;
  throw new ArgumentError(`--only: found '${unknown}', expected one of ${targets.map((t) => t.id).join(', ')}`);
}
