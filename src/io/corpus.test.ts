import { describe, expect, it } from 'vitest';
import { corpusBytes, type CorpusCase, corpusCases, firstDifference } from '../../test/corpus.ts';
import { ReadError } from '../core/errors.ts';
import { toDense } from '../core/matrix/index.ts';
import { type CountedMatrix, countMatrix, type OpenedMatrix, readMatrix } from './read.ts';

const cases = corpusCases();

const open = ({ file, tensor }: CorpusCase): Promise<OpenedMatrix> =>
  readMatrix({ name: file, bytes: corpusBytes(file) }, tensor === undefined ? {} : { tensor });

const count = ({ file, tensor }: CorpusCase): Promise<CountedMatrix> =>
  countMatrix({ name: file, bytes: corpusBytes(file) }, tensor === undefined ? {} : { tensor });

describe('files written by NumPy, SciPy and PyTorch', () => {
  it('files written by NumPy, SciPy and PyTorch are more than 450', () => expect(cases.length).toBeGreaterThan(450));

  it.each(cases.map((item) => [item.file, item.about, item] as const))('%s: %s', async (_file, _about, testCase) => {
    const { answer } = testCase;
    if ('refused' in answer) {
      const error: unknown = await open(testCase).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(ReadError);
      expect(String(error)).toContain(answer.refused);
      expect(String(await count(testCase).catch((e: unknown) => e))).toBe(String(error));
      return;
    }
    const { matrix, ...facts } = await open(testCase);
    const { rows, cols, nnz } = matrix;
    expect(await count(testCase)).toEqual({ ...facts, rows, cols, nnz });
    expect([matrix.rows, matrix.cols]).toEqual([answer.rows, answer.cols]);
    const cells = toDense(matrix);
    const index = firstDifference(cells, answer.cells);
    expect(index, `cell ${index}: found ${cells[index]}, expected ${answer.cells[index]}`).toBe(-1);
  });
});
