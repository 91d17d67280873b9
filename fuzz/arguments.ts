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
  /** null: until every count is reached */
  readonly minutes: number | null;
  /** cases by target; null for as many as there is time for. Only the targets that are tried. */
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

function optionsOf(targets: readonly TargetName[]): Options {
  const counts = targets.map(({ id, unit }): [string, Options[string]] => [
    unit,
    { value: 'N', help: `N cases of ${id}` },
  ]);
  return {
    minutes: {
      value: 'N',
      help: `duration in minutes               (default ${DEFAULT_MINUTES} where no count is given)`,
    },
    ...Object.fromEntries(counts),
    only: { value: 'ID,...', help: `these alone: ${targets.map(({ id }) => id).join(', ')}` },
    seed: { value: 'N', help: 'of every case                     (default: another each time)' },
    threads: { value: 'N', help: '(default: a thread per core)' },
    'against-scipy': { help: 'compare what is opened with what SciPy reads; needs python3 with NumPy and SciPy' },
    case: { value: 'FILE|JSON', help: 'try one case again, as printed' },
  };
}

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
  const number = (option: string, min: number, max: number, isWhole: boolean): number | null => {
    const text = options.value(option);
    if (text === undefined) return null;
    const value = numberIn(text);
    if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value;
    const kind = isWhole ? 'a whole number' : 'a number';
    throw new ArgumentError(`--${option}: found '${text}', expected ${kind} from ${min} to ${max}`);
  };
  const counted = targets.flatMap((target): (readonly [string, number])[] => {
    const count = number(target.unit, 0, 2 ** 31 - 1, true);
    return count === null ? [] : [[target.id, count]];
  });
  const minutes = number('minutes', 0, 24 * 60, false) ?? (counted.length > 0 ? null : DEFAULT_MINUTES);
  const only = onlyOf(options.value('only'), targets);
  const counts = new Map<string, number | null>(counted);
  // With counts but no minutes, only the counted targets are fuzzed; with minutes, the others share the remaining time.
  const tried = targets.filter(
    ({ id }) => (only === null || only.includes(id)) && (counts.has(id) || minutes !== null),
  );
  if (tried.length === 0)
    throw new ArgumentError('--only: found nothing that is counted, expected --minutes or its count');
  return {
    seed: number('seed', 0, 2 ** 32 - 1, true) ?? defaults.seed,
    minutes,
    counts: new Map(tried.map(({ id }) => [id, counts.get(id) ?? null])),
    threads: number('threads', 1, 256, true) ?? defaults.threads,
    againstScipy: options.has('against-scipy'),
    replay: options.value('case') ?? null,
  };
}

/** Returns the ids of the option --only; null without the option. */
function onlyOf(text: string | undefined, targets: readonly TargetName[]): readonly string[] | null {
  if (text === undefined) return null;
  const ids = text.split(',');
  const unknown = ids.find((id) => !targets.some((target) => target.id === id));
  if (unknown === undefined) return ids;
  throw new ArgumentError(`--only: found '${unknown}', expected one of ${targets.map((t) => t.id).join(', ')}`);
}
