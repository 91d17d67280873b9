import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { chromium } from 'playwright';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partsOfLabs } from '../scripts/labs.mjs';
import { ENTRIES, PACKAGE_FOLDER } from '../scripts/package-entries.mjs';
import { pythonWithNumpy } from '../scripts/numpy.mjs';
import { driverEnvironment, swiftShaderFile } from '../scripts/software-gpu.mjs';
import { formats } from '../src/formats/registry.ts';
import { CHROMIUM_ARGS, chromiumPath } from './chromium.ts';
import { written } from './compat/written.ts';
import { scheduled } from './scheduled.ts';

/** Tests of the package as another program uses it: built, packed and installed in an empty folder, where README's example runs. */

const ROOT = resolve(import.meta.dirname, '..');

/** Programs with separate options, the labs' programs last. */
const PROGRAMS = [
  'bench',
  'record',
  ...partsOfLabs('command.ts').flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^ {2}(\w+): \{ does: /gm)].map(([, name]) => name),
  ),
];
/** The JSON that the command of version 0.2.0 wrote, and its options. */
const COMMAND = written('command.json') as {
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly encode: Readonly<Record<string, object>>;
  readonly inspect: object;
  readonly decode: object;
};

/** Names in the types of version 0.2.0, by import path and by the type that has them. */
const NAMES_OF_0_2 = written('package.json') as Readonly<
  Record<
    string,
    {
      readonly values: readonly string[];
      readonly types: readonly string[];
      readonly members: Readonly<Record<string, readonly string[]>>;
    }
  >
>;

/**
 * A program of version 0.2.0 in TypeScript that uses every name of the types of one entry. The file package.json names a type
 * without a name of its own by how it is reached from a named one: with Of a member, Each an element of an array, In an
 * argument of a function, Out its result.
 */
const consumerOf = (entry: string): string => `import type * as p from '${entry}';
type Of<T, K extends string> = NonNullable<T> extends infer U
  ? U extends unknown ? (K extends keyof U ? NonNullable<U[K]> : never) : never
  : never;
type Each<T> = NonNullable<T> extends readonly (infer E)[] ? E : never;
type In<T, I extends number> = NonNullable<T> extends (...all: infer P) => unknown ? (I extends keyof P ? P[I] : never) : never;
type Out<T> = NonNullable<T> extends (...all: infer _) => infer R ? Awaited<R> : never;
type Keys<T> = T extends unknown ? keyof T : never;
type Has<T, K extends Keys<NonNullable<T>>> = K;
export type { ${NAMES_OF_0_2[entry].types.join(', ')} } from '${entry}';
${NAMES_OF_0_2[entry].values.map((name) => `export type Value_${name} = typeof p.${name};`).join('\n')}
${Object.entries(NAMES_OF_0_2[entry].members)
  .map(([type, names], i) => `export type T${i} = Has<${type}, ${names.map((name) => `'${name}'`).join(' | ')}>;`)
  .join('\n')}
`;

/** A program in TypeScript that uses the types of the package, with errors that the compiler must find. */
const TYPED = `import { encode, fromDense, openDevice, run, type Stored } from 'sparsescope';
import { encode as encodeAlone, run as runAlone } from 'sparsescope/core';
import { formatById } from 'sparsescope/formats';
import { readMatrix } from 'sparsescope/files';
import { macko } from 'sparsescope/macko';
import { macko as withKernels } from 'sparsescope/macko/kernels';
fromDense(1, 2, [1, 2]);
fromDense(1, 2, new BigInt64Array(2));
// @ts-expect-error texts are no numbers
fromDense(1, 2, ['1', '2']);
// @ts-expect-error nor are bytes without a type
fromDense(1, 2, new DataView(new ArrayBuffer(8)));
const stored = encode(fromDense(1, 2, new Float32Array(2)), macko, { deltaBits: 4 });
const bytes: number = stored.bytes;
const deltas: Uint32Array = stored.encoded.deltas;
// @ts-expect-error 3 is no number of bits
encode(stored.decode(), macko, { deltaBits: 3 });
export const all: [Stored, number, Uint32Array, string, typeof readMatrix] = [encode(stored.decode(), formatById('csr')), bytes, deltas, macko.id, readMatrix];
const device = await openDevice();
export const y: Float32Array[] = [
  await run(device, stored, [1, 2]),
  await runAlone(device, encodeAlone(stored.decode(), withKernels), new Float64Array(2)),
];
device.destroy();
`;

/** A program for browsers that uses the calls which need a device. */
const BUNDLED = `import { bench, encode, fromDense, openDevice, run } from 'sparsescope';
import { readMatrix } from 'sparsescope/files';
import { macko } from 'sparsescope/macko';
const device = await openDevice();
const a = fromDense(1, 2, [0, 1]);
globalThis.results = [run(device, encode(a, macko), [1, 1]), bench(device, a, ['dense']), readMatrix];
`;

/** The folder where the package is installed. */
let folder = '';

/** The example of README.md. */
const example = /```js\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
/** Code after the example that puts its results into `outcome`. */
const REPORTS = `
const outcome = {
  y: [...y],
  kernels: report.rows.map(({ kernel, verified }) => [kernel, verified.ok]),
  wrong: await stored.validate(),
  total: (await stored.ledger()).totalBytes === stored.bytes,
};
`;

/** The expected product of the example with a vector of ones: the sum of each row, whose non-zeros are every third cell, in 4096ths. */
const sums = Array.from({ length: 64 }, (_, r) => {
  let sum = 0;
  for (let i = 64 * r; i < 64 * r + 64; i++) if (i % 3 === 0) sum += i / 4096;
  return sum;
});

interface Outcome {
  readonly y: readonly number[];
  readonly kernels: readonly (readonly [kernel: string, ok: boolean])[];
  readonly wrong: readonly unknown[];
  readonly total: boolean;
}

function expectRight({ y, kernels, wrong, total }: Outcome): void {
  expect(y).toHaveLength(64);
  // Values are rounded to f16, with a relative error of at most 2^-11.
  for (const [r, sum] of sums.entries()) expect(Math.abs(y[r] - sum)).toBeLessThanOrEqual(sum / 2048);
  expect(kernels.map(([kernel, ok]) => `${kernel.split('/')[0]} ${ok}`)).toEqual(['dense true', 'macko true']);
  expect([wrong, total]).toEqual([[], true]);
}

const run = (command: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) =>
  spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    shell: process.platform === 'win32' && command === 'npm',
  });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  const built = run('npm', ['run', 'build:lib'], ROOT);
  expect(built.status, built.stdout + built.stderr).toBe(0);
  const packed = run('npm', ['pack', PACKAGE_FOLDER, '--pack-destination', folder], ROOT);
  expect(packed.status, packed.stderr).toBe(0);
  const [file] = readdirSync(folder);
  // Bytes of the packed package.
  expect(statSync(join(folder, file)).size).toBeLessThanOrEqual(500_000);
  const installed = run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${file}`], folder);
  expect(installed.status, installed.stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the command', () => {
  const MAIN = 'node_modules/sparsescope/dist-lib/command/main.mjs';
  const sparsescope = (...args: readonly string[]) => run(process.execPath, [join(folder, MAIN), ...args], folder);
  /** The output of several command lines, run one after the other in one process, since starting a process is slow. */
  function output(lines: readonly string[]): readonly { status: number; out: string; error: string }[] {
    const code = `
const results = [];
for (const [i, line] of ${JSON.stringify(lines)}.entries()) {
  const [out, error] = [[], []];
  console.log = (text) => out.push(text);
  console.error = (text) => error.push(text);
  process.argv = ['', '', ...line.split(' ')];
  await import('./${MAIN}?' + i);
  results.push({ status: process.exitCode, out: out.join('\\n'), error: error.join('\\n') });
}
process.exitCode = 0;
process.stdout.write(JSON.stringify(results));`;
    writeFileSync(join(folder, 'lines.mjs'), code);
    const { status, stdout, stderr } = run(process.execPath, ['lines.mjs'], folder);
    expect([status, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as ReturnType<typeof output>;
  }
  const MTX = '%%MatrixMarket matrix coordinate real general\n2 40 3\n1 1 1.5\n1 40 -2\n2 3 0.25\n';

  it('is linked as sparsescope', () => {
    const { status, stdout } = run('npx', ['--offline', 'sparsescope', '--help'], folder);
    expect(stdout).toMatch(/^Usage: sparsescope COMMAND/);
    expect(status).toBe(0);
  });

  it('rejects an unknown program, and names the others', () => {
    const unknown = sparsescope('fly');
    const found = `found 'fly', expected inspect, encode, choose, decode, ${PROGRAMS.join(', ')}; see --help`;
    expect([unknown.status, unknown.stdout, unknown.stderr]).toEqual([2, '', `sparsescope: ${found}\n`]);
  });

  it.each(['npz', 'safetensors'])('encodes into .%s, inspects it, and decodes the same matrix', (kind) => {
    writeFileSync(join(folder, 'a.mtx'), MTX);
    const facts = { rows: 2, cols: 40, nnz: 3 };
    const [encoded, inspected, decoded, inspectedAgain] = output([
      `encode a.mtx --format macko --params deltaBits=8 -o a.${kind} --json`,
      `inspect a.${kind} --json`,
      `decode a.${kind} -o b.mtx`,
      'inspect b.mtx --json',
    ]);
    expect([encoded.status, encoded.error]).toEqual([0, '']);
    const params = { deltaBits: 8, valueType: 'f16' };
    const losses = { overflow: 0, underflow: 0, largestRelativeError: 0 };
    expect(JSON.parse(encoded.out)).toMatchObject({ format: 'macko', params, ...facts, losses });
    expect(Object.keys(JSON.parse(inspected.out) as object)).toEqual(
      expect.arrayContaining(Object.keys(COMMAND.encode.macko)),
    );
    // A file does not record what was lost when it was encoded.
    expect(JSON.parse(inspected.out)).toEqual({ ...(JSON.parse(encoded.out) as object), losses: null });
    expect(decoded.out).toBe('rows: 2\ncols: 40\nnnz: 3\ndensity: 0.0375');
    expect(readFileSync(join(folder, 'b.mtx'), 'utf8')).toBe(MTX);
    expect(JSON.parse(inspectedAgain.out)).toEqual({ kind: 'mtx', ...facts, density: 0.0375 });
    expect(JSON.parse(inspectedAgain.out)).toEqual(COMMAND.inspect);
  });

  it('reports which values become infinite or 0 and, as JSON, the largest relative error of the others', () => {
    writeFileSync(join(folder, 'large.mtx'), MTX.replace('1.5', '1e6').replace('0.25', '1e-9').replace('-2', '0.1'));
    const [inF16AsJson, inF16, inF32] = output([
      'encode large.mtx --format csr -o c.npz --json',
      'encode large.mtx --format csr -o c.npz',
      'encode large.mtx --format csr --params valueType=f32 -o c.npz',
    ]);
    const notes = [
      '1 of 3 values is too large for f16 and is stored as infinity; it is 1000000, at row 0, column 0; choose f32 to keep it.',
      '1 of 3 values is too small for f16 and is stored as 0; it is 1e-9, at row 1, column 2; choose f32 to keep it.',
    ];
    const { losses, ...otherFacts } = JSON.parse(inF16AsJson.out) as { losses: Readonly<Record<string, number>> };
    expect(losses).toEqual({ overflow: 1, underflow: 1, largestRelativeError: expect.closeTo(0.000244, 6) as number });
    expect(otherFacts).toMatchObject({ notes });
    expect([inF16.status, inF16.error.split('\n')]).toEqual([0, notes.map((note) => `sparsescope: ${note}`)]);
    expect(inF32.error).toBe('');
  });

  it('rejects input with one message and writes no file', () => {
    const rejections = {
      inspect: 'inspect: found 0 files, expected one',
      'inspect a.mtx --depth 3': "found '--depth', expected one of --tensor, --as, --json, --help, --version",
      'inspect none.mtx':
        "'none.mtx': found no file that can be read (ENOENT: no such file or directory, open 'none.mtx'), expected one",
      'encode a.mtx --format fly -o c.npz': `--format: found 'fly', expected one of ${formats.map(({ id }) => id).join(', ')}`,
      'encode a.mtx --format macko -o c.zip': "-o: found 'c.zip', expected a file .npz or .safetensors",
      'encode a.mtx --format macko -o': '-o: found no value after it, expected one',
      'encode a.mtx --format macko --params deltaBits=3 -o c.npz':
        "--params: found 'deltaBits=3', expected one of macko.deltaBits=1|2|4|8, macko.valueType=f16|f32|i8|i4",
      'encode a.mtx --format macko -o nowhere/c.npz':
        "-o: found 'nowhere/c.npz', expected a file that can be written (ENOENT: no such file or directory, open 'nowhere/c.npz')",
      'encode eight.mtx --format slidesparse -o c.npz':
        'row 0 has 8 non-zeros in columns 0 to 7, more than the 6 that 6:8 allows',
      'decode a.mtx -o c.mtx': expect.stringMatching(/.*found .*expected .*$/) as string,
    };
    writeFileSync(join(folder, 'a.mtx'), MTX);
    writeFileSync(
      join(folder, 'eight.mtx'),
      MTX.replace('2 40 3', '2 40 9').replace('1 40 -2', '1 2 1\n1 3 1\n1 4 1\n1 5 1\n1 6 1\n1 7 1\n1 8 1'),
    );
    writeFileSync(join(folder, 'lines.mjs'), '');
    const filesBefore = readdirSync(folder);
    const messages = output(Object.keys(rejections)).map(({ status, out, error }) => {
      expect([status, out]).toEqual([2, '']);
      expect(error).toMatch(/^sparsescope: .*$/);
      return error.replace('sparsescope: ', '');
    });
    expect([messages, readdirSync(folder)]).toEqual([Object.values(rejections), filesBefore]);
  });

  it('counts the non-zeros of a tensor of 256 MiB', () => {
    const bytes = 2 ** 28;
    const tensor = { dtype: 'F16', shape: [2 ** 13, 2 ** 14], data_offsets: [0, bytes] };
    const otherTensor = { dtype: 'F16', shape: [1, 2], data_offsets: [bytes, bytes + 4] };
    const head = Buffer.from(JSON.stringify({ a: tensor, b: otherTensor }));
    const length = Buffer.alloc(8);
    length.writeUInt32LE(head.length);
    const file = join(folder, 'large.safetensors');
    writeFileSync(file, Buffer.concat([length, head, Buffer.from([0, 60])]));
    // The file is extended by zeros, which need no space on the disk (a sparse file).
    truncateSync(file, 8 + head.length + bytes + 4);
    const { status, stdout, stderr } = sparsescope(...'inspect large.safetensors --tensor a --json'.split(' '));
    rmSync(file);
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ tensor: 'a', rows: 2 ** 13, cols: 2 ** 14, nnz: 1 });
  });

  it.each(PROGRAMS)('has the program %s with the options of version 0.2.0', (name) => {
    const { status, stdout } = sparsescope(name, '--help');
    expect([status, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^Usage: sparsescope ${name} `))]);
    for (const option of COMMAND.options[name]) expect(stdout).toMatch(new RegExp(`(?<![\\w-])${option}(?![\\w-])`));
  });

  it('measures on the CPU, and asks for the package webgpu to measure on a GPU', () => {
    const cpuRun = sparsescope(
      ...'bench --where cpu --shapes 16x40 --densities 0.5 --formats macko --rounds 2'.split(' '),
    );
    expect([cpuRun.status, cpuRun.stderr]).toEqual([0, '']);
    expect(cpuRun.stdout).toContain('macko/spmv_cpu');
    const gpuRun = sparsescope('bench', '--shapes', '16x40');
    expect([gpuRun.status, gpuRun.stderr]).toEqual([
      1,
      expect.stringMatching(/^bench: Node: found no GPU .*, expected the package webgpu: npm install webgpu\n$/),
    ]);
  });
});

describe('the examples of docs/api.md', () => {
  // In the order of the page.
  const [core, layer, times, declared, pipeline] = [
    ...readFileSync(join(ROOT, 'docs/api.md'), 'utf8').matchAll(/```js\n(.*?)```/gs),
  ].map(([, code]) => code);
  /** Runs code under Node in the folder of the package. */
  const node = (code: string, env = {}) => {
    writeFileSync(join(folder, 'code.mjs'), code);
    return run(process.execPath, ['code.mjs'], folder, env);
  };
  /** Runs code under Node with the package webgpu and a software GPU; null if there is no software GPU. */
  const nodeWithGpu = (code: string) => {
    const driver = swiftShaderFile();
    if (driver === null) return null;
    symlinkSync(join(ROOT, 'node_modules/webgpu'), join(folder, 'node_modules/webgpu'));
    const result = node(`${code}process.exit();`, driverEnvironment(driver));
    rmSync(join(folder, 'node_modules/webgpu'));
    return result;
  };

  it('a layer of a file becomes arrays that Python multiplies with', ({ skip }) => {
    const weights = Float32Array.of(0, 1.5, 0, -2, 0, 0.25);
    const tensor = { dtype: 'F32', shape: [2, 3], data_offsets: [0, 24] };
    const head = Buffer.from(JSON.stringify({ weight: tensor, other: { ...tensor, data_offsets: [24, 48] } }));
    const length = Buffer.alloc(8);
    length.writeUInt32LE(head.length);
    writeFileSync(
      join(folder, 'layer.safetensors'),
      Buffer.concat([length, head, Buffer.from(weights.buffer), Buffer.alloc(24)]),
    );
    const { status, stdout, stderr } = node(layer);
    expect(status, stderr).toBe(0);
    expect(stdout).toBe('other [ 2, 3 ] f32\nweight [ 2, 3 ] f32\n');
    const python = pythonWithNumpy();
    if (!python) return skip('found no Python with NumPy');
    writeFileSync(join(folder, 'x.txt'), '1\n2\n4\n');
    const reader = join(folder, 'node_modules/sparsescope/docs/numpy/sparsescope.py');
    expect(run(python, [reader, 'layer.npz', 'x.txt'], folder).stdout).toBe('3.0\n-1.0\n');
  });

  scheduled(
    'a software GPU times kernels for ten seconds of a core',
    'the example of README.md under Node here, which verifies the same kernels, and src/gpu/bench.gpu.test.ts, which times them',
    'the second example of docs/api.md times MACKO against dense',
    ({ skip }) => {
      const result = nodeWithGpu(times);
      if (result === null) return skip('found no software GPU; it comes with Chromium');
      const { status, stdout, stderr } = result;
      expect(status, stderr).toBe(0);
      expect(stdout).toMatch(/^dense\/spmv\S* [\d.]+ 1\nmacko\/spmv\S* [\d.]+ [\d.]+\n$/);
    },
  );

  scheduled(
    'a software GPU tries kernels for four seconds of a core',
    'the example of README.md under Node here, and src/lib/core.test.ts, which checks what the calls reject',
    'the example of docs/api.md with run of sparsescope/core uses the kernels of the format',
    ({ skip }) => {
      const result = nodeWithGpu(core);
      if (result === null) return skip('found no software GPU; it comes with Chromium');
      const { status, stdout, stderr } = result;
      expect(status, stderr).toBe(0);
      expect(stdout).toBe('Float32Array(2) [ 1, -1 ]\n');
    },
  );

  scheduled(
    'a software GPU compiles kernels for five seconds of a core',
    'the same pipeline in Chromium, in src/lib/run.gpu.test.ts',
    'the example of docs/api.md runs a kernel in a pipeline of the program',
    ({ skip }) => {
      const result = nodeWithGpu(pipeline);
      if (result === null) return skip('found no software GPU; it comes with Chromium');
      const { status, stdout, stderr } = result;
      expect(status, stderr).toBe(0);
      expect(stdout).toMatch(/^macko\/spmv\S* \[ 6, 2\.5 \]\n$/);
    },
  );

  it('a declared format returns the matrix that it stores', () => {
    const { stdout, stderr } = node(declared);
    expect([stdout, stderr]).toEqual(['36 [ 0, 1, 0, 2, 0, -3 ] []\n', '']);
  });
});

/** The folder of the installed package. */
const packageFolder = (): string => join(folder, 'node_modules/sparsescope');

describe('the package', () => {
  it('has no dependencies', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['sparsescope']);
    expect(readdirSync(packageFolder()).toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist-lib',
      'docs',
      'package.json',
    ]);
    expect(existsSync(join(packageFolder(), 'docs/numpy/sparsescope.py'))).toBe(true);
    // What is bundled comes with its licence.
    expect(readFileSync(join(packageFolder(), 'dist-lib/licences.txt'), 'utf8')).toMatch(/^fflate \d/m);
  });

  it('loads in a page without a bundler: its entries import modules by paths, except webgpu, which only Node needs', () => {
    const bareImports = new Set<string>();
    const files = new Set(Object.values(ENTRIES).map((file) => join(packageFolder(), 'dist-lib', `${file}.js`)));
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'`]([\w@#./:-]+)["'`]/g)) {
        if (name.startsWith('.')) files.add(join(dirname(file), name));
        else bareImports.add(name);
      }
    }
    expect([...bareImports]).toEqual(['#webgpu']);
    // Only the page needs the code of stories.
    const texts = [...files].map((file) => readFileSync(file, 'utf8'));
    expect(texts.filter((text) => text.includes('storyFrame('))).toEqual([]);
  });

  it('has Markdown pages whose links lead to files that it contains', () => {
    const pages = readdirSync(packageFolder(), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.md'),
    );
    expect(pages.length).toBeGreaterThan(3);
    for (const page of pages) {
      const text = readFileSync(join(packageFolder(), page), 'utf8');
      for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        expect(existsSync(join(packageFolder(), dirname(page), target)), `${page}: ${target}`).toBe(true);
      }
    }
    // A registry shows README without the other files, so that it has no relative links.
    const readme = readFileSync(join(packageFolder(), 'README.md'), 'utf8');
    expect([...readme.matchAll(/\]\((?!https?:)[^)]*/g)]).toEqual([]);
    expect(readme).toContain(example);
  });

  it('exports the entries of docs/api.md with the names that it lists, and nothing else', () => {
    const { exports } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as {
      readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
    };
    const api = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
    const table = api.slice(api.indexOf('## Entries'), api.indexOf('These entries'));
    const rows = [...table.matchAll(/^\| `sparsescope(\S*)` +\| (.*?) +\|$/gm)].map(([, path, text]) => {
      return { path, names: [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name) };
    });
    const ids = ['macko', ...(rows.find(({ path }) => path === '/macko')?.names ?? [])];
    expect(ids.toSorted()).toEqual(formats.map(({ id }) => id).toSorted());
    const paths = rows.flatMap(({ path }) =>
      path.startsWith('/macko') ? ids.map((id) => path.replace('macko', id)) : [path],
    );
    expect(Object.keys(exports).toSorted()).toEqual(['./package.json', ...paths.map((path) => `.${path}`)].toSorted());
    for (const { path, names } of rows.filter((row) => !/macko|\.py$/.test(row.path))) {
      const { types } = exports[`.${path}`] as { readonly types: string };
      const [, list] = /^export \{(.*)\};$/m.exec(readFileSync(join(packageFolder(), types), 'utf8')) ?? ['', ''];
      const exported = list.split(',').map((name) => name.trim().replace(/^.* as /, ''));
      expect(exported, path).toEqual(expect.arrayContaining(names));
    }
    const code = `for (const path of ['unknown', 'kernels', 'dist-lib/index.js', 'macko.js', 'macko/unknown']) {
  console.log(await import('sparsescope/' + path).then(() => path, (error) => error.code));
}`;
    writeFileSync(join(folder, 'unknown.mjs'), code);
    expect(run(process.execPath, ['unknown.mjs'], folder).stdout).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n'.repeat(5));
  });

  scheduled(
    'npm packs the folder a second time',
    'the package that is packed and installed here, except what npm rejects in a valid package',
    'can be published',
    () => {
      // The folder as packed: nothing is built again.
      const { status, stderr } = run('npm', ['publish', '--dry-run', '--offline'], PACKAGE_FOLDER);
      expect(status, stderr).toBe(0);
    },
  );

  /** Programs that use the types of the package: TYPED, and programs with every name of version 0.2.0. */
  const programs = (): Readonly<Record<string, string>> => ({
    'typed.ts': TYPED,
    ...Object.fromEntries(
      Object.keys(NAMES_OF_0_2).map((entry) => [`${entry.replace('/', '-')}.ts`, consumerOf(entry)] as const),
    ),
  });

  /** Compiles programs in the folder `directory`, where the package is installed. Returns the output of the compiler, '' without errors. */
  function compile(directory: string, tsc: string, files: readonly string[], settings: object): string {
    const strict = { noEmit: true, strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, types: [] };
    const compilerOptions = { ...strict, target: 'es2022', ...settings };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    return run(process.execPath, [tsc, '-p', '.'], directory).stdout;
  }

  it('has types with which programs in TypeScript compile, also programs of version 0.2.0', () => {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [name, text] of Object.entries(programs())) writeFileSync(join(folder, name), text);
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const errors = compile(folder, tsc, Object.keys(programs()), { module: 'nodenext', lib: ['es2024'] });
    expect(errors).toBe('');
    // With the library's types of WebGPU, the device has them.
    writeFileSync(
      join(folder, 'device.ts'),
      "import { openDevice } from 'sparsescope';\n(await openDevice({ gpu: navigator.gpu })).device.createBuffer({ size: 4, usage: 8 });\n",
    );
    expect(compile(folder, tsc, ['device.ts'], { module: 'nodenext', lib: ['es2024', 'dom'] })).toBe('');
  });

  scheduled(
    'npm installs two compilers, which compile eighteen times',
    'the same programs with the compiler of the project here, without the DOM',
    'has types for TypeScript from 5.7 on, with every resolution, with and without the DOM',
    ({ skip }) => {
      const directory = withPackages('typescript-5.7@npm:typescript@5.7', 'typescript-5@npm:typescript@5');
      if (directory === null) return skip('found no registry');
      for (const [name, text] of Object.entries(programs())) writeFileSync(join(directory, name), text);
      const compilers = ['typescript-5.7', 'typescript-5'].map((name) =>
        join(directory, 'node_modules', name, 'bin/tsc'),
      );
      for (const tsc of [...compilers, join(ROOT, 'node_modules/typescript/bin/tsc')]) {
        for (const [module, moduleResolution] of [
          ['node16', 'node16'],
          ['nodenext', 'nodenext'],
          ['esnext', 'bundler'],
        ]) {
          for (const lib of [['es2024'], ['es2024', 'dom']]) {
            const errors = compile(directory, tsc, Object.keys(programs()), { module, moduleResolution, lib });
            expect(errors, `${tsc} ${module} ${lib.join()}`).toBe('');
          }
        }
      }
      rmSync(directory, { recursive: true });
    },
  );

  /** An empty folder with the packed package and packages of the registry; null if npm cannot install them. */
  function withPackages(...names: readonly string[]): string | null {
    const directory = mkdtempSync(join(tmpdir(), 'with-packages-'));
    writeFileSync(join(directory, 'package.json'), '{ "type": "module", "private": true }');
    const file = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    const options = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
    const { status } = run('npm', [...options, join(folder, file), ...names], directory);
    if (status === 0) return directory;
    rmSync(directory, { recursive: true });
    return null;
  }

  it('is bundled for browsers, with the package webgpu installed', async () => {
    symlinkSync(join(ROOT, 'node_modules/webgpu'), join(folder, 'node_modules/webgpu'));
    writeFileSync(join(folder, 'bundled.mjs'), BUNDLED);
    const { output } = (await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { write: false, target: 'es2023', rolldownOptions: { input: join(folder, 'bundled.mjs') } },
    })) as Rolldown.RolldownOutput;
    rmSync(join(folder, 'node_modules/webgpu'));
    // The kernels of each format are a separate chunk.
    expect(output.length).toBeGreaterThan(formats.length);
    expect(output.filter((part) => part.type === 'chunk' && /node:|createRequire/.test(part.code))).toEqual([]);
  });

  scheduled(
    'npm installs three bundlers and webgpu',
    'the bundler of the project, Rolldown in Vite, on the same program here',
    'is bundled by esbuild, webpack and Rollup, with the package webgpu installed',
    ({ skip }) => {
      const bundlers = ['esbuild', 'webpack', 'webpack-cli', 'rollup', '@rollup/plugin-node-resolve'];
      const directory = withPackages(...bundlers, join(ROOT, 'node_modules/webgpu'));
      if (directory === null) return skip('found no registry');
      writeFileSync(join(directory, 'program.mjs'), BUNDLED);
      const lines = [
        'esbuild program.mjs --bundle --format=esm --minify --outfile=esbuild.js --log-level=warning',
        'esbuild program.mjs --bundle --splitting --format=esm --outdir=esbuild --log-level=warning',
        'webpack build --entry ./program.mjs --mode production --output-path webpack --stats errors-warnings --no-performance',
        'rollup program.mjs --plugin node-resolve={browser:true} --dir rollup --failAfterWarnings --silent',
      ];
      for (const line of lines) {
        const { status, stdout, stderr } = run('npx', ['--offline', ...line.split(' ')], directory);
        expect([status, stderr], `${line}\n${stdout}`).toEqual([0, '']);
      }
      rmSync(directory, { recursive: true });
    },
  );

  scheduled(
    'npm installs two programs',
    'the exports and the types that programs use here',
    'is accepted by publint and by Are the types wrong',
    ({ skip }) => {
      const directory = withPackages('publint', '@arethetypeswrong/cli');
      if (directory === null) return skip('found no registry');
      const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
      for (const line of [
        `publint --strict ${PACKAGE_FOLDER}`,
        `attw --profile esm-only --exclude-entrypoints sparsescope.py --no-emoji ${file}`,
      ]) {
        const { status, stdout, stderr } = run('npx', ['--offline', ...line.split(' ')], directory);
        expect(status, stdout + stderr).toBe(0);
      }
      rmSync(directory, { recursive: true });
    },
  );

  it('runs the example of README.md under Node', ({ skip }) => {
    const driver = swiftShaderFile();
    if (driver === null) return skip('found no software GPU; it comes with Chromium');
    symlinkSync(join(ROOT, 'node_modules/webgpu'), join(folder, 'node_modules/webgpu'));
    // Ends the process explicitly: a destroyed device may keep it alive.
    const file = join(folder, 'example.mjs');
    writeFileSync(file, `${example}${REPORTS}console.error(JSON.stringify(outcome));\nprocess.exit();\n`);
    const { status, stdout, stderr } = run(process.execPath, [file], folder, driverEnvironment(driver));
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('Uint32Array');
    expectRight(JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Outcome);
  });

  it('exports every value of version 0.2.0', () => {
    const entries = Object.keys(NAMES_OF_0_2);
    const code = `const all = {};
for (const entry of ${JSON.stringify(entries)}) all[entry] = Object.keys(await import(entry));
console.log(JSON.stringify(all));`;
    writeFileSync(join(folder, 'entries.mjs'), code);
    const { stdout, stderr } = run(process.execPath, ['entries.mjs'], folder);
    expect(stderr).toBe('');
    const exported = JSON.parse(stdout) as Readonly<Record<string, readonly string[]>>;
    for (const entry of entries)
      expect(exported[entry]).toEqual(expect.arrayContaining([...NAMES_OF_0_2[entry].values]));
  });

  it('exports its errors, whose classes keep their names in the built files', () => {
    const code = `import * as all from 'sparsescope';
import * as files from 'sparsescope/files';
const { SparseScopeError } = all;
const classes = Object.entries({ ...all, ...files }).filter(([, each]) => each === SparseScopeError || each.prototype instanceof SparseScopeError);
const thrown = [];
for (const call of [() => all.fromDense(1, 2, 'ab'), () => all.encode(null), () => files.readMatrix('a.mtx')]) {
  try { await call(); } catch (error) { thrown.push([error instanceof SparseScopeError, error.name, error.message]); }
}
console.log(JSON.stringify([classes.map(([name, each]) => [name, each.name, new each('').name]), thrown]));`;
    writeFileSync(join(folder, 'errors.mjs'), code);
    const { stdout, stderr } = run(process.execPath, ['errors.mjs'], folder);
    expect(stderr).toBe('');
    const [classes, thrown] = JSON.parse(stdout) as readonly (readonly unknown[][])[];
    expect(classes.map(([name]) => name)).toEqual(
      expect.arrayContaining(['SparseScopeError', 'MatrixError', 'FormatError', 'ReadError', 'TensorChoiceError']),
    );
    for (const [name, ...names] of classes) expect(names).toEqual([name, name]);
    expect(thrown).toEqual([
      [true, 'SparseScopeError', expect.stringMatching(/^cells: found 'ab', expected /)],
      [true, 'SparseScopeError', expect.stringMatching(/^format: found undefined, expected /)],
      [true, 'SparseScopeError', expect.stringMatching(/^files: found 'a.mtx', expected a Blob, or \{ name, bytes \}/)],
    ]);
  });

  it('reports under Node that the package webgpu is missing', () => {
    const file = join(folder, 'node_modules/sparsescope/dist-lib/alone.mjs');
    writeFileSync(
      file,
      "import { openDevice } from './index.js';\nawait openDevice().catch((e) => console.log(e.message));\n",
    );
    rmSync(join(folder, 'node_modules/webgpu'), { force: true });
    expect(run(process.execPath, [file], folder).stdout).toMatch(
      /^Node: found no GPU \(Cannot find package 'webgpu'.*\), expected the package webgpu: npm install webgpu\n$/,
    );
    // A program that does not catch it ends with that sentence, not with a list of calls and lines of their sources.
    writeFileSync(join(folder, 'example.mjs'), example);
    const { status, stderr } = run(process.execPath, ['example.mjs'], folder);
    expect([status, stderr.match(/NoDeviceError: Node: found no GPU .*npm install webgpu/g)?.length]).toEqual([1, 1]);
    expect(stderr).not.toMatch(/^\s+at |dist-lib\/|Warning/m);
  });

  scheduled(
    'a browser begins and compiles for a software GPU, six seconds of a core',
    'the same example under Node here, and that no script names a module which a page has not',
    'the example of README.md runs in Chromium from a page without a bundler',
    async ({ skip }) => {
      const executablePath = chromiumPath();
      if (!executablePath) return skip('found no Chromium');
      const map = { imports: { sparsescope: './lib/index.js', 'sparsescope/macko': './lib/codecs/macko.js' } };
      const page = `<!doctype html><script type="importmap">${JSON.stringify(map)}</script>
<script type="module">${example}${REPORTS}globalThis.outcome = outcome;</script>`;
      const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '': 'text/html' };
      const server = createServer(({ url = '/' }, response) => {
        response.setHeader('content-type', types[extname(url)] ?? 'text/plain');
        response.end(
          url.startsWith('/lib/')
            ? readFileSync(join(folder, 'node_modules/sparsescope/dist-lib', url.slice(5)))
            : page,
        );
      });
      await new Promise<void>((listens) => void server.listen(0, '127.0.0.1', listens));
      const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
      try {
        const tab = await browser.newPage();
        const errors: string[] = [];
        tab.on('pageerror', ({ message }) => errors.push(message));
        await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        const done = tab.waitForFunction(() => (globalThis as { outcome?: unknown }).outcome);
        const failed = tab.waitForEvent('pageerror').then(({ message }) => Promise.reject(new Error(message)));
        expectRight((await (await Promise.race([done, failed])).jsonValue()) as Outcome);
        expect(errors).toEqual([]);
      } finally {
        await browser.close();
        server.close();
      }
    },
  );
});
