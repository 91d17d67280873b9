#!/usr/bin/env node
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { noteText } from '../../src/core/encoded/admission.ts';
import { messageOf, SparseScopeError } from '../../src/core/errors.ts';
import { density, type Matrix } from '../../src/core/matrix/index.ts';
import { formatById, formats } from '../../src/formats/registry.ts';
import { listTensors, readMatrix } from '../../src/io/read.ts';
import { encode, type Stored } from '../../src/lib/encode.ts';
import { MATRIX_KINDS, readStored, STORED_KINDS, writeMatrix, writeStored } from '../../src/lib/files.ts';
import { ArgumentError, paramsOf } from '../arguments.ts';

/** `npx sparsescope`: what the page does with files, and the programs that measure and prove. */

type Program = () => Promise<unknown>;

/** The program of a lab, if that lab is there. */
const ofLab = (name: string, found: Readonly<Record<string, Program>>): Readonly<Record<string, Program>> =>
  Object.fromEntries(Object.values(found).map((load) => [name, load]));

/** Programs with options of their own, which `npm run` starts, too. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  bench: () => import('../main.ts'),
  record: () => import('../recording/main.ts'),
  ...ofLab('tokens', import.meta.glob('../*/decode.ts')),
  ...ofLab('prove', import.meta.glob('../../scripts/*/prove.ts')),
};

const DOES: Readonly<Record<string, string>> = {
  bench: 'bench ...                         verifies and times kernels',
  record: 'record --device NAME ...          measures what a recording of a GPU holds',
  tokens: 'tokens ...                        times whole tokens at the sizes of a model',
  prove: 'prove FILE [MATRIX] ...           the laws of a format of one’s own',
};

const USAGE = `Usage: sparsescope COMMAND [option value]...

  inspect FILE [--tensor NAME]      what a file holds; of a matrix its size and non-zeros
  encode FILE --format ID -o OUT    stores a matrix in a format, as .npz or .safetensors
         [--tensor NAME] [--params NAME=VALUE,...]
  decode FILE -o OUT                the matrix of such a file, as .mtx or .npz

  --json                            of these three: what was found, as JSON on stdout

With options of their own, which COMMAND --help lists:

${Object.keys(PROGRAMS)
  .map((name) => `  ${DOES[name]}`)
  .join('\n')}

Formats: ${formats.map(({ id }) => id).join(', ')}
Reads what the page reads. Exits with 0 when all went well, with 1 when a result is wrong, with 2 when input is.`;

/** Of each command its options, after which a value follows. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  inspect: ['--tensor'],
  encode: ['--format', '--tensor', '--params', '-o'],
  decode: ['-o'],
};

interface Given {
  readonly file: string;
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly isJson: boolean;
}

function given(command: string, argv: readonly string[]): Given {
  const options: Record<string, string> = {};
  const files: string[] = [];
  let isJson = false;
  for (let i = 0; i < argv.length; i++) {
    const name = argv[i];
    if (name === '--json') isJson = true;
    else if (!name.startsWith('-')) files.push(name);
    else {
      if (!OPTIONS[command].includes(name)) {
        throw new ArgumentError(`found '${name}', expected one of ${OPTIONS[command].join(', ')}, --json, --help`);
      }
      if (name in options) throw new ArgumentError(`${name}: found twice, expected once`);
      const value = argv[++i];
      if (value === undefined) throw new ArgumentError(`${name}: found no value after it, expected one`);
      options[name] = value;
    }
  }
  if (files.length !== 1) throw new ArgumentError(`${command}: found ${files.length} files, expected one`);
  return { file: files[0], options, isJson };
}

function fileAt(path: string): { readonly name: string; readonly bytes: Uint8Array } {
  try {
    return { name: basename(path), bytes: readFileSync(path) };
  } catch (error) {
    throw new ArgumentError(`'${path}': found no file that can be read (${messageOf(error)}), expected one`);
  }
}

/** What -o names, and its kind. */
function output<K extends string>(
  { options }: Given,
  kinds: readonly K[],
): { readonly path: string; readonly kind: K } {
  const path = options['-o'];
  const kind = kinds.find((each) => extname(path ?? '') === `.${each}`);
  if (path === undefined || kind === undefined) {
    throw new ArgumentError(
      `-o: found ${path === undefined ? 'none' : `'${path}'`}, expected a file .${kinds.join(' or .')}`,
    );
  }
  return { path, kind };
}

/** All of a file or nothing: under its name is what was there before, until the new one is whole. */
function write(path: string, pieces: readonly Uint8Array[]): void {
  const part = `${path}.${process.pid}.part`;
  try {
    writeFileSync(part, '');
    for (const piece of pieces) writeFileSync(part, piece, { flag: 'a' });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw new ArgumentError(`-o: found '${path}', expected a file that can be written (${messageOf(error)})`);
  }
}

const matrixFacts = ({ rows, cols, nnz }: Matrix, notes: readonly string[]) => ({
  rows,
  cols,
  nnz,
  density: density({ rows, cols, nnz }),
  ...(notes.length > 0 && { notes }),
});

/** `losses` is null for a matrix that was read from a file. */
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

async function matrixOf({ file, options }: Given): ReturnType<typeof readMatrix> {
  const tensor = options['--tensor'];
  return readMatrix(fileAt(file), tensor === undefined ? {} : { tensor });
}

/** What a command has to say, by name. */
const COMMANDS: Readonly<Record<string, (all: Given) => Promise<object>>> = {
  async inspect(all) {
    const file = fileAt(all.file);
    const stored = await readStored(file).catch(() => null);
    if (stored && all.options['--tensor'] === undefined) return storedFacts(stored);
    const { format, tensors, preferred } = await listTensors(file);
    if (tensors && preferred === null && all.options['--tensor'] === undefined) {
      return { kind: format, tensors: Object.fromEntries(tensors.map(({ name, shape }) => [name, shape])) };
    }
    const { matrix, notes, tensor } = await matrixOf(all);
    return { kind: format, ...(tensor !== null && { tensor }), ...matrixFacts(matrix, notes) };
  },
  async encode(all) {
    const { path, kind } = output(all, STORED_KINDS);
    const id = all.options['--format'] ?? '';
    if (!formats.some((format) => format.id === id)) {
      throw new ArgumentError(
        `--format: found '${id}', expected one of ${formats.map((format) => format.id).join(', ')}`,
      );
    }
    const format = formatById(id);
    const sets = paramsOf(all.options['--params'] ?? null, [format], [id])[id];
    if (sets.length !== 1) throw new ArgumentError(`--params: found ${sets.length} sets of values, expected one`);
    const { matrix, notes } = await matrixOf(all);
    const stored: Stored = encode(matrix, format, sets[0]);
    const admission = format.admits(matrix, stored.params);
    const lost = admission.ok ? admission.notes.map(noteText) : [];
    write(path, await writeStored(stored, kind));
    const said = [...notes, ...lost];
    return { ...storedFacts(stored), ...(said.length > 0 && { notes: said }) };
  },
  async decode(all) {
    const { path, kind } = output(all, MATRIX_KINDS);
    const matrix = (await readStored(fileAt(all.file))).decode();
    write(path, writeMatrix(matrix, kind));
    return matrixFacts(matrix, []);
  },
};

const text = (value: unknown): string =>
  Array.isArray(value)
    ? value.join(' ')
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([name, each]) => `${name} ${String(each)}`)
          .join(', ')
      : String(value);

async function main([command = '', ...argv]: readonly string[]): Promise<number> {
  if (command === '--help' || command === '') {
    console.log(USAGE);
    return command === '' ? 2 : 0;
  }
  if (!(command in COMMANDS)) {
    const known = [...Object.keys(COMMANDS), ...Object.keys(PROGRAMS)].join(', ');
    throw new ArgumentError(`found '${command}', expected ${known}; see --help`);
  }
  if (argv.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const all = given(command, argv);
  const found = await COMMANDS[command](all);
  if (all.isJson) console.log(JSON.stringify(found));
  // Notes say what becomes infinite or 0; that every f16 is rounded is only for those who ask for all.
  else for (const [name, value] of Object.entries(found)) if (name !== 'losses') console.log(`${name}: ${text(value)}`);
  return 0;
}

const program = PROGRAMS[process.argv[2] ?? ''];
// A thread of a program may import what is bundled with this module, and has nothing to say.
if (program && isMainThread) {
  process.argv.splice(2, 1);
  // Not awaited: the program may import what is bundled with this module, and would wait for it in turn.
  program().catch((error: unknown) => {
    console.error(`sparsescope: ${messageOf(error)}`);
    process.exitCode = 2;
  });
} else if (isMainThread) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof SparseScopeError)) throw error;
    console.error(`sparsescope: ${error.message}`);
    process.exitCode = 2;
  }
}
