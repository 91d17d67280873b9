// The public interface of the package, by types and by use, and its fields in docs/reference.md.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { defaultParams, resolvedParams } from '../src/core/format.ts';
import type { Job } from '../src/core/job.ts';
import {
  type CsrArrays,
  csrMatrix,
  denseMatrix,
  type Matrix,
  rowBuffer,
  type RowBuffer,
  toCsr,
  toDense,
} from '../src/core/matrix/index.ts';
import { spmv } from '../src/core/oracle.ts';
import type { BenchReport } from '../src/core/report.ts';
import { formatById } from '../src/formats/registry.ts';
import { generate, type GenerateSpec } from '../src/generate/generate.ts';
import { type MatrixFile, type OpenedMatrix, readMatrix, type ReadOptions } from '../src/io/read.ts';
import { loadStory } from '../src/story/format-story.ts';

const page = readFileSync(resolve(import.meta.dirname, '../docs/reference.md'), 'utf8');

/** Names of the fields of an interface, by default as docs/reference.md prints it. */
function fieldsOf(name: string, text = page): readonly string[] {
  const body = new RegExp(`interface ${name} \\{\\n(.*?)\\n\\}`, 's').exec(text)?.[1] ?? '';
  return [...body.matchAll(/^ {2}readonly (\w+)/gm)].map((match) => match[1]);
}

describe('the public interface of the package', () => {
  const m = denseMatrix(2, 3, Float32Array.of(0, 1, 0, 2, 0, -3));

  test('makes and converts matrices', () => {
    expectTypeOf(denseMatrix).toBeCallableWith(1, 1, new Float32Array(1));
    expectTypeOf(csrMatrix).parameters.toEqualTypeOf<[CsrArrays]>();
    expectTypeOf(toDense).toEqualTypeOf<(m: Matrix) => Float32Array>();
    expectTypeOf(toCsr).toEqualTypeOf<(m: Matrix) => CsrArrays>();
    expectTypeOf(rowBuffer).returns.toEqualTypeOf<RowBuffer>();

    expect(m).toMatchObject({ rows: 2, cols: 3, nnz: 3 });
    const csr = toCsr(m);
    expect([...csr.indptr]).toEqual([0, 1, 3]);
    expect([...csr.indices]).toEqual([1, 0, 2]);
    expect([...csr.data]).toEqual([1, 2, -3]);
    expect([...toDense(csrMatrix(csr))]).toEqual([0, 1, 0, 2, 0, -3]);
  });

  test('computes the reference product', () => {
    expectTypeOf(spmv).toEqualTypeOf<(m: Matrix, x: Float32Array) => Float64Array>();
    expect([...spmv(m, Float32Array.of(1, 2, 3))]).toEqual([2, -7]);
  });

  test('generates matrices', () => {
    expectTypeOf(generate).toEqualTypeOf<(spec: GenerateSpec, job?: Job) => Matrix>();
    expect(generate({ pattern: 'uniform', rows: 4, cols: 5, density: 1, seed: 1 }).nnz).toBe(20);
  });

  test('reads files', async () => {
    expectTypeOf(readMatrix).toEqualTypeOf<
      (files: MatrixFile | readonly MatrixFile[], options?: ReadOptions, job?: Job) => Promise<OpenedMatrix>
    >();
    const bytes = new TextEncoder().encode('%%MatrixMarket matrix coordinate real general\n2 3 1\n2 3 1.5\n');
    const { matrix, notes, format } = await readMatrix({ name: 'small.mtx', bytes });
    expect([[...toDense(matrix)], notes, format]).toEqual([[0, 0, 0, 0, 0, 1.5], [], 'mtx']);
  });

  test('defines reports with the fields that docs/reference.md lists', () => {
    expectTypeOf<BenchReport['schema']>().toEqualTypeOf<1>();
    const source = readFileSync(resolve(import.meta.dirname, '../src/core/report.ts'), 'utf8');
    for (const [name, first, last, count] of [
      ['BenchReport', 'schema', 'unfinished', 18],
      ['BenchRow', 'kernel', 'firstDispatchMs', 28],
      ['Rejection', 'kernel', 'failed', 6],
    ] as const) {
      const fields = fieldsOf(name);
      expect([fields[0], fields.at(-1), fields.length]).toEqual([first, last, count]);
      expect(fieldsOf(name, source), `${name} of docs/reference.md`).toEqual(fields);
    }
  });
});

describe('loadStory', () => {
  test('resolves with a story that narrates a window', async () => {
    const macko = formatById('macko');
    const story = await loadStory(macko);
    const trace = story.trace(denseMatrix(1, 2, Float32Array.of(0, 1)), defaultParams(macko.params));
    expect(trace.steps.length).toBeGreaterThan(0);
    expect(story.scene(trace, 0).narration).not.toEqual([]);
  });
});

describe('index bits', () => {
  test.each(['csr', 'ell'])('of %s are auto by default, and encodings contain the chosen number', (id) => {
    const format = formatById(id);
    const params = defaultParams<Record<string, unknown>>(format.params);
    expect(params.indexBits).toBe('auto');
    const m = denseMatrix(1, 2, Float32Array.of(0, 1));
    expect(format.encode(m, params)).toMatchObject({ indexBits: 16 });
    expect(resolvedParams(format.params, params, m)).toEqual({ ...params, indexBits: 16 });
    expect(resolvedParams(format.params, params, { rows: 1, cols: 65_537 })).toEqual({ ...params, indexBits: 32 });
  });
});
