import { describe, expect, test } from 'vitest';
import { denseMatrix } from '../src/core/matrix/index.ts';
import { formats } from '../src/formats/registry.ts';
import { patterns } from '../src/generate/patterns.ts';
import { parseArguments } from './arguments.ts';
import { casesOf } from './cases.ts';

const matrix = denseMatrix(2, 2, Float32Array.of(1, 0, 0, 2));
const cases = (line: string) =>
  casesOf(matrix, formats, parseArguments(line.split(' '), formats, patterns)).map((c) => [
    c.format.id,
    c.params.valueType,
    c.kernels,
  ]);

describe('casesOf', () => {
  test('measures dense in every value type that the others use', () => {
    expect(cases('--formats macko --params valueType=f32+i8')).toEqual([
      ['dense', 'f32', 'auto'],
      ['dense', 'i8', 'auto'],
      ['macko', 'f32', 'auto'],
      ['macko', 'i8', 'auto'],
    ]);
    expect(cases('--formats dense,macko --params dense.valueType=f32 --variants all')).toEqual([
      ['dense', 'f32', 'all'],
      ['dense', 'f16', 'all'],
      ['macko', 'f16', 'all'],
    ]);
  });

  test('measures the reference of dense cells as well', () => {
    expect(cases('--formats dense --params dense.valueType=i4')).toEqual([
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
    expect(cases('--kernels macko/spmv_subgroup')).toEqual([
      ['dense', 'f16', 'auto'],
      ['macko', 'f16', ['macko/spmv_subgroup']],
    ]);
  });

  test('encodes when asked to', async () => {
    const [first] = casesOf(matrix, formats, parseArguments(['--formats', 'dense'], formats, patterns));
    const { encoded, encodeMs } = await first.encode({ report: () => {}, cancelled: false });
    expect(encoded).toMatchObject({ rows: 2, cols: 2, nnz: 2 });
    expect(encodeMs).toBeGreaterThanOrEqual(0);
  });
});
