import { describe, expect, test } from 'vitest';
import type { BenchReport } from '../src/core/report.ts';
import { denseMatrix } from '../src/core/matrix/index.ts';
import { formats } from '../src/formats/registry.ts';
import { patterns } from '../src/generate/patterns.ts';
import { parseArguments } from './arguments.ts';
import { casesOf, unverifiedRequests } from './cases.ts';

const matrix = denseMatrix(2, 2, Float32Array.of(1, 0, 0, 2));
/** The cases of a command line, each as format, value type and kernels. */
const casesFor = (line: string) =>
  casesOf(matrix, formats, parseArguments(line.split(' '), formats, patterns)).map((c) => [
    c.format.id,
    c.params.valueType,
    c.kernels,
  ]);

describe('casesOf', () => {
  test('measures dense in every value type that the others use', () => {
    expect(casesFor('--formats macko --params valueType=f32+i8')).toEqual([
      ['dense', 'f32', 'auto'],
      ['dense', 'i8', 'auto'],
      ['macko', 'f32', 'auto'],
      ['macko', 'i8', 'auto'],
    ]);
    expect(casesFor('--formats dense,macko --params dense.valueType=f32 --variants all')).toEqual([
      ['dense', 'f32', 'all'],
      ['dense', 'f16', 'all'],
      ['macko', 'f16', 'all'],
    ]);
  });

  test('adds the dense f16 reference if dense is requested in another value type', () => {
    expect(casesFor('--formats dense --params dense.valueType=i4')).toEqual([
      ['dense', 'f16', 'auto'],
      ['dense', 'i4', 'auto'],
    ]);
  });

  test('resolves the index bits by the matrix if the command line does not specify them', () => {
    const bitsOf = (line: string): unknown[] =>
      casesOf(matrix, formats, parseArguments(line.split(' '), formats, patterns))
        .filter(({ format }) => format.id !== 'dense')
        .map(({ params }) => params.indexBits);
    expect(bitsOf('--formats csr,ell')).toEqual([16, 16]);
    expect(bitsOf('--formats csr,ell --params csr.indexBits=16+32,ell.indexBits=auto')).toEqual([16, 32, 16]);
  });

  test('uses the named kernels, and the best dense for comparison', () => {
    expect(casesFor('--kernels macko/spmv_subgroup')).toEqual([
      ['dense', 'f16', 'auto'],
      ['macko', 'f16', ['macko/spmv_subgroup']],
    ]);
  });

  test('returns cases whose `encode` encodes the matrix and measures the time', async () => {
    const [first] = casesOf(matrix, formats, parseArguments(['--formats', 'dense'], formats, patterns));
    const { encoded, encodeMs } = await first.encode({ report: () => {}, cancelled: false });
    expect(encoded).toMatchObject({ rows: 2, cols: 2, nnz: 2 });
    expect(encodeMs).toBeGreaterThanOrEqual(0);
  });
});

describe('unverified', () => {
  const workload = {
    operation: 'gemm-i8',
    rows: 4,
    cols: 8,
    nnz: 9,
    density: 0.5,
    source: 'uniform',
    seed: 1,
    memory: 'cold',
    rounds: 1,
  } as const;
  const row = (kernel: string, params: Readonly<Record<string, unknown>>) =>
    ({ kernel, format: kernel.split('/')[0], params }) as BenchReport['rows'][number];
  const messages = (
    line: string,
    rows: readonly BenchReport['rows'][number][],
    rejected: BenchReport['refused'] = [],
  ): readonly string[] =>
    unverifiedRequests(
      [{ rows, refused: rejected, workload }],
      parseArguments(line.split(' '), formats, patterns),
      formats,
    );
  const dense = row('dense/spmv', { valueType: 'f16' });

  test('returns no message if everything requested ran', () => {
    expect(messages('--check', [dense])).toEqual([]);
    const macko = ['f16', 'i8'].map((valueType) => row('macko/spmv_staged', { deltaBits: 4, valueType }));
    expect(messages('--formats macko --params macko.valueType=f16+i8', [dense, ...macko])).toEqual([]);
    expect(messages('--formats csr', [dense, row('csr/spmv', { valueType: 'f16', indexBits: 16 })])).toEqual([]);
    expect(messages('--kernels macko/spmv_staged', [dense, ...macko])).toEqual([]);
    expect(messages('--formats dense', [dense])).toEqual([]);
  });

  test('reports a run in which no kernel ran, with the first reason', () => {
    const reason = 'is for valueType i8, found "f16"';
    const rejected = [{ kernel: 'dense/gemm_i8', format: 'dense', reason }];
    expect(messages('--operation gemm-i8 --check', [], rejected)).toEqual([
      `gemm-i8 of 4 × 8, uniform: found no kernel that ran (${reason}), expected at least one`,
    ]);
    expect(messages('--operation gemm-i8 --formats csr --check', [])).toEqual([
      "gemm-i8 of 4 × 8, uniform: found no kernel that ran (none is for 'gemm-i8' with these formats and parameters), expected at least one",
    ]);
  });

  test('reports a named format, combination of parameters or kernel that did not run', () => {
    const macko = row('macko/spmv_staged', { deltaBits: 4, valueType: 'f16' });
    const rejected = [
      { kernel: '', format: 'slidesparse', params: { halfGroup: 4, valueType: 'f16' }, reason: 'row 2 is full' },
      { kernel: 'macko/spmv_rows_x16', format: 'macko', reason: "needs 'subgroups'" },
    ];
    expect(messages('--formats dense,macko,slidesparse', [dense, macko], rejected)).toEqual([
      'slidesparse, halfGroup 4, valueType f16: found no kernel that ran (row 2 is full), expected at least one',
    ]);
    expect(messages('--formats macko --params macko.valueType=f16+i8', [dense, macko])).toEqual([
      "macko, deltaBits 4, valueType i8: found no kernel that ran (none is for 'spmv' with these parameters), expected at least one",
    ]);
    expect(messages('--kernels macko/spmv_staged,macko/spmv_rows_x16', [dense, macko], rejected)).toEqual([
      "macko/spmv_rows_x16: found that it did not run (needs 'subgroups'), expected that it does",
    ]);
  });

  test('accepts a format that ran in one of several runs', () => {
    const options = parseArguments(['--formats', 'csr'], formats, patterns);
    const csr = row('csr/spmv', { valueType: 'f16', indexBits: 16 });
    const reports = [[dense], [dense, csr]].map((rows) => ({ rows, refused: [], workload }));
    expect(unverifiedRequests(reports, options, formats)).toEqual([]);
  });
});
