/*
 * Tests that docs/numpy/sparsescope.py reads and writes the arrays of a format as the page does. `npm run printed` generates the
 * part of it that follows from declarations.
 */

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, type TestContext } from 'vitest';
import { type AnyFormat, type NamedArray, namedArrays, resolvedParams } from '../src/core/format.ts';
import { type Matrix, toDense } from '../src/core/matrix/index.ts';
import { Random } from '../src/core/number/random.ts';
import { spmvWithBound } from '../src/core/oracle.ts';
import { threadPace } from '../src/core/pace.ts';
import { ServiceJob } from '../src/engine/bridge/service-job.ts';
import { encodingFile } from '../src/engine/matrix/file-export.ts';
import { formats } from '../src/formats/registry.ts';
import { encodedFacts, readEncodedFile } from '../src/io/index.ts';
import { readStored } from '../src/lib/files.ts';
import { withReaders } from '../scripts/numpy-readers.ts';
import { pythonWithNumpy, pythonWithScipy } from '../scripts/numpy.mjs';
import { pythonDecode, pythonEncode } from '../scripts/python-functions.ts';
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

const SCRIPT = resolve(import.meta.dirname, '../docs/numpy/sparsescope.py');
const source = readFileSync(SCRIPT, 'utf8');

/** Decorators of functions in the script that can also be generated: without them, generated functions are used. */
const REPLACEABLE_DECORATORS = /^@(?:decodes\("(?:csr|ell|macko)"\)|encodes\("csr"\))\n/gm;
/** The script with the format of CONTRIBUTING.md added: with its functions written by hand, and with generated ones. */
const READERS = {
  'by hand': withReaders(source, contractFormats),
  translated: withReaders(source.replaceAll(REPLACEABLE_DECORATORS, ''), contractFormats),
} as const;

/** Numbers of matrices that are tried with each combination of parameters: of any kind, and of those that the format supports. */
const ANY_COUNT = 3;
const SUPPORTED_COUNT = 5;

/** A Python program: for each line of its input (a file and a file with x), prints y and writes the cells next to x. */
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

/**
 * A Python program: for each line of the input, a file of cells with rows, columns, format and parameters, writes the encoded matrix next to
 * it, as .npz or .safetensors.
 */
const ENCODE_DRIVER = `
import json, sys
import numpy as np
import sparsescope as s
for line in sys.stdin.read().splitlines():
    path, kind, rows, cols, format, params = line.split(" ", 5)
    cells = np.fromfile(path, np.float32).reshape(int(rows), int(cols))
    s.save(s.encode(cells, format, **json.loads(params)), f"{path}.{kind}")
`;

/**
 * A Python program that tests both directions with SciPy: for each line of the input, a file of the page with its rows, columns,
 * format and parameters, it compares to_scipy and @ with SciPy, then encodes the original cells as one of SciPy's classes, and
 * writes the result next to the file.
 */
const SCIPY_DRIVER = `
import json, sys
import numpy as np
import scipy.sparse as sp
import sparsescope as s
def near(found, A, X):
    exact = A.astype(float)
    expected, bound = exact @ X, 1e-12 * (abs(exact) @ abs(X))
    assert found.shape == expected.shape
    same = (found == expected) | np.isnan(found) & np.isnan(expected) | (abs(found - expected) <= bound)
    assert same.all(), (found[~same], expected[~same])
for i, line in enumerate(sys.stdin.read().splitlines()):
    path, rows, cols, format, params = line.split(" ", 4)
    e = s.load(path)
    A = s.to_scipy(e)
    assert isinstance(A, sp.csr_array) and A.dtype == np.float32
    assert np.array_equal(A.toarray(), s.to_dense(e), equal_nan=True)
    assert A.nnz == len(s.cells(e)[0])
    random = np.random.default_rng(i)
    X = random.standard_normal((A.shape[1], 3))
    near(e @ X, A, X)
    near(e @ X[:, 0], A, X[:, 0])
    assert (e @ X[:, :0]).shape == (A.shape[0], 0)
    B = sp.random(A.shape[1], 4, 0.5, random_state=i, format="csc")
    near((e @ B).toarray(), A, B.toarray())
    cells = np.fromfile(path + ".original", np.float32).reshape(int(rows), int(cols))
    kinds = [sp.csr_array, sp.csc_array, sp.coo_array, sp.lil_array, sp.csr_matrix, sp.bsr_array]
    M = kinds[i % len(kinds)](cells)
    if i % len(kinds) == 2:
        # Halves of each entry, at the same place.
        M = sp.coo_array((np.tile(M.data.astype(float) / 2, 2), (np.tile(M.row, 2), np.tile(M.col, 2))), shape=M.shape)
    s.save(s.encode(M, format, **json.loads(params)), path + ".back.npz")
`;

const python = pythonWithNumpy();

/** Calls `test` with a temporary folder that contains the reader. Skips the test without Python. */
async function inFolder(
  reader: string,
  { skip }: TestContext,
  test: (folder: string) => unknown,
  program = python,
): Promise<void> {
  if (!program) return skip('found no Python with NumPy; npm run test:all explains why');
  const folder = mkdtempSync(join(tmpdir(), 'numpy-'));
  try {
    writeFileSync(join(folder, 'sparsescope.py'), reader);
    await test(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs Python in a folder. */
function run(folder: string, args: readonly string[], input = '', program = python) {
  return spawnSync(program ?? '', ['-W', 'ignore', ...args], {
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

/** Expects that Python reads the cells of a format's files exactly, and multiplies them within the error bound. */
async function expectOracleResults(format: AnyFormat, folder: string): Promise<void> {
  const cases: (Case & { readonly line: string })[] = [];
  for (const params of allParams(format)) {
    const seed = (fc.readConfigureGlobal().seed ?? 0) + cases.length;
    const sample = (recipes: fc.Arbitrary<MatrixRecipe>, numRuns: number) => fc.sample(recipes, { seed, numRuns });
    const any = sample(matrixRecipe(), 4 * ANY_COUNT).filter((recipe) => format.admits(buildMatrix(recipe), params).ok);
    for (const recipe of [...any.slice(0, ANY_COUNT), ...sample(supportedRecipe(format, params), SUPPORTED_COUNT)]) {
      cases.push(
        await writeCase(format, params, buildMatrix(recipe), join(folder, String(cases.length)), cases.length),
      );
    }
  }
  const { stdout, stderr, status } = run(folder, ['-c', DRIVER], cases.map(({ line }) => line).join('\n'));
  expect(status, stderr).toBe(0);
  const outputs = numbersOf(stdout);
  let position = 0;
  for (const [i, { title, decoded, x }] of cases.entries()) {
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

/** Every combination of parameters, each with matrices that the format supports; `onlyFinite`: and stores as finite numbers. */
function supportedCases(format: AnyFormat, { onlyFinite = false } = {}) {
  const all: { readonly params: object; readonly m: Matrix }[] = [];
  for (const params of allParams(format)) {
    const seed = (fc.readConfigureGlobal().seed ?? 0) + all.length;
    const any = fc.sample(matrixRecipe(), { seed, numRuns: 4 * ANY_COUNT }).map(buildMatrix);
    const supported = fc.sample(supportedRecipe(format, params), { seed, numRuns: SUPPORTED_COUNT }).map(buildMatrix);
    for (const m of [...any, ...supported].filter((matrix) => format.admits(matrix, params).ok)) {
      const isFinite = () => toDense(format.decode(format.encode(m, params))).every(Number.isFinite);
      if (!onlyFinite || isFinite()) all.push({ params, m });
    }
  }
  return all;
}

/** The parameters as JSON, which the Python programs read. */
const paramsJson = (params: object): string => JSON.stringify(params);

/** Type and elements of all arrays, by name. */
const textsByName = (arrays: Iterable<readonly [string, NamedArray]>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...arrays]
      .map(([name, array]): [string, string] => [name, `${array.constructor.name} ${array.join()}`])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Expects that a file that Python wrote contains the arrays and numbers of `encode`. */
async function expectSameFile(path: string, format: AnyFormat, params: object, m: Matrix): Promise<void> {
  const bytes = new Uint8Array(readFileSync(path));
  const { arrays, facts } = await readEncodedFile({ name: path, bytes });
  const expected = format.encode(m, params);
  const title = `${format.id} ${paramsTitle({ ...params })}, ${m.rows} × ${m.cols}`;
  expect(textsByName(Object.entries(arrays)), title).toEqual(textsByName(namedArrays(expected)));
  const { params: chosen, format: id, ...numbers } = facts;
  expect([id, numbers], title).toEqual([format.id, encodedFacts(expected)]);
  expect(JSON.parse(chosen), title).toEqual(resolvedParams(format.params, { ...params }, m));
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

  it('contains a Python function for an encode of loops and sums', () => {
    const encode = {
      toString: () => `*encode(A, { data, counts: from }, { rows, slots }, narrate) {
        from.push(0);
        data.zeros(rows * slots);
        for (const row of A) {
          narrate?.('Row begins.', row);
          if (row.length > slots) from.pad(rows, 2);
          else data.setEvery(row.index, rows, row.values, row.length);
          yield;
        }
        const last = A.row(rows - 1);
        for (let i = 0; i < last.length; i++) data.set(from.get(i), last.values[i]);
        from.pushAll(last.columns, slots);
        return { last: data.length };
      }`,
    };
    expect(pythonEncode('a-b', encode)).toBe(`def encode_a_b(A, out, n):
    data = out["data"]
    from_ = out["counts"]
    rows = n["rows"]
    slots = n["slots"]
    from_.append(0)
    data.extend([0] * (rows * slots))
    for row in A:
        if row.length > slots:
            from_.extend([rows] * 2)
        else:
            data[row.index : row.index + rows * row.length : rows] = row.values[:row.length]
    last = A[rows - 1]
    for i in range(0, last.length):
        data[from_[i]] = last.values[i]
    from_.extend(last.columns[:slots])
    return {"last": len(data)}
`);
    expect(() => pythonEncode('x', { toString: () => '*encode(A, { data }) { data.push(widthOf(data)); }' })).toThrow(
      "x: found 'widthOf(data)' in its encode, expected loops and sums",
    );
  });

  it('has a function that encodes, written by hand or printed, for these formats', () => {
    const encoders = [...READERS.translated.matchAll(/^@encodes(_rows)?\("(.+)"\)$/gm)];
    expect(encoders.map(([, printed, id]) => `${id}${printed === undefined ? '' : ', printed'}`)).toEqual([
      'bsr',
      'ell',
      'bitmask',
      'macko',
      'csr, printed',
      'delta-csr, printed',
    ]);
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
        const files = CHOICES.flatMap(([, , matrix], i) => KINDS.map((kind) => ({ matrix, path: pathOf(i, kind) })));
        const xPath = (i: number): string => join(folder, String(i));
        for (const i of files.keys()) writeFileSync(xPath(i), '1\n'.repeat(64));
        const lines = files.map(({ path }, i) => `${path} ${xPath(i)}`);
        const { stdout, stderr, status } = run(folder, ['-c', DRIVER], lines.join('\n'));
        expect(status, stderr).toBe(0);
        expect(numbersOf(stdout)).toHaveLength(files.length * 20);
        for (const [i, { matrix, path }] of files.entries()) {
          const cells = new Float32Array(new Uint8Array(readFileSync(`${xPath(i)}.cells`)).buffer);
          expect(cells, path).toEqual(toDense(await writtenMatrix(matrix)));
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
        const notAFile = 'found no arrays of a format, expected .npz or .safetensors as SparseScope saves them.';
        const messages: readonly (readonly [args: string, sentence: string])[] = [
          ['right.npz x.txt', 'Found 5 columns and 2 values of x, expected one value per column.'],
          ['short.npz', `short.npz: ${notAFile}`],
          ['text.npz', `text.npz: ${notAFile}`],
          ['other.npz', `other.npz: found the format coo, expected ${contractFormats.map(({ id }) => id).join(', ')}.`],
          ['bits.npz', 'bits.npz: found indexBits 8, expected 16, 32.'],
          ['missing.npz', 'missing.npz: found no array indptr, expected it in csr.'],
          ['typed.npz', 'typed.npz: found data as i8, expected f32.'],
          ['shorter.npz', 'shorter.npz: found arrays that do not fit each other, expected those of csr.'],
          ['outside.npz', 'outside.npz: found a cell in column 9, expected columns below 5.'],
        ];
        for (const [args, sentence] of messages) {
          const { status, stdout, stderr } = run(folder, ['sparsescope.py', ...args.split(' ')]);
          expect([args, status, stdout, stderr]).toEqual([args, 1, '', `${sentence}\n`]);
        }
        const calls = {
          "s.encode([[1]], 'twell')": `format: found 'twell', expected ${['csr', 'bsr', 'ell', 'bitmask', 'macko', 'delta-csr'].join(', ')}.`,
          's.encode([1, 2], "csr")': 'matrix: found 1 dimensions, expected 2.',
          's.encode([["a"]], "csr")': 'matrix: found elements of type <U1, expected real numbers.',
          's.encode([[0, 1e39]], "csr")':
            'matrix: found 1e+39 at row 0, column 1, expected at most 3.4028234663852886e38 in magnitude, the largest f32.',
          's.encode([[1e-50]], "csr")':
            'matrix: found 1e-50 at row 0, column 0, expected 0, or at least 1.4e-45 in magnitude, the smallest f32.',
          's.encode([[2 ** 60 + 1]], "csr")':
            'matrix: found 1152921504606846977 at row 0, column 0, expected a whole number that is exact in f32, as all up to 16777216.',
          's.encode([[1]], "macko", bits=4)': 'parameters of macko: found bits, expected deltaBits, valueType.',
          's.encode([[1]], "macko", deltaBits=3)': 'macko.deltaBits: found 3, expected 1, 2, 4, 8.',
          's.encode([[1]], "macko", deltaBits=True)': 'macko.deltaBits: found True, expected 1, 2, 4, 8.',
          's.encode([[np.inf]], "macko", valueType="i8")':
            'macko: found inf at row 0, column 0, expected finite values for i8.',
          's.encode([[1e6]], "macko", valueType="i4")':
            'macko: found 1000000.0 at row 0, column 0, expected magnitudes below 524160 for i4.',
          's.encode(np.zeros((1, 70000)), "csr", indexBits=16)':
            'csr: found 70000 columns, expected at most 65536 with 16 index bits.',
          's.save(s.load("right.npz"), "a.zip")': 'a.zip: found another ending, expected .npz or .safetensors.',
          's.load("right.npz") @ np.zeros((4, 2))':
            'x: found the shape (4, 2), expected one value or one row per column, 5.',
        };
        const lambdas = Object.keys(calls).map((call) => `    lambda: ${call},`);
        const code = `import numpy as np\nimport sparsescope as s\nfor call in [\n${lambdas.join('\n')}\n]:\n    try:\n        print(call())\n    except ValueError as error:\n        print(error)\n`;
        const printed = run(folder, ['-c', code]);
        expect(printed.stdout.trimEnd().split('\n'), printed.stderr).toEqual(Object.values(calls));
        const warningCode = `import sparsescope as s, warnings\nwith warnings.catch_warnings(record=True) as found:\n    warnings.simplefilter("always")\n    s.encode([[1e6, 1e-9, 1]], "macko")\nprint(*[w.message for w in found], sep="\\n")`;
        expect(run(folder, ['-c', warningCode]).stdout).toBe(
          "macko: 1 of 3 values is too large for f16, and infinite now; choose valueType='f32' to keep them.\n" +
            "macko: 1 of 3 values is too small for f16, and 0 now; choose valueType='f32' to keep them.\n",
        );
        const { status, stdout, stderr } = run(folder, ['sparsescope.py', 'right.npz']);
        expect([status, stderr], 'x is 1 everywhere').toEqual([0, '']);
        const { y } = spmvWithBound(m, new Float32Array(5).fill(1));
        expect(numbersOf(stdout)).toEqual([...y]);
      }),
  );
});

/** Formats whose generated functions are tested besides those written by hand. */
const TRANSLATED_FORMATS = contractFormats.filter(({ id }) => ['csr', 'ell', 'macko'].includes(id));
describe.each([
  ...contractFormats.map((format) => ({ of: 'the NumPy reader', format, reader: READERS['by hand'] })),
  ...TRANSLATED_FORMATS.map((format) => ({ of: 'decode in Python', format, reader: READERS.translated })),
])('$of of $format.id', ({ format, reader }) => {
  scheduled(
    'it needs Python with NumPy, and exports hundreds of matrices',
    'the product of the same arrays on the CPU, in src/formats/contract/laws.test.ts; a fault of the script by this test alone',
    'the NumPy reader returns the cells, and the same product as the oracle, with all parameters',
    (context) => inFolder(reader, context, (folder) => expectOracleResults(format, folder)),
  );
});

describe.each(
  (['by hand', 'translated'] as const).flatMap((of) =>
    contractFormats
      .filter(({ id }) =>
        ['csr', 'delta-csr', ...(of === 'by hand' ? ['bsr', 'ell', 'bitmask', 'macko'] : [])].includes(id),
      )
      .map((format) => ({ of, format })),
  ),
)('encode in Python, $of, of $format.id', ({ of, format }) => {
  scheduled(
    'it needs Python with NumPy, and writes hundreds of matrices',
    'the encoders of the page, in src/formats/contract/laws.test.ts; a fault of the script by this test alone',
    'writes the arrays and numbers of the page, with all parameters',
    (context) =>
      inFolder(READERS[of], context, async (folder) => {
        const all = supportedCases(format);
        const kindOf = (i: number): string => KINDS[i % KINDS.length];
        const lines = all.map(({ params, m }, i) => {
          const path = join(folder, String(i));
          writeFileSync(path, toDense(m));
          return [path, kindOf(i), m.rows, m.cols, format.id, paramsJson(params)].join(' ');
        });
        const { stderr, status } = run(folder, ['-c', ENCODE_DRIVER], lines.join('\n'));
        expect(status, stderr).toBe(0);
        for (const [i, { params, m }] of all.entries()) {
          await expectSameFile(join(folder, `${i}.${kindOf(i)}`), format, params, m);
        }
        expect(all.length).toBeGreaterThan(10);
      }),
  );
});

describe('with SciPy', () => {
  const ENCODED_FORMATS = formats.filter(({ id }) => ['csr', 'bsr', 'ell', 'bitmask', 'macko'].includes(id));

  scheduled(
    'it needs Python with SciPy',
    'the same files in NumPy alone, in the other tests of this file, which npm test leaves out as well',
    'matrices go both ways: to_scipy and @ of files of the page, and what encode makes of every class of SciPy',
    (context) =>
      inFolder(
        source,
        context,
        async (folder) => {
          const all = ENCODED_FORMATS.flatMap((format) =>
            supportedCases(format, { onlyFinite: true }).map((supported) => ({ format, ...supported })),
          );
          const lines: string[] = [];
          for (const [i, { format, params, m }] of all.entries()) {
            const { line } = await writeCase(format, params, m, join(folder, String(i)), i);
            const [path] = line.split(' ');
            writeFileSync(`${path}.original`, toDense(m));
            lines.push([path, m.rows, m.cols, format.id, paramsJson(params)].join(' '));
          }
          const { stderr, status } = run(folder, ['-c', SCIPY_DRIVER], lines.join('\n'), pythonWithScipy());
          expect(status, stderr).toBe(0);
          for (const [i, { format, params, m }] of all.entries()) {
            await expectSameFile(`${lines[i].split(' ')[0]}.back.npz`, format, params, m);
          }
          const stored = await readStored({ name: 'a', bytes: readFileSync(`${lines[0].split(' ')[0]}.back.npz`) });
          expect(toDense(stored.decode())).toEqual(
            toDense(ENCODED_FORMATS[0].decode(ENCODED_FORMATS[0].encode(all[0].m, all[0].params))),
          );
        },
        pythonWithScipy(),
      ),
  );

  scheduled(
    'it needs pip and setuptools',
    'nothing: only this installs the folder',
    'pip installs the folder without the network',
    (context) =>
      inFolder(
        source,
        context,
        (folder) => {
          mkdirSync(join(folder, 'numpy'));
          for (const name of ['pyproject.toml', 'sparsescope.py'])
            copyFileSync(resolve(SCRIPT, '..', name), join(folder, 'numpy', name));
          const options =
            '--quiet --no-build-isolation --no-index --no-deps --disable-pip-version-check --target installed';
          const pip = run(folder, ['-m', 'pip', 'install', ...options.split(' '), './numpy'], '', pythonWithScipy());
          expect(pip.status, pip.stderr).toBe(0);
          const code = 'import sparsescope as s; print(s.__file__, s.encode([[1, 0], [0, 2]], "csr") @ [1, 2])';
          const { stdout, stderr } = run(join(folder, 'installed'), ['-c', code], '', pythonWithScipy());
          expect(stdout, stderr).toMatch(/installed.sparsescope\.py \[1\. 4\.\]\n$/);
        },
        pythonWithScipy(),
      ),
  );
});
