import { parseArgs } from 'node:util';
import { messageOf, SparseScopeError } from '../src/core/errors.ts';

/** A wrong command line: one sentence. */
export class ArgumentError extends SparseScopeError {
  override name = 'ArgumentError';
}

/** What to try, and for how long. */
export interface FuzzArguments {
  readonly seed: number;
  /** null: until every count is reached */
  readonly minutes: number | null;
  /** cases by target; null for as many as there is time for. Only the targets that are tried. */
  readonly counts: ReadonlyMap<string, number | null>;
  readonly threads: number;
  readonly againstScipy: boolean;
  /** a case to try again: JSON, or the path of a file that holds it */
  readonly replay: string | null;
}

/** The properties of a target that `parseArguments` needs. */
export interface TargetName {
  readonly id: string;
  readonly unit: string;
}

export const DEFAULT_MINUTES = 1;

export function usage(targets: readonly TargetName[]): string {
  const ids = targets.map((t) => t.id);
  const counts = targets.map((t) => `  --${t.unit} N`.padEnd(24) + `N cases of ${t.id}`);
  return `Usage: npm run fuzz -- [option value]...

  --minutes N           how long                          (default ${DEFAULT_MINUTES} where no count is given)
${counts.join('\n')}
  --only ${ids.join('|')}    these alone, with commas between them
  --seed N              of every case                     (default: another each time)
  --threads N           (default: a thread per core)
  --against-scipy       compare what is opened with what SciPy reads; needs python3 with NumPy and SciPy
  --case FILE|JSON      try one case again, as it was printed

Exits with 1 when a law is broken, with 2 when the command line is wrong.`;
}

/** Reads a command line. Throws ArgumentError with the option, found and expected. */
export function parseArguments(
  argv: readonly string[],
  targets: readonly TargetName[],
  defaults: { readonly seed: number; readonly threads: number },
): FuzzArguments {
  const given = optionsOf(argv, targets);
  const number = (option: string, min: number, max: number, isWhole: boolean): number | null => {
    const text = given[option];
    if (typeof text !== 'string') return null;
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value;
    const kind = isWhole ? 'a whole number' : 'a number';
    throw new ArgumentError(`--${option}: found '${text}', expected ${kind} from ${min} to ${max}`);
  };
  const counted = targets.flatMap((target): (readonly [string, number])[] => {
    const count = number(target.unit, 0, 2 ** 31 - 1, true);
    return count === null ? [] : [[target.id, count]];
  });
  const minutes = number('minutes', 0, 24 * 60, false) ?? (counted.length > 0 ? null : DEFAULT_MINUTES);
  const only = onlyOf(given['only'], targets);
  const known = new Map<string, number | null>(counted);
  // Counts without minutes are all that is wanted; with minutes, the others share the remaining time.
  const tried = targets.filter(({ id }) => (only === null || only.includes(id)) && (known.has(id) || minutes !== null));
  if (tried.length === 0)
    throw new ArgumentError('--only: found nothing that is counted, expected --minutes or its count');
  return {
    seed: number('seed', 0, 2 ** 32 - 1, true) ?? defaults.seed,
    minutes,
    counts: new Map(tried.map(({ id }) => [id, known.get(id) ?? null])),
    threads: number('threads', 1, 256, true) ?? defaults.threads,
    againstScipy: given['against-scipy'] === true,
    replay: typeof given['case'] === 'string' ? given['case'] : null,
  };
}

function optionsOf(argv: readonly string[], targets: readonly TargetName[]): Record<string, unknown> {
  const texts = ['minutes', 'seed', 'threads', 'only', 'case', ...targets.map((t) => t.unit)];
  const options = Object.fromEntries(texts.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...argv], options: { ...options, 'against-scipy': { type: 'boolean' } } }).values;
  } catch (error) {
    // The first line is the problem, the others the usage.
    throw new ArgumentError(messageOf(error).split('\n')[0]);
  }
}

function onlyOf(text: unknown, targets: readonly TargetName[]): readonly string[] | null {
  if (typeof text !== 'string') return null;
  const ids = text.split(',');
  const unknown = ids.find((id) => !targets.some((target) => target.id === id));
  if (unknown === undefined) return ids;
  throw new ArgumentError(`--only: found '${unknown}', expected one of ${targets.map((t) => t.id).join(', ')}`);
}
