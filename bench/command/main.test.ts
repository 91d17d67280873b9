// Tests of the command `sparsescope`, bundled as in the package and run in separate processes.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ggufFile } from '../../test/io/gguf.ts';
import { bytesOf, safetensorsFile, safetensorsWith } from '../../test/io/safetensors.ts';
import { archive, floats, integers, sparseFiles } from '../../test/io/zip.ts';
import { formats } from '../../src/formats/registry.ts';

/** The folder of the bundle: inside the project, where Node finds the package webgpu. */
const BUNDLE = resolve('.cache/command-test');
const MAIN = join(BUNDLE, 'main.mjs');
const MTX = '%%MatrixMarket matrix coordinate real general\n2 40 3\n1 1 1.5\n1 40 -2\n2 3 0.25\n';
const f32 = (...values: readonly number[]): Uint8Array => bytesOf(Float32Array.from(values));
const SQUARE = { dtype: 'F32', shape: [2, 2], bytes: f32(1, 0, 2, 0) };

/** Names of tensors with control characters of terminals, or invisible characters. */
const CONTROL_NAMES = ['a\u001b[31mred\u0007\nx', 'b\u202eevil\u009b', 'c\tx', 'd\u200fx'];

let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'command-'));
  await build({
    configFile: resolve('bench/vite.config.ts'),
    logLevel: 'silent',
    build: {
      ssr: 'bench/command/main.ts',
      outDir: BUNDLE,
      rollupOptions: { output: { entryFileNames: 'main.mjs', chunkFileNames: '[name].mjs' } },
    },
  });
  const layers = safetensorsFile({
    a: SQUARE,
    b: { dtype: 'F16', shape: [4, 2], bytes: new Uint8Array(16) },
    c: { dtype: 'F32', shape: [1, 2, 2], bytes: f32(1, 2, 3, 4) },
  });
  const gguf = ggufFile([
    { name: 'a', kind: 0, shape: [2, 2], bytes: f32(1, 0, 2, 0) },
    { name: 'b', kind: 0, shape: [2, 2], bytes: f32(1, 0, 2, 0) },
  ]);
  const indices = { 'indices.npy': integers([0, 2, 1]), 'indptr.npy': integers([0, 2, 3]) };
  const files: Readonly<Record<string, string | Uint8Array>> = {
    'a.mtx': MTX,
    '-x.mtx': MTX,
    'layers.safetensors': layers,
    'cut.safetensors': layers.subarray(0, layers.length - 20),
    'cut-header.safetensors': layers.subarray(0, 60),
    'one.safetensors': safetensorsFile({ weight: SQUARE }),
    'one-cut.safetensors': safetensorsFile({ weight: SQUARE }).subarray(0, -1),
    'cut.gguf': gguf.subarray(0, gguf.length - 60),
    'evil.safetensors': safetensorsFile(Object.fromEntries(CONTROL_NAMES.map((name) => [name, SQUARE]))),
    'none.safetensors': safetensorsWith('{}'),
    'csr.npz': archive(sparseFiles('csr', [2, 3], floats([3], [1, -2, 0.5]), indices)),
    'arrays.npz': archive({ 'a.npy': floats([2, 2], [1, 0, 0, 2]), 'b.npy': floats([3], [1, 2, 3]) }),
    empty: '',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}, 120_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(BUNDLE, { recursive: true });
});

/** The result of a command line: exit code, standard output and standard error. */
interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** Runs several command lines, one after the other in one process, since starting a process takes most of the time. */
function runLines(lines: readonly (readonly string[])[]): readonly CommandResult[] {
  const program = `
const results = [];
const { stdout, stderr } = process;
const write = stdout.write.bind(stdout);
for (const [i, words] of ${JSON.stringify(lines)}.entries()) {
  const texts = { out: [], error: [] };
  for (const [stream, name] of [[stdout, 'out'], [stderr, 'error']]) {
    stream.write = (text, ...rest) => {
      texts[name].push(typeof text === 'string' ? text : Buffer.from(text).toString('latin1'));
      rest.at(-1)?.();
      return true;
    };
  }
  process.argv = ['', '', ...words];
  await import(${JSON.stringify(MAIN)} + '?' + i);
  results.push({ code: process.exitCode, out: texts.out.join(''), error: texts.error.join('') });
}
process.exitCode = 0;
write(JSON.stringify(results));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as readonly CommandResult[];
}

/** Runs a line in a shell in which `sparsescope` is the command. */
const runInShell = (line: string, input: string | Uint8Array = ''): CommandResult => {
  const script = `sparsescope() { '${process.execPath}' '${MAIN}' "$@"; }\nset -o pipefail\n${line}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', input });
  return { code: status, out: stdout, error: stderr };
};

/** The arguments of a command line without quotes. */
const argumentsOf = (line: string): readonly string[] => (line === '' ? [] : line.split(' '));
const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

// Expected texts of several command lines.
const HELP = matching(/^Usage: sparsescope COMMAND [^]*inspect[^]*encode[^]*decode[^]*bench[^]*Exits with 0/);
const UNKNOWN_COMMAND = matching(
  /^sparsescope: found 'encod', expected inspect, encode, choose, decode, bench, .*\?\n$/,
);
const FORMAT_FILE = 'the arrays of a format in .npz or .safetensors';
const LAYERS_LIST = `kind: safetensors
tensors: 3

name  dtype  shape      cannot be opened
a     f32    2 × 2
b     f16    4 × 2
c     f32    1 × 2 × 2  found shape (1, 2, 2), expected two dimensions; reshape it, or save a slice
`;

/** A command line, its exit code, standard output and standard error. */
type Case = readonly [line: string, code: number, out: string, error: string];

const CASES: readonly Case[] = [
  ['', 2, '', HELP],
  ['help', 0, HELP, ''],
  ['--help', 0, HELP, ''],
  ['-h', 0, HELP, ''],
  ['--version', 0, matching(/^sparsescope \d+\.\d+\.\d+\n$/), ''],
  ['-v', 0, matching(/^sparsescope \d+\.\d+\.\d+\n$/), ''],
  ['inspect --version', 0, matching(/^sparsescope \d+\.\d+\.\d+\n$/), ''],
  ['help inspect', 0, matching(/^Usage: sparsescope inspect FILE [^]*--tensor NAME [^]*--json [^]*-h, --help/), ''],
  ['inspect --help', 0, matching(/^Usage: sparsescope inspect FILE /), ''],
  ['--help inspect', 0, matching(/^Usage: sparsescope inspect FILE /), ''],
  ['encode none.mtx --format fly -h', 0, matching(/^Usage: sparsescope encode FILE --format ID -o OUT /), ''],
  ['decode -h', 0, matching(/^Usage: sparsescope decode FILE -o OUT [^]*-o, --output OUT/), ''],
  ['encod a.mtx', 2, '', matching(/^sparsescope: found 'encod', .*; see --help; did you mean encode\?\n$/)],
  ['help encod', 2, '', UNKNOWN_COMMAND],
  ['help inspect encode', 2, '', 'sparsescope: help: found 2 commands, expected one\n'],
  [
    'fly',
    2,
    '',
    matching(/^sparsescope: found 'fly', expected inspect, encode, choose, decode, bench, .*; see --help\n$/),
  ],
  ['constructor', 2, '', matching(/^sparsescope: found 'constructor', expected inspect/)],
  ['--json', 2, '', matching(/^sparsescope: found '--json', expected inspect/)],
  ['inspect', 2, '', 'sparsescope: inspect: found 0 files, expected one\n'],
  ['inspect a.mtx a.mtx', 2, '', 'sparsescope: inspect: found 2 files, expected one\n'],
  [
    'inspect a.mtx --tenser w',
    2,
    '',
    "sparsescope: found '--tenser', expected one of --tensor, --as, --json, --help, --version; did you mean --tensor?\n",
  ],
  [
    'inspect a.mtx --constructor',
    2,
    '',
    "sparsescope: found '--constructor', expected one of --tensor, --as, --json, --help, --version\n",
  ],
  ['inspect a.mtx -o b.npz', 2, '', matching(/^sparsescope: found '-o', expected one of --tensor, --as, --json/)],
  ['inspect a.mtx --json --json', 2, '', 'sparsescope: --json: found twice, expected once\n'],
  ['inspect a.mtx --json=yes', 2, '', "sparsescope: --json: found the value 'yes', expected none\n"],
  ['inspect a.mtx --no-json', 2, '', matching(/^sparsescope: found '--no-json', expected one of /)],
  ['inspect a.mtx --tensor', 2, '', 'sparsescope: --tensor: found no value after it, expected one\n'],
  [
    'inspect a.mtx --tensor --json',
    2,
    '',
    "sparsescope: --tensor: found no value after it, expected one (--tensor=--json if '--json' is meant)\n",
  ],
  ['inspect one.safetensors --tensor=--json', 2, '', matching(/found no tensor '--json', expected the only one/)],
  ['inspect a.mtx --tensor w', 2, '', "sparsescope: a.mtx: found one matrix (mtx), not several to choose 'w' from\n"],
  ['inspect .', 2, '', matching(/^sparsescope: '\.': found no file that can be read \(EISDIR: .*\), expected one\n$/)],
  ['inspect empty', 2, '', 'sparsescope: empty: found an empty file\n'],

  ['inspect a.mtx', 0, 'kind: mtx\nrows: 2\ncols: 40\nnnz: 3\ndensity: 0.0375\n', ''],
  ['inspect a.mtx --json', 0, '{"kind":"mtx","rows":2,"cols":40,"nnz":3,"density":0.0375}\n', ''],
  ['--json inspect a.mtx', 0, '{"kind":"mtx","rows":2,"cols":40,"nnz":3,"density":0.0375}\n', ''],
  ['--tensor a inspect layers.safetensors', 0, matching(/^kind: safetensors\ntensor: a\nrows: 2\n/), ''],
  ['inspect -- -x.mtx', 0, 'kind: mtx\nrows: 2\ncols: 40\nnnz: 3\ndensity: 0.0375\n', ''],
  ['inspect --json -- a.mtx', 0, '{"kind":"mtx","rows":2,"cols":40,"nnz":3,"density":0.0375}\n', ''],
  ['inspect csr.npz', 0, 'kind: npz\ntensor: matrix\nrows: 2\ncols: 3\nnnz: 3\ndensity: 0.5\n', ''],
  ['inspect one.safetensors', 0, 'kind: safetensors\ntensor: weight\nrows: 2\ncols: 2\nnnz: 2\ndensity: 0.5\n', ''],
  ['inspect layers.safetensors', 0, LAYERS_LIST, ''],
  [
    'inspect layers.safetensors --tensor=a --json',
    0,
    '{"kind":"safetensors","tensor":"a","rows":2,"cols":2,"nnz":2,"density":0.5}\n',
    '',
  ],
  ['inspect arrays.npz', 0, 'kind: npz\ntensors: 2\n\nname  dtype  shape\na     f32    2 × 2\nb     f32    3\n', ''],
  ['inspect arrays.npz --json', 0, '{"kind":"npz","tensors":{"a":[2,2],"b":[3]},"dtypes":{"a":"f32","b":"f32"}}\n', ''],
  ['inspect none.safetensors', 0, 'kind: safetensors\ntensors: 0\n\nname  dtype  shape\n', ''],

  [
    'inspect cut.safetensors',
    2,
    LAYERS_LIST.replace('4 × 2\n', '4 × 2      found 12 of 16 bytes: the file ends 20 bytes early\n'),
    matching(
      /^sparsescope: cut\.safetensors: found (\d+) bytes, expected \d+: the file ends 20 bytes early, and 2 of 3 tensors cannot be read\n$/,
    ),
  ],
  [
    'inspect cut.safetensors --json',
    2,
    matching(/"truncation":"found \d+ bytes, expected \d+: the file ends 20 bytes early, /),
    matching(/^sparsescope: cut\.safetensors: found /),
  ],
  [
    'inspect one-cut.safetensors',
    2,
    matching(/^kind: safetensors\ntensors: 1\n\n[^]*weight {2}f32 {4}2 × 2 {2}found 15 of 16 bytes/),
    matching(/the file ends 1 byte early, and 1 of 1 tensor cannot be read\n$/),
  ],
  ['inspect cut-header.safetensors', 2, '', matching(/^sparsescope: cut-header.*found 52 of \d+ bytes: the file ends/)],
  [
    'inspect cut.gguf',
    2,
    matching(/^kind: gguf\ntensors: 2\n/),
    matching(/: the file ends 12 bytes early, and 1 of 2 tensors cannot be read\n$/),
  ],
  [
    'inspect cut.safetensors --tensor a',
    0,
    matching(/nnz: 2\n/),
    matching(/^sparsescope: The file ends 20 bytes early/),
  ],

  ['decode a.mtx -o b.mtx', 2, '', `sparsescope: a.mtx: found a file of another kind, expected ${FORMAT_FILE}\n`],
  ['decode cut.gguf -o b.mtx', 2, '', `sparsescope: cut.gguf: found a file of another kind, expected ${FORMAT_FILE}\n`],
  ['decode empty -o b.mtx', 2, '', `sparsescope: empty: found a file of another kind, expected ${FORMAT_FILE}\n`],
  ['decode csr.npz -o b.mtx', 2, '', `sparsescope: csr.npz: found no metadata, expected ${FORMAT_FILE}\n`],
  [
    'decode one.safetensors -o b.mtx',
    2,
    '',
    `sparsescope: one.safetensors: found no format with rows in its metadata, expected ${FORMAT_FILE}\n`,
  ],
  ['decode a.mtx', 2, '', 'sparsescope: -o: found none, expected a file .mtx or .npz, or - for standard output\n'],

  [
    'encode layers.safetensors --format csr -o b.npz',
    2,
    '',
    "sparsescope: --tensor: found none, expected one of the 3 tensors of 'layers.safetensors'; sparsescope inspect lists them\n",
  ],
  [
    'encode a.mtx --format macko --params deltaBits=4,deltaBits=8 -o b.npz',
    2,
    '',
    'sparsescope: --params: found deltaBits twice, expected it once\n',
  ],
  [
    'encode a.mtx --format macko --params macko.deltaBits=4,macko.deltaBits=4 -o b.npz',
    2,
    '',
    'sparsescope: --params: found macko.deltaBits twice, expected it once\n',
  ],
  [
    'encode a.mtx --format macko --params deltaBits=4+8 -o b.npz',
    2,
    '',
    'sparsescope: --params: found 2 sets of values, expected one\n',
  ],
  [
    'encode csr.npz --format csr -o ./csr.npz',
    2,
    '',
    "sparsescope: -o: found './csr.npz', expected another file than the one that is read\n",
  ],
  [
    'encode a.mtx --format csr -o b.npz --kind zip',
    2,
    '',
    "sparsescope: --kind: found 'zip', expected one of npz, safetensors\n",
  ],
  [
    'encode a.mtx --format csr -o b.npz --kind safetensors',
    2,
    '',
    "sparsescope: --kind: found 'safetensors' for 'b.npz', expected npz\n",
  ],
  [
    'encode a.mtx --format csr -o - --json',
    2,
    '',
    'sparsescope: --json: found it with -o -, expected only one of them on standard output\n',
  ],
];

it('every command line has the expected exit code, standard output and standard error', () => {
  const filesBefore = readdirSync(folder);
  const results = runLines(CASES.map(([line]) => argumentsOf(line)));
  for (const [i, [line, code, out, error]] of CASES.entries()) {
    expect(results[i], line).toEqual({ code, out, error });
  }
  expect(readdirSync(folder)).toEqual(filesBefore);
});

it('escapes control characters in names for the terminal, and writes the original names as JSON', () => {
  const lines = ['inspect evil.safetensors', 'inspect evil.safetensors --json'].map(argumentsOf);
  const [table, json, namedTensor, unknownTensor] = runLines([
    ...lines,
    ['inspect', 'evil.safetensors', '--tensor', CONTROL_NAMES[0], '--json'],
    ['inspect', 'evil.safetensors', '--tensor', `${CONTROL_NAMES[1]}!`],
  ]);
  // Line breaks only end lines of the table.
  expect(
    table.out
      .split('\n')
      .slice(4, -1)
      .map((line) => line.replace(/ {2,}.*/, '')),
  ).toEqual(['"a\\u001b[31mred\\u0007\\nx"', '"b\\u202eevil\\u009b"', '"c\\tx"', '"d\\u200fx"']);
  const allOutput = [table, json, namedTensor, unknownTensor]
    .map(({ out, error }) => (out + error).replaceAll('\n', ''))
    .join('');
  // oxlint-disable-next-line no-control-regex -- the output must not have them
  expect(allOutput).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
  expect(Object.keys((JSON.parse(json.out) as { tensors: object }).tensors)).toEqual(CONTROL_NAMES);
  expect((JSON.parse(namedTensor.out) as { tensor: string }).tensor).toBe(CONTROL_NAMES[0]);
  expect(unknownTensor).toMatchObject({
    code: 2,
    error: matching(/found no tensor 'b\ufffdevil\ufffd!', expected one of the 4/),
  });
});

describe('files written by the command', () => {
  it('are complete, also through symbolic links, and --json prints only JSON on standard output', () => {
    writeFileSync(join(folder, 'target.npz'), 'what was there before');
    symlinkSync('target.npz', join(folder, 'link.npz'));
    const [encoded, inspected, decoded, decodedByKind, safetensors] = runLines(
      [
        'encode a.mtx --format=macko --params=deltaBits=8 --output=link.npz --json',
        'inspect target.npz --json',
        'decode target.npz -oback.mtx',
        'decode target.npz -o back.out --kind mtx --json',
        'encode a.mtx --format macko -o=own.safetensors',
      ].map(argumentsOf),
    );
    // Files do not record what was lost by encoding.
    expect(JSON.parse(inspected.out)).toEqual({ ...(JSON.parse(encoded.out) as object), losses: null });
    expect(decoded).toEqual({ code: 0, out: 'rows: 2\ncols: 40\nnnz: 3\ndensity: 0.0375\n', error: '' });
    expect([decodedByKind.code, safetensors.code]).toEqual([0, 0]);
    for (const name of ['back.mtx', 'back.out']) expect(readFileSync(join(folder, name), 'utf8')).toBe(MTX);
    expect(existsSync(join(folder, 'own.safetensors'))).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('are reported as truncated by inspect, and not listed as files of tensors', () => {
    const [complete] = runLines([argumentsOf('encode a.mtx --format csr -o whole.safetensors')]);
    expect(complete.code).toBe(0);
    const bytes = readFileSync(join(folder, 'whole.safetensors'));
    writeFileSync(join(folder, 'short.safetensors'), bytes.subarray(0, -1));
    const [truncated] = runLines([argumentsOf('inspect short.safetensors')]);
    expect(truncated).toEqual({
      code: 2,
      out: '',
      error: matching(/^sparsescope: short\.safetensors: .*: the file ends 1 byte early\n$/),
    });
  });
});

describe('the command in a shell', () => {
  it('reads standard input and writes standard output', () => {
    const facts = 'rows: 2\ncols: 40\nnnz: 3\ndensity: 0.0375\n';
    expect(runInShell('sparsescope inspect -', MTX)).toEqual({ code: 0, out: `kind: mtx\n${facts}`, error: '' });
    expect(runInShell('sparsescope inspect -')).toEqual({
      code: 2,
      out: '',
      error: 'sparsescope: standard input: found an empty file\n',
    });
    const piped = runInShell('sparsescope encode - --format macko -o - 2>/dev/null | sparsescope decode - -o -', MTX);
    expect(piped).toEqual({ code: 0, out: MTX, error: facts });
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full disk, and ends silently if its output is closed', () => {
    const fullDiskResult = (name: string): CommandResult => ({
      code: 2,
      out: '',
      error: matching(
        new RegExp(
          `^${name}: standard output: found that it cannot be written \\(ENOSPC: .*\\), expected room for it\\n$`,
        ),
      ),
    });
    expect(runInShell('sparsescope inspect a.mtx > /dev/full')).toEqual(fullDiskResult('sparsescope'));
    expect(runInShell('sparsescope encode a.mtx --format csr -o - > /dev/full')).toEqual(fullDiskResult('sparsescope'));
    expect(runInShell('sparsescope encode a.mtx --format csr -o /dev/full --kind npz')).toEqual({
      code: 2,
      out: '',
      error: matching(/^sparsescope: -o: found '\/dev\/full', expected a file that can be written \(ENOSPC: .*\)\n$/),
    });
    expect(runInShell('sparsescope bench --help > /dev/full')).toEqual(fullDiskResult('bench'));
    // The reader closes the pipe before the command begins. 141 is the exit code that a shell reports after SIGPIPE.
    const closedPipe = 'mkfifo go; (read _ < go; sparsescope inspect a.mtx) | { exec <&-; echo > go; }';
    expect(runInShell(closedPipe)).toEqual({ code: 141, out: '', error: '' });
  });

  it('runs its programs bench and record, which have --help and --version and suggest options', () => {
    expect(runInShell('sparsescope help bench')).toMatchObject({
      code: 0,
      out: matching(/^Usage: sparsescope bench /),
      error: '',
    });
    expect(runInShell('sparsescope bench --version')).toMatchObject({
      code: 0,
      out: matching(/^sparsescope \d/),
      error: '',
    });
    expect(runInShell('sparsescope record --devise X')).toEqual({
      code: 2,
      out: '',
      error: matching(/^record: found '--devise', expected one of --device, .*; did you mean --device\?\n$/),
    });
    expect(runInShell(`sparsescope bench --formats=${formats[0].id} --where=cpu --check`)).toEqual({
      code: 2,
      out: '',
      error: 'bench: --check: found it with --where cpu, expected it on the GPU alone\n',
    });
  });
});
