import { describe, expect, it } from 'vitest';
import { matrixOf, uniformMatrix } from '../../../test/matrices.ts';
import { narrationText } from '../../story/scene.ts';
import { csr } from './index.ts';
import type { CsrParams } from './params.ts';
import { story } from './story/index.ts';

const F16: CsrParams = { valueType: 'f16', indexBits: 32 };
const A = matrixOf([0, 1, 0, -2, 0], [0, 0, 0, 0, 0], [0.5, 0, 0, 4, 70000]);

it('csr validate reports where columns or offsets are wrong', () => {
  const e = csr.encode(A, F16);
  const messages = (change: Partial<typeof e>): string[] =>
    csr.validate({ ...e, ...change }, 'full').map((violation) => violation.message);
  expect(messages({ indices: Uint32Array.of(1, 3, 0, 3, 5) })).toEqual([
    'indices[4] in row 2: found column 5, expected below 5',
  ]);
  expect(messages({ indices: Uint32Array.of(3, 1, 0, 3, 4) })).toEqual([
    'indices[1] in row 0: found column 1 after 3, expected ascending columns',
  ]);
  expect(messages({ indptr: Uint32Array.of(0, 2, 1, 5) })).toEqual([
    'indptr[2]: found 1, expected at least indptr[1] = 2',
  ]);
});

describe('csr scene', () => {
  const t = story.trace(A, F16);

  it('shows elements that are not stored yet as ghosts', () => {
    const states = story
      .scene(t, 2)
      .panels.find((panel) => panel.id === 'elements of data')
      ?.marks.filter((mark) => mark.id.startsWith('data'))
      .map((mark) => mark.state);
    expect(states).toEqual([undefined, undefined, 'ghost', 'ghost', 'ghost']);
  });

  it('connects a cell with its slots and its bytes', () => {
    const { panels } = story.scene(t, t.steps.length);
    const lit = panels.flatMap(({ marks }) =>
      marks.filter(({ highlightNames }) => highlightNames?.includes('cell 0,3')).map(({ id }) => id),
    );
    expect(lit).toEqual([
      'cell 0,3',
      'data[1]',
      'indices[1]',
      'data byte 2',
      'data byte 3',
      'indices byte 4',
      'indices byte 5',
      'indices byte 6',
      'indices byte 7',
    ]);
  });

  it('writes the number of cells of a window with the same thousands separator as all counts', () => {
    const whole = story.trace(uniformMatrix(64, 64, 1, 1), F16);
    expect(narrationText(story.scene(whole, whole.steps.length))).toContain('after 4\u202f096 multiplications.');
  });

  it('explains that an empty row costs one element of indptr', () => {
    expect(narrationText(story.scene(t, 4))).toBe('Row 1 is empty: indptr[2] = 2 again.');
  });
});
