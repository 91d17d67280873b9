#!/usr/bin/env node
import { statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import {
  ArgumentError,
  didYouMean,
  type GivenArguments,
  firstOperand,
  type Options,
  optionsHelp,
  readArguments,
  runProgram,
} from '../../scripts/command-line.ts';
import { largest } from '../../src/core/number/statistics.ts';
import { noteText } from '../../src/core/encoded/admission.ts';
import { SparseScopeError, withVisibleSigns } from '../../src/core/errors.ts';
import { isOwnError, messageOf, quotedWords } from '../../src/core/error-messages.ts';
import type { Job, Progress } from '../../src/core/job.ts';
import { density, type Matrix } from '../../src/core/matrix/index.ts';
import {
  countMatrix,
  type FileContents,
  listTensors,
  type ReadOptions,
  TensorChoiceError,
  type MatrixFile,
  OtherFileError,
} from '../../src/io/index.ts';
import type { Stored } from '../../src/lib/encode.ts';
import { encode } from '../../src/lib/on-demand.ts';
import { MATRIX_KINDS, readMatrix, readStored, STORED_KINDS, writeMatrix, writeStored } from '../../src/lib/files.ts';
import { formatById, formats } from '../../src/lib/formats.ts';
import { paramsOf } from '../arguments.ts';
import { checkOutput, writeAtomically } from '../output-file.ts';
import { CHOOSE_HELP, CHOOSE_OPTIONS, chooseForFile, chooseForModel, isKnownModel } from './choose.ts';
import { matrixFile, ProgressLine } from './matrix-file.ts';
import { PROGRAMS } from './programs.ts';

/** `npx sparsescope`: commands that inspect, encode and decode files, and programs that measure and verify kernels. */

const FORMATS = formats.map(({ id }) => id).join(', ');

/** The options of all commands that work on files. Each command lists the names of its options. */
const OPTIONS = {
  tensor: { value: 'NAME', help: 'which tensor of a file with several' },
  as: { value: 'entries|table', help: 'what a line of a text file is: an entry of a list, or a row of a table' },
  format: { value: 'ID', help: 'one of the formats below' },
  params: { value: 'NAME=VALUE,...', help: 'of the format; the others take their default' },
  output: { value: 'OUT', short: 'o', help: 'the file to write; - is standard output' },
  kind: { value: 'KIND', help: 'of OUT, where its name does not show it' },
  ...CHOOSE_OPTIONS,
  json: { help: 'what was found, as JSON on standard output' },
} as const satisfies Options;

type CommandArguments = GivenArguments<keyof typeof OPTIONS>;

/** The result of a command: its facts, and how they are printed. */
interface CommandResult {
  /** printed as JSON with --json, otherwise one line per member */
  readonly facts: Readonly<Record<string, unknown>>;
  /** without --json, a table that replaces the facts named in `replacedFacts` */
  readonly table?: { readonly replacedFacts: readonly string[]; readonly text: string };
  /** printed alone with --csv */
  readonly csv?: string;
  /** message about an error in the input, printed after the facts; exit code 2 */
  readonly inputError?: string;
}

interface Command {
  readonly usage: string;
  readonly does: string;
  readonly options: readonly (keyof typeof OPTIONS)[];
  /** further lines of its help */
  readonly more: string;
  run(args: CommandArguments): Promise<CommandResult>;
}

/** Maximum size of standard input, which is read into memory: more than any reader decompresses. */
const MAX_STDIN_BYTES = 2 ** 32;

async function standardInput(): Promise<MatrixFile> {
  if (process.stdin.isTTY)
    throw new ArgumentError("'-': found a terminal, expected a file or a pipe as standard input");
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer<ArrayBuffer>>) {
    size += chunk.length;
    if (size > MAX_STDIN_BYTES) throw new ArgumentError("'-': found more than 4 GiB, expected less; name the file");
    chunks.push(chunk);
  }
  return new File(chunks, nameOf('-'));
}

const nameOf = (path: string): string => (path === '-' ? 'standard input' : basename(path));

async function fileAt(path: string): Promise<MatrixFile> {
  if (path === '-') return standardInput();
  try {
    return await matrixFile(path);
  } catch (error) {
    throw new ArgumentError(`'${path}': found no file that can be read (${quotedWords(error)}), expected one`);
  }
}

function isSameFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (first === undefined || second === undefined) return false;
  return first.isFile() && first.ino === second.ino && first.dev === second.dev;
}

/** The path of -o and the kind of its file. Throws ArgumentError before any work if they are wrong or cannot be written. */
function outputFile<K extends string>(
  args: CommandArguments,
  kinds: readonly K[],
): { readonly path: string; readonly kind: K } {
  const path = args.value('output');
  const kindOption = args.value('kind');
  const files = `a file .${kinds.join(' or .')}`;
  if (path === undefined) throw new ArgumentError(`-o: found none, expected ${files}, or - for standard output`);
  const requested = kindOption ?? (path === '-' ? kinds[0] : extname(path).slice(1));
  const kind = kinds.find((name) => name === requested);
  if (kind === undefined) {
    throw new ArgumentError(
      kindOption === undefined
        ? `-o: found '${path}', expected ${files}`
        : `--kind: found '${kindOption}', expected one of ${kinds.join(', ')}`,
    );
  }
  const kindOfName = kinds.find((name) => name === extname(path).slice(1) && name !== kind);
  if (kindOfName !== undefined)
    throw new ArgumentError(`--kind: found '${kind}' for '${path}', expected ${kindOfName}`);
  if (path === '-') {
    if (args.has('json'))
      throw new ArgumentError('--json: found it with -o -, expected only one of them on standard output');
    if (process.stdout.isTTY)
      throw new ArgumentError('-o: found a terminal, expected a file or a pipe as standard output');
    return { path, kind };
  }
  if (isSameFile(args.operands[0], path))
    throw new ArgumentError(`-o: found '${path}', expected another file than the one that is read`);
  checkOutput('-o', path);
  return { path, kind };
}

async function write(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  if (path !== '-') return writeAtomically('-o', path, pieces);
  for (const piece of pieces) {
    await new Promise<void>((written) => void process.stdout.write(piece, () => written()));
  }
}

const matrixFacts = ({ rows, cols, nnz }: Pick<Matrix, 'rows' | 'cols' | 'nnz'>, notes: readonly string[]) => ({
  rows,
  cols,
  nnz,
  density: density({ rows, cols, nnz }),
  ...(notes.length > 0 && { notes }),
});

/** The facts of a stored matrix. `losses` is null for a matrix that was read from a file. */
const storedFacts = ({ format, params, encoded, arrays, bytes, losses }: Stored) => ({
  format: format.id,
  params,
  rows: encoded.rows,
  cols: encoded.cols,
  nnz: encoded.nnz,
  bytes,
  arrays: Object.fromEntries(Object.entries(arrays).map(([name, { length }]) => [name, length])),
  losses,
});

/** Shows the progress of the command in the terminal. */
const progress = new ProgressLine();

/** The columns of a choice that are printed without --csv and --json. */
const CHOOSE_TABLE_COLUMNS = [
  'matrix',
  'rows',
  'columns',
  'count',
  'format',
  'bytes',
  'predicted ns',
  'runner-up',
  'bytes of runner-up',
];

/** The progress of a command that prints what it has when the user interrupts it (Ctrl+C); a second time ends it. */
class InterruptibleJob implements Job {
  cancelled = false;
  readonly #interrupt = (): void => void (this.cancelled = true);

  constructor() {
    process.once('SIGINT', this.#interrupt);
  }

  report(step: Progress): void {
    progress.report(step);
  }

  end(): void {
    process.off('SIGINT', this.#interrupt);
  }
}

/** Prints notes on standard error: standard output is for results. */
function printNotes(notes: readonly string[]): void {
  for (const note of notes) console.error(`sparsescope: ${visibleText(note)}`);
}

/** Reads the matrix of a file as the options specify, and prints its notes. */
async function readInput<T extends { readonly notes: readonly string[] }>(
  args: CommandArguments,
  read: (options: ReadOptions) => Promise<T>,
): Promise<T> {
  const tensor = args.value('tensor');
  const linesAs = args.value('as');
  if (linesAs !== undefined && linesAs !== 'entries' && linesAs !== 'table') {
    throw new ArgumentError(`--as: found '${linesAs}', expected entries or table`);
  }
  try {
    const contents = await read({ ...(tensor !== undefined && { tensor }), ...(linesAs && { as: linesAs }) });
    progress.clear();
    printNotes(contents.notes);
    return contents;
  } catch (error) {
    if (!(error instanceof TensorChoiceError)) throw error;
    const name = args.operands[0];
    throw new ArgumentError(
      `--tensor: found none, expected one of the ${error.tensors.length} tensors of '${name}'; sparsescope inspect lists them`,
    );
  }
}

/** The encoded matrix in a file; null for a file of another kind. */
async function storedIn(file: MatrixFile): Promise<Stored | null> {
  try {
    return await readStored(file);
  } catch (error) {
    if (error instanceof OtherFileError) return null;
    throw error;
  }
}

/** A table of the tensors of a file, with the reason why some cannot be opened. */
function tensorList(name: string, { format, tensors, truncation = null }: FileContents): CommandResult {
  const allTensors = tensors ?? [];
  const rejected = allTensors.filter((tensor) => tensor.refused !== null);
  const cells = allTensors.map(({ name, dtype, shape, refused: reason }) =>
    [name, dtype, shape.length === 0 ? '-' : shape.join(' × '), reason ?? ''].map(visibleText),
  );
  const head = ['name', 'dtype', 'shape', rejected.length > 0 ? 'cannot be opened' : ''];
  return {
    facts: {
      kind: format,
      tensors: Object.fromEntries(allTensors.map(({ name, shape }) => [name, shape])),
      dtypes: Object.fromEntries(allTensors.map(({ name, dtype }) => [name, dtype])),
      ...(rejected.length > 0 && {
        refused: Object.fromEntries(rejected.map(({ name, refused: why }) => [name, why])),
      }),
      ...(truncation !== null && { truncation }),
    },
    table: {
      replacedFacts: ['tensors', 'dtypes', 'refused', 'truncation'],
      text: `tensors: ${allTensors.length}\n\n${tableText([head, ...cells])}`,
    },
    ...(truncation !== null && { inputError: `${name}: ${truncation}` }),
  };
}

/** Rows of cells as lines, each column as wide as its widest cell. */
function tableText(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => largest(rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The commands that work on files, by name. */
const COMMANDS: Readonly<Record<string, Command>> = {
  inspect: {
    usage: 'inspect FILE [option]...',
    does: 'what a file contains; of a matrix its size and non-zeros',
    options: ['tensor', 'as', 'json'],
    more: `FILE may be whatever the page opens, or - for standard input.

Examples:
  sparsescope inspect model.safetensors
  sparsescope inspect model.safetensors --tensor model.layers.0.mlp.up_proj.weight --json`,
    async run(args) {
      const file = await fileAt(args.operands[0]);
      const isTensorNamed = args.has('tensor');
      const storedMatrix = isTensorNamed ? null : await storedIn(file);
      if (storedMatrix) return { facts: storedFacts(storedMatrix) };
      const contents = await listTensors(file);
      const { format, tensors, preferred, truncation } = contents;
      const isOneMatrix = tensors?.length === 1 && tensors[0].refused === null && !truncation;
      if (!isTensorNamed && tensors && preferred === null && !isOneMatrix)
        return tensorList(nameOf(args.operands[0]), contents);
      const counted = await readInput(args, (options) => countMatrix(file, options, progress));
      const { tensor, notes } = counted;
      return { facts: { kind: format, ...(tensor !== null && { tensor }), ...matrixFacts(counted, notes) } };
    },
  },
  encode: {
    usage: 'encode FILE --format ID -o OUT [option]...',
    does: 'stores a matrix in a format, as .npz or .safetensors',
    options: ['format', 'output', 'tensor', 'as', 'params', 'kind', 'json'],
    more: `FILE may be whatever the page opens, or - for standard input.
KIND is npz or safetensors.

Formats: ${FORMATS}

Examples:
  sparsescope encode layer.safetensors --tensor weight --format macko -o layer.npz
  sparsescope encode a.mtx --format macko --params deltaBits=8,valueType=f32 -o a.npz`,
    async run(args) {
      const { path, kind } = outputFile(args, STORED_KINDS);
      const id = args.value('format') ?? '';
      if (!formats.some((format) => format.id === id)) {
        throw new ArgumentError(`--format: found '${id}', expected one of ${FORMATS}`);
      }
      const format = formatById(id);
      const paramSets = paramsOf(args.value('params') ?? null, [format], [id])[id];
      if (paramSets.length !== 1)
        throw new ArgumentError(`--params: found ${paramSets.length} sets of values, expected one`);
      const file = await fileAt(args.operands[0]);
      const { matrix, notes } = await readInput(args, (options) => readMatrix(file, options, progress));
      const storedMatrix: Stored = encode(matrix, format, paramSets[0], progress);
      const support = format.admits(matrix, storedMatrix.params);
      const lossNotes = support.ok ? support.notes.map(noteText) : [];
      printNotes(lossNotes);
      await write(path, await writeStored(storedMatrix, kind));
      const allNotes = [...notes, ...lossNotes];
      return { facts: { ...storedFacts(storedMatrix), ...(allNotes.length > 0 && { notes: allNotes }) } };
    },
  },
  choose: {
    usage: 'choose WHAT [option]...',
    does: 'the best format for every matrix of a model',
    options: ['objective', 'device', 'prune', 'norms', 'values', 'budget', 'csv', 'json'],
    more: CHOOSE_HELP,
    async run(args) {
      const [what] = args.operands;
      if (args.has('csv') && args.has('json'))
        throw new ArgumentError('--csv: found it with --json, expected one of them');
      const value = (name: keyof typeof CHOOSE_OPTIONS): string | undefined => args.value(name);
      const job = new InterruptibleJob();
      const norms = value('norms');
      const { facts, lines, columns, rows, csv, inputError } = isKnownModel(what)
        ? chooseForModel(what, value)
        : await chooseForFile(
            await fileAt(what),
            nameOf(what),
            value,
            job,
            norms === undefined ? null : await fileAt(norms),
          ).finally(() => job.end());
      const columnPositions = CHOOSE_TABLE_COLUMNS.map((name) => columns.indexOf(name));
      const cells = [columns, ...rows].map((row) => columnPositions.map((i) => visibleText(String(row[i] ?? ''))));
      return {
        facts,
        csv,
        ...(rows.length > 0 && {
          table: {
            replacedFacts: Object.keys(facts),
            text: `${lines.map(visibleText).join('\n')}\n\n${tableText(cells)}`,
          },
        }),
        ...(inputError !== undefined && { inputError }),
      };
    },
  },
  decode: {
    usage: 'decode FILE -o OUT [option]...',
    does: 'the matrix of a file that encode has written, as .mtx or .npz',
    options: ['output', 'kind', 'json'],
    more: `FILE is one that encode or the page has written, or - for standard input.
KIND is mtx or npz.

Example:
  sparsescope decode layer.npz -o layer.mtx`,
    async run(args) {
      const { path, kind } = outputFile(args, MATRIX_KINDS);
      const matrix = (await readStored(await fileAt(args.operands[0]))).decode();
      await write(path, writeMatrix(matrix, kind));
      return { facts: matrixFacts(matrix, []) };
    },
  },
};

/** A line of help for each command: its name and what it does. */
const commandLines = (commands: readonly (readonly [name: string, does: string])[]): string =>
  commands.map(([name, does]) => `  ${name.padEnd(10)} ${does}`).join('\n');

const USAGE = `Usage: sparsescope COMMAND [option value]...

Works on files of matrices; FILE or OUT may be -, standard input or output:

${commandLines(Object.entries(COMMANDS).map(([name, { does }]) => [name, does]))}

Measures and proves:

${commandLines(Object.entries(PROGRAMS).map(([name, { does }]) => [name, does]))}

  help COMMAND, COMMAND --help   the options of a command
  --version                      the version

Example:
  sparsescope encode layer.safetensors --tensor weight --format macko -o layer.npz

Formats: ${FORMATS}
Reads what the page reads. Exits with 0 when all went well, with 1 when a result is wrong, with 2 when input is or a file
cannot be written.`;

/** A table of the options of a command. */
const optionsOf = ({ options }: Command): Options => Object.fromEntries(options.map((name) => [name, OPTIONS[name]]));

const helpOf = (command: Command): string => `Usage: sparsescope ${command.usage}

${command.does}

${optionsHelp(optionsOf(command))}

${command.more}`;

/** A character as an escape of JSON, such as \u001b. */
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON on one line; control and invisible characters are escaped, which parses to the same value. */
const jsonText = (value: unknown): string => withVisibleSigns(JSON.stringify(value), escaped);

/** Text from a file, escaped as in JSON if it contains control or invisible characters. */
function visibleText(text: string): string {
  return withVisibleSigns(text, escaped) === text && !text.includes('\t') ? text : jsonText(text);
}

/** A fact as text: an object as its names and values, in one line. */
const factText = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .map(([name, member]) => `${visibleText(name)} ${visibleText(String(member))}`)
        .join(', ')
    : visibleText(String(value));

/** The output of a command without --json. */
function resultText({ facts, table }: CommandResult): string {
  // Notes are on standard error. The rounding that every value has is only printed on request.
  const hidden = ['notes', 'losses', ...(table?.replacedFacts ?? [])];
  const printedFacts = Object.entries(facts).filter(([name]) => !hidden.includes(name));
  return [...printedFacts.map(([name, value]) => `${name}: ${factText(value)}`), ...(table ? [table.text] : [])].join(
    '\n',
  );
}

async function runCommand(name: string, argv: readonly string[]): Promise<number> {
  const command = COMMANDS[name];
  const args: CommandArguments = readArguments(optionsOf(command), argv);
  if (args.operands.length !== 1) {
    throw new ArgumentError(`${name}: found ${args.operands.length} files, expected one`);
  }
  try {
    const result = await command.run(args).finally(() => progress.clear());
    // With -o -, standard output contains the matrix.
    if (args.value('output') === '-') console.error(resultText(result));
    else if (args.has('csv')) process.stdout.write(result.csv ?? '');
    else console.log(args.has('json') ? jsonText(result.facts) : resultText(result));
    if (result.inputError === undefined) return 0;
    throw new ArgumentError(result.inputError);
  } catch (error) {
    // These errors are about the input, so the exit code is 2, which ArgumentError has.
    if (error instanceof SparseScopeError) throw new ArgumentError(error.message);
    throw error;
  }
}

const NAMES = [...Object.keys(COMMANDS), ...Object.keys(PROGRAMS)];

function unknownCommand(found: string): ArgumentError {
  return new ArgumentError(`found '${found}', expected ${NAMES.join(', ')}; see --help${didYouMean(found, NAMES)}`);
}

/** Runs a program with separate options. */
function startProgram(name: string, argv: readonly string[]): void {
  process.argv.splice(2, Infinity, ...argv); // bounded: a command line
  // Not awaited: the program may import what is bundled with this module, and would wait for it, too.
  PROGRAMS[name].load().catch((error: unknown) => {
    console.error(`sparsescope: ${isOwnError(error) ? messageOf(error) : quotedWords(error)}`);
    process.exitCode = 2;
  });
}

/** Runs `main` for the words after the command; prints help and errors as every program of this package does. */
const runWithHelp = (
  help: string,
  main: (argv: readonly string[]) => number | Promise<number>,
  argv: readonly string[],
) => runProgram('sparsescope', help, main, argv);

/** Finds the command, the first word that is neither an option nor its value, and runs it. */
async function main(argv: readonly string[]): Promise<void> {
  const position = firstOperand(OPTIONS, argv);
  const [word, otherWords] = position === null ? ['', argv] : [argv[position], argv.toSpliced(position, 1)];
  const isHelp = word === 'help' && otherWords.length < 2;
  const [name, commandArgv] = isHelp ? [otherWords[0] ?? '', ['--help']] : [word, otherWords];
  if (Object.hasOwn(PROGRAMS, name)) startProgram(name, commandArgv);
  else if (Object.hasOwn(COMMANDS, name))
    await runWithHelp(helpOf(COMMANDS[name]), (words) => runCommand(name, words), commandArgv);
  else if (name === '') await runWithHelp(USAGE, withoutCommand, commandArgv);
  else {
    const reject = (): never => {
      if (name === 'help') throw new ArgumentError(`help: found ${commandArgv.length} commands, expected one`);
      throw unknownCommand(name);
    };
    await runWithHelp(USAGE, reject, []);
  }
}

function withoutCommand([first]: readonly string[]): number {
  if (first !== undefined) throw new ArgumentError(`found '${first}', expected ${NAMES.join(', ')}; see --help`);
  console.error(USAGE);
  return 2;
}

// A worker thread of a program may import code that is bundled with this module; it must not run the command.
if (isMainThread) await main(process.argv.slice(2));
