// decodingFault, which finds the array element and the line behind a wrong cell.

import { describe, expect, test } from 'vitest';
import { setupOf, localRunners, starterText } from '../../../test/own-runner.ts';
import { matrixOf } from '../../../../../test/matrices.ts';
import { CsrMatrix, toCsr } from '../../../../../src/core/matrix/index.ts';
import { encodeAndDecode } from '../../../own/module-requests.ts';
import { decodingFault } from './decoding-fault.ts';
import type { ModuleProblem } from './module-state.ts';

const A = new CsrMatrix(toCsr(matrixOf([0, 0.5, 0, 2], [0, 0, 0, 0], [1, 0, 0, 0])));

/** The message and the line of the fault in a starter in which `from` is replaced by `to`; null if there is none. */
async function faultOf(id: string, from: string, to: string, matrix = A): Promise<readonly [string, string] | null> {
  expect(starterText(id)).toContain(from);
  const text = starterText(id).replace(from, to);
  const runners = localRunners(text);
  const run = await encodeAndDecode(runners, await setupOf(runners), matrix, true);
  if (run.kind !== 'done') throw new Error(JSON.stringify(run));
  const problem: ModuleProblem | null = decodingFault(run.result, matrix);
  return problem && [problem.message, text.split('\n')[problem.line - 1].trim()];
}

describe('decodingFault points at', () => {
  test('nothing if the matrix is decoded correctly', async () => {
    expect(await faultOf('csr', 'values.push', 'values.push')).toBe(null);
  });

  test('the index of a cell at the wrong position', async () => {
    expect(await faultOf('deltas', 'gaps.push(column - next);', 'gaps.push(column - next + 1);')).toEqual([
      'From gaps[0] = 2 decode makes row 0, column 2.',
      'gaps.push(column - next + 1);',
    ]);
  });

  test('the value of a wrong cell at the right position', async () => {
    expect(await faultOf('csr', 'values.push(row.values[i]);', 'values.push(2 * row.values[i]);')).toEqual([
      'From values[0] = 1 decode makes row 0, column 1.',
      'values.push(2 * row.values[i]);',
    ]);
  });

  test('the index from which decode leaves the matrix', async () => {
    expect(await faultOf('coo', 'out.columns.push(row.columns[i]);', 'out.columns.push(row.columns[i] + 4);')).toEqual([
      'From columns[0] = 5 decode makes put(0, 5, 0.5).',
      'out.columns.push(row.columns[i] + 4);',
    ]);
  });

  test('the row of a cell in the wrong row', async () => {
    expect(await faultOf('coo', 'out.rows.push(row.index);', 'out.rows.push(1);')).toEqual([
      'From rows[0] = 1 decode makes row 1, column 1.',
      'out.rows.push(1);',
    ]);
  });

  test('the element that decode never reads', async () => {
    expect(await faultOf('coo', 'i < values.length', 'i < values.length - 1')).toEqual([
      'values[2] = 1 is never read; last values[1] = 2.',
      'out.values.push(row.values[i]);',
    ]);
  });

  test('nothing if only padding is not read', async () => {
    const problem = await faultOf(
      'csr',
      '  starts.push(values.length);\n}',
      '  starts.push(values.length);\n  values.pad();\n}',
    );
    expect(problem).toBe(null);
  });
});
