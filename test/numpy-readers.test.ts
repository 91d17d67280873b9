import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, type TestContext } from 'vitest';
import type { AnyFormat } from '../src/core/format.ts';
import { type Matrix, toDense } from '../src/core/matrix/index.ts';
import { Random } from '../src/core/number/random.ts';
import { spmvWithBound } from '../src/core/oracle.ts';
import { threadPace } from '../src/core/pace.ts';
import { ServiceJob } from '../src/engine/bridge/service-job.ts';
import { encodingFile } from '../src/engine/matrix/file-export.ts';
import { formats } from '../src/formats/registry.ts';
import { withReaders } from '../scripts/numpy-readers.ts';
import { pythonWithNumpy } from '../scripts/numpy.mjs';
import { pythonDecode } from '../scripts/python-decode.ts';
import {
  supportedRecipe,
  allParams,
  buildMatrix,
  type MatrixRecipe,
  matrixRecipe,
  paramsTitle,
} from './arbitraries.ts';
import { contractFormats } from './declared/formats.ts';
import { CHOICES, KINDS, pathOf, writtenMatrix } from './golden/written-files.ts';
import { scheduled } from './scheduled.ts';

/**
 * docs/numpy/sparsescope.py reads the arrays of a format as the page saves them. `npm run printed` prints its part
 * that follows from declarations.
 */

const SCRIPT = resolve(import.meta.dirname, '../docs/numpy/sparsescope.py');
const source = readFileSync(SCRIPT, 'utf8');

/** Formats with a hand-written function in the script, whose `decode` can also be translated to Python. */
const TRANSLATED = /^@decodes\("(?:csr|ell|macko)"\)\n/gm;
const READERS = {
  'by hand': withReaders(source, contractFormats),
  translated: withReaders(source.replaceAll(TRANSLATED, ''), contractFormats),
} as const;

/** Number of matrices tried with each combination of parameters: of any kind, and with many non-zeros. */
const [ANY, FULL] = [3, 5];

/** A Python program: for each line of its input (a file and x), prints y and writes the cells next to the file. */
const DRIVER = `
import sys
import numpy as np
import sparsescope as s
for line in sys.stdin.read().splitlines():
    path, x = line.split()
    e = s.load(path)
    s.to_dense(e).tofile(x + ".cells")
    print(*s.spmv(e, np.loadtxt(x, ndmin=1)), sep="\\n")
`;

const python = pythonWithNumpy();

/** Calls `tries` with a temporary folder that contains the reader; skips the test without NumPy. */
async function inFolder(reader: string, { skip }: TestContext, tries: (folder: string) => unknown): Promise<void> {
  if (!python) return skip('found no Python with NumPy; npm run test:all explains why');
  const folder = mkdtempSync(join(tmpdir(), 'numpy-'));
  try {
    writeFileSync(join(folder, 'sparsescope.py'), reader);
    await tries(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(folder: string, args: readonly string[], input = '') {
  return spawnSync(python ?? '', ['-W', 'ignore', ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
}

interface Case {
  readonly title: string;
  readonly decoded: Matrix;
  readonly x: Float32Array;
}

/** Writes a matrix as the page saves it, to PATH.npz or PATH.safetensors, and a vector x to PATH. */
async function writeCase(format: AnyFormat, params: object, m: Matrix, path: string, seed: number) {
  const encoded = format.encode(m, params);
  const kind = seed % 2 === 0 ? 'npz' : 'safetensors';
  const file = await encodingFile(format, params, encoded, kind, new ServiceJob(threadPace), threadPace);
  writeFileSync(`${path}.${kind}`, new Uint8Array(await file.arrayBuffer()));
  const random = new Random(seed);
  const x = Float32Array.from({ length: m.cols }, () => random.normal());
  writeFileSync(path, x.join('\n'));
  const title = `${paramsTitle({ ...params })}, ${m.rows} × ${m.cols}, .${kind}`;
  return { line: `${path}.${kind} ${path}`, title, decoded: format.decode(encoded), x };
}

/** The numbers that Python printed, one on each line. */
function numbersOf(printed: string): readonly number[] {
  const lines = printed.split('\n').filter((line) => line !== '');
  return lines.map((line) => Number(line.replace('inf', 'Infinity')));
}

async function agreesWithTheOracle(format: AnyFormat, folder: string): Promise<void> {
  const read: (Case & { readonly line: string })[] = [];
  for (const params of allParams(format)) {
    const seed = (fc.readConfigureGlobal().seed ?? 0) + read.length;
    const sample = (recipes: fc.Arbitrary<MatrixRecipe>, numRuns: number) => fc.sample(recipes, { seed, numRuns });
    const any = sample(matrixRecipe(), 4 * ANY).filter((recipe) => format.admits(buildMatrix(recipe), params).ok);
    for (const recipe of [...any.slice(0, ANY), ...sample(supportedRecipe(format, params), FULL)]) {
      read.push(await writeCase(format, params, buildMatrix(recipe), join(folder, String(read.length)), read.length));
    }
  }
  const { stdout, stderr, status } = run(folder, ['-c', DRIVER], read.map(({ line }) => line).join('\n'));
  expect(status, stderr).toBe(0);
  const outputs = numbersOf(stdout);
  let position = 0;
  for (const [i, { title, decoded, x }] of read.entries()) {
    const bytes = readFileSync(join(folder, `${i}.cells`));
    expect(new Float32Array(new Uint8Array(bytes).buffer), title).toEqual(toDense(decoded));
    const { y, magnitude } = spmvWithBound(decoded, x);
    for (const [r, expected] of y.entries()) {
      const value = outputs[position++];
      if (Object.is(value, expected) || value === expected) continue;
      const error = Math.abs(value - expected);
      expect(error, `${title}: y[${r}] is ${value}, expected ${expected}`).toBeLessThanOrEqual(1e-12 * magnitude[r]);
    }
  }
  expect(outputs).toHaveLength(position);
  expect(position).toBeGreaterThan(100);
}

describe('the NumPy reader in docs/numpy', () => {
  it('contains the declared arrays of every format', async () => {
    await expect(withReaders(source, formats), 'npm run printed').toMatchFileSnapshot(SCRIPT);
  });

  it('contains a Python function for a decode of loops and sums', () => {
    const decode = {
      toString: () => `decode({ data, 'words.at': from }, p, put) {
        for (let i = 0; i <= p.rows; i++) {
          let next = from[i] >>> 1;
          for (let k = 0; k < next; k++) if (!(data[k] === 0 || k > 2)) put(i, next++, -data[k]);
          while (next < 9) next += Math.floor((next + 1) / 2);
        }
      }`,
    };
    expect(pythonDecode('a-b', decode)).toBe(`def a_b(a, n):
    data = a["data"].tolist()
    from_ = a["words.at"].tolist()
    cells = []
    for i in range(0, n["rows"] + 1):
        next = from_[i] >> 1
        k = 0
        while k < next:
            if not ((data[k] == 0) or (k > 2)):
                cells.append((i, ((next := next + 1) - 1), -data[k]))
            k += 1
        while next < 9:
            next += (next + 1) // 2
    return np.array(cells, float).reshape(-1, 3).T
`);
  });

  it.each([
    ['decode({ data }, { rows }, put) { put(0, 0, data[slotOf(rows)]); }', 'slotOf(rows)'],
    ['decode({ data }, { rows }, put) { put(0, cols, data[0]); }', 'cols'],
    ['decode({ data }, { rows }, put) { put(0, 0, ~data[0]); }', '~data[0]'],
    ['decode({ data }, { rows }, put) { for (const d of data) put(0, 0, d); }', 'for (const d of data) put(0, 0, d);'],
  ])('reports the part of a decode that it cannot translate: %s', (text, part) => {
    expect(() => pythonDecode('x', { toString: () => text })).toThrow(
      `x: found '${part}' in its decode, expected loops and sums; give it a function in docs/numpy/sparsescope.py`,
    );
  });

  scheduled(
    'it needs Python with NumPy',
    'the same files opened in test/golden/written-files.test.ts; a fault of the script by this test alone',
    'the NumPy reader opens files that earlier versions of the page wrote',
    (context) =>
      inFolder(source, context, async (folder) => {
        const files = CHOICES.flatMap(([, , of], i) => KINDS.map((kind) => ({ of, path: pathOf(i, kind) })));
        const x = (i: number): string => join(folder, String(i));
        for (const i of files.keys()) writeFileSync(x(i), '1\n'.repeat(64));
        const lines = files.map(({ path }, i) => `${path} ${x(i)}`);
        const { stdout, stderr, status } = run(folder, ['-c', DRIVER], lines.join('\n'));
        expect(status, stderr).toBe(0);
        expect(numbersOf(stdout)).toHaveLength(files.length * 20);
        for (const [i, { of, path }] of files.entries()) {
          const cells = new Float32Array(new Uint8Array(readFileSync(`${x(i)}.cells`)).buffer);
          expect(cells, path).toEqual(toDense(await writtenMatrix(of)));
        }
      }),
  );

  scheduled(
    'it needs Python with NumPy',
    'nothing: only this script rejects a damaged file',
    'the NumPy reader reports in one message what is wrong with a file',
    (context) =>
      inFolder(READERS['by hand'], context, async (folder) => {
        const csr = formats[1];
        const params = { valueType: 'f32', indexBits: 16 };
        const m = buildMatrix({
          shape: [3, 5],
          pattern: 'full',
          values: 'normal',
          density: 1,
          seed: 1,
          storage: 'cells',
        });
        const encoded = csr.encode(m, params);
        const write = async (name: string, changed: object, without = ''): Promise<void> => {
          const all = Object.entries({ ...encoded, ...changed }).filter(([key]) => key !== without);
          const e = Object.fromEntries(all) as unknown as typeof encoded;
          const job = new ServiceJob(threadPace);
          const file = await encodingFile(
            { ...csr, storage: () => csr.storage(encoded) },
            params,
            e,
            'npz',
            job,
            threadPace,
          );
          writeFileSync(join(folder, name), new Uint8Array(await file.arrayBuffer()));
        };
        await write('right.npz', {});
        writeFileSync(join(folder, 'x.txt'), '1\n2\n');
        writeFileSync(join(folder, 'short.npz'), readFileSync(join(folder, 'right.npz')).subarray(0, 300));
        writeFileSync(join(folder, 'text.npz'), 'Dear reader');
        await write('other.npz', { format: 'coo' });
        await write('bits.npz', { indexBits: 8 });
        await write('missing.npz', {}, 'indptr');
        await write('typed.npz', { data: new Int8Array(15) });
        await write('shorter.npz', { indices: new Uint16Array(14) });
        await write('outside.npz', { indices: new Uint16Array(15).fill(9) });
        const no = 'found no arrays of a format, expected .npz or .safetensors as SparseScope saves them.';
        const cases: readonly (readonly [args: string, sentence: string])[] = [
          ['right.npz x.txt', 'Found 5 columns and 2 values of x, expected one value per column.'],
          ['short.npz', `short.npz: ${no}`],
          ['text.npz', `text.npz: ${no}`],
          ['other.npz', `other.npz: found the format coo, expected ${contractFormats.map(({ id }) => id).join(', ')}.`],
          ['bits.npz', 'bits.npz: found indexBits 8, expected 16, 32.'],
          ['missing.npz', 'missing.npz: found no array indptr, expected it in csr.'],
          ['typed.npz', 'typed.npz: found data as i8, expected f32.'],
          ['shorter.npz', 'shorter.npz: found arrays that do not fit each other, expected those of csr.'],
          ['outside.npz', 'outside.npz: found a cell in column 9, expected columns below 5.'],
        ];
        for (const [args, sentence] of cases) {
          const { status, stdout, stderr } = run(folder, ['sparsescope.py', ...args.split(' ')]);
          expect([args, status, stdout, stderr]).toEqual([args, 1, '', `${sentence}\n`]);
        }
        const { status, stdout, stderr } = run(folder, ['sparsescope.py', 'right.npz']);
        expect([status, stderr], 'x is 1 everywhere').toEqual([0, '']);
        const { y } = spmvWithBound(m, new Float32Array(5).fill(1));
        expect(numbersOf(stdout)).toEqual([...y]);
      }),
  );
});

const IN_PYTHON = contractFormats.filter(({ id }) => ['csr', 'ell', 'macko'].includes(id));
describe.each([
  ...contractFormats.map((format) => ({ of: 'the NumPy reader', format, reader: READERS['by hand'] })),
  ...IN_PYTHON.map((format) => ({ of: 'decode in Python', format, reader: READERS.translated })),
])('$of of $format.id', ({ format, reader }) => {
  scheduled(
    'it needs Python with NumPy, and exports hundreds of matrices',
    'the product of the same arrays on the CPU, in src/formats/contract/laws.test.ts; a fault of the script by this test alone',
    'the NumPy reader returns the cells, and the same product as the oracle, with all parameters',
    (context) => inFolder(reader, context, (folder) => agreesWithTheOracle(format, folder)),
  );
});
