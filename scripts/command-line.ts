// Command lines of all programs: each has a table of options, by which arguments are parsed and the help is printed.

import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { version } from '../package.json' with { type: 'json' };
import { CancelledError, ReadError, SparseScopeError } from '../src/core/errors.ts';
import { messageOf } from '../src/core/error-messages.ts';

/** A wrong command line, or a file that cannot be read or written, in one message. */
export class ArgumentError extends SparseScopeError {
  override name = 'ArgumentError';
}

/** An option of a program. */
export interface Option {
  /** the name of its value in the help, such as FILE; an option without it is a flag */
  readonly value?: string;
  /** one letter: 'o' for -o */
  readonly short?: string;
  /** for the help; further lines are indented below the first */
  readonly help: string;
  /** whether it may be repeated; `value` then returns the last value, `all` every value */
  readonly isRepeatable?: true;
}

/** Options by their names, without the dashes, in the order of the help. */
export type Options = Readonly<Record<string, Option>>;

/** A command line that fits a table of options. */
export interface GivenArguments<Name extends string = string> {
  /** The value of an option; undefined if it was not given. */
  value(name: Name): string | undefined;
  /** Every value of an option that may be repeated. */
  all(name: Name): readonly string[];
  /** Whether an option was given. */
  has(name: Name): boolean;
  /** arguments that are no option, in order: files, names */
  readonly operands: readonly string[];
}

/** Supported by every program, and answered by `runProgram` before anything else is read. */
const OPTIONS: Options = {
  help: { short: 'h', help: 'print this' },
  version: { short: 'v', help: 'print the version' },
};

/**
 * Reads a command line by a table of options: `--name value`, `--name=value`, `-n value`, flags, operands, and operands
 * only after `--`. Throws ArgumentError for an unknown option, one given twice, a missing value, or a flag with one.
 */
export function readArguments<T extends Options>(
  options: T,
  argv: readonly string[],
): GivenArguments<keyof T & string> {
  const allOptions: Options = { ...options, ...OPTIONS };
  const { tokens } = parseArgs({ args: [...argv], options: configOf(allOptions), ...LENIENT });
  const valuesByName = new Map<string, string[]>();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName } = token;
    const option = Object.hasOwn(allOptions, name) ? allOptions[name] : undefined;
    if (!option) throw new ArgumentError(unknownOptionMessage(rawName, allOptions));
    const earlier = valuesByName.get(name);
    if (earlier && !option.isRepeatable) throw new ArgumentError(`${rawName}: found twice, expected once`);
    valuesByName.set(name, [...(earlier ?? []), valueOf(token, option)]);
  }
  return {
    value: (name) => valuesByName.get(name)?.at(-1),
    all: (name) => valuesByName.get(name) ?? [],
    has: (name) => valuesByName.has(name),
    operands,
  };
}

/** The index of the first operand in `argv`; null without one. Options that are not in the table count as flags. */
export function firstOperand(options: Options, argv: readonly string[]): number | null {
  const { tokens } = parseArgs({ args: [...argv], options: configOf(options), ...LENIENT });
  return tokens.find(({ kind }) => kind === 'positional')?.index ?? null;
}

/** Options of `parseArgs`. Not strict, since its own messages are for programmers, and it accepts an option given twice. */
const LENIENT = { strict: false, allowPositionals: true, tokens: true } as const;

function configOf(options: Options): Record<string, { type: 'boolean' | 'string'; short?: string }> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { value, short }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) },
    ]),
  );
}

interface OptionToken {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** The value of an option; '' for a flag. Throws ArgumentError for a missing or unexpected value. */
function valueOf({ rawName, value, inlineValue }: OptionToken, { value: expected }: Option): string {
  if (expected === undefined) {
    if (value === undefined) return '';
    throw new ArgumentError(`${rawName}: found the value '${value}', expected none`);
  }
  if (value === undefined) throw new ArgumentError(`${rawName}: found no value after it, expected one`);
  // -o=FILE is accepted, as some programs do; for a file whose name begins with =, write -o ./=FILE.
  if (inlineValue === true) return rawName.startsWith('--') ? value : value.replace(/^=/, '');
  // The next word is an option, so the value is missing. Negative numbers are values, and - is standard input or output.
  if (/^-(?:-|[a-z])/i.test(value)) {
    throw new ArgumentError(
      `${rawName}: found no value after it, expected one (${rawName.startsWith('--') ? `${rawName}=${value}` : `${rawName}${value}`} if '${value}' is meant)`,
    );
  }
  return value;
}

/** Throws ArgumentError if anything besides options was given. */
export function rejectOperands({ operands }: GivenArguments): void {
  if (operands.length > 0) throw new ArgumentError(`found '${operands[0]}', expected options only; see --help`);
}

/** The number that a text states; NaN if it states none, and for an empty or blank text. */
export function numberIn(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

function unknownOptionMessage(found: string, options: Options): string {
  const names = Object.keys(options).map((name) => `--${name}`);
  const shorts = Object.values(options).flatMap(({ short }) => (short === undefined ? [] : [`-${short}`]));
  return `found '${found}', expected one of ${names.join(', ')}${didYouMean(found, [...names, ...shorts])}`;
}

/** '; did you mean --shapes?', or '' if none of `words` is similar to `found`. */
export function didYouMean(found: string, words: readonly string[]): string {
  const limit = Math.max(1, Math.floor(found.replace(/^-+/, '').length / 3));
  const similarWords = words
    .map((word) => ({ word, edits: editsBetween(found.toLowerCase().slice(0, 64), word) }))
    .filter(({ word, edits }) => edits <= limit || (found.length > 3 && word.startsWith(found)))
    .toSorted((a, b) => a.edits - b.edits);
  return similarWords.length === 0 ? '' : `; did you mean ${similarWords[0].word}?`;
}

/** The edit distance of two words (Damerau-Levenshtein): letters inserted, deleted, replaced, or swapped with the next. */
function editsBetween(a: string, b: string): number {
  // Entry j of the row of i is the distance of the first i letters of a and the first j of b; the last two rows are kept.
  let [rowBeforeLast, lastRow] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(lastRow[j] + 1, row[j - 1] + 1, lastRow[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j], rowBeforeLast[j - 2] + 1);
      }
    }
    [rowBeforeLast, lastRow] = [lastRow, row];
  }
  return lastRow[b.length];
}

/** The column of the help at which the descriptions of options begin. */
const HELP_COLUMN = 29;

/** A table of options as lines of the help, with --help and --version. */
export function optionsHelp(options: Options): string {
  return Object.entries({ ...options, ...OPTIONS })
    .map(([name, { value, short, help }]) => {
      const head = `  ${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
      const lines = help.split('\n').map((line, i) => (i === 0 ? line : `${' '.repeat(HELP_COLUMN)}${line}`));
      // An option that is too long for its column is followed by its help on the same line.
      return `${head.padEnd(HELP_COLUMN - 2)}  ${lines.join('\n')}`;
    })
    .join('\n');
}

/** 'help' or 'version' if the command line requests one of these instead of the program's work. */
export function requestedPage(argv: readonly string[]): 'help' | 'version' | null {
  const end = argv.indexOf('--');
  for (const argument of end < 0 ? argv : argv.slice(0, end)) {
    if (argument === '--help' || argument === '-h') return 'help';
    if (argument === '--version' || argument === '-v') return 'version';
  }
  return null;
}

/** The exit code for a wrong command line, or a file that cannot be read or written. */
const WRONG_INPUT = 2;
/** The exit code that a shell reports after SIGINT. */
const INTERRUPTED = 130;
/** The exit code that a shell reports after SIGPIPE, for a closed pipe. */
const CLOSED_PIPE = 141;

/**
 * Runs a program, and sets `process.exitCode`, which it also returns once all output is written: what `main` returns, 2
 * for an ArgumentError or ReadError, 130 if it was cancelled, and 1 for any other SparseScopeError, with a message on
 * stderr for each error. Answers --help and --version. If standard output is closed, the program ends silently; if it
 * cannot be written, as on a full disk, it ends with a message and 2, so that no result is lost silently.
 */
export async function runProgram(
  name: string,
  help: string,
  main: (argv: readonly string[]) => number | Promise<number>,
  argv: readonly string[] = process.argv.slice(2),
): Promise<number> {
  const endOnWriteError = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE') process.exit(CLOSED_PIPE);
    // Synchronous, unlike console.error, since the process ends here.
    writeSync(
      2,
      `${name}: standard output: found that it cannot be written (${error.message}), expected room for it\n`,
    );
    process.exit(WRONG_INPUT);
  };
  process.stdout.on('error', endOnWriteError);
  let code = 0;
  try {
    const requested = requestedPage(argv);
    if (requested === null) code = await main(argv);
    else console.log(requested === 'help' ? help : `sparsescope ${version}`);
  } catch (error) {
    if (!(error instanceof SparseScopeError)) throw error;
    console.error(`${name}: ${messageOf(error)}`);
    if (error instanceof CancelledError) code = INTERRUPTED;
    else code = error instanceof ArgumentError || error instanceof ReadError ? WRONG_INPUT : 1;
  }
  process.exitCode = code;
  // Waits for all output. An error is reported by a separate event, which comes after the callback of `write`.
  await new Promise<void>((resolve) => void process.stdout.write('', () => setImmediate(resolve)));
  process.stdout.off('error', endOnWriteError);
  return code;
}
