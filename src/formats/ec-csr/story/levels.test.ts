import { describe, expect, it } from 'vitest';
import { columnsMatrix } from '../../../../test/matrices.ts';
import { defaultParams, stageParams } from '../../../core/format.ts';
import { narrationText, type Panel } from '../../../core/story/scene.ts';
import { params } from '../params.ts';
import { story } from './index.ts';
import { type EcCsrTrace, stepOfBlock } from './levels.ts';

/** Rows 0 to 3 share four columns, 0 and 1 four more; row 4 shares none. */
const FOUR = [1, 2, 5, 9];
const WINDOW = columnsMatrix(24, [[...FOUR, 12, 13, 15, 20], [...FOUR, 12, 13, 15, 20], FOUR, FOUR, [3, 6, 23]]);
const T = story.trace(WINDOW, stageParams(params, defaultParams(params))) as EcCsrTrace;

const treeOf = (step: number): Panel | undefined => story.scene(T, step).panels.find(({ id }) => id === 'levels');
const boxes = (step: number): readonly string[] =>
  treeOf(step)?.marks.map(({ text, focus }) => `${text}${focus ? ' *' : ''}`) ?? [];

describe('every step of EC-SpMV', () => {
  it('says of every block whose columns it lists, and how many lists that saves', () => {
    const said = [1, 2, 3, 4, 5, 6].map((step) => narrationText(story.scene(T, step)).split(' Stored:')[0]);
    expect(said).toEqual([
      'Rows 0 to 3 share columns 1, 2, 5 and 9: one list for 16 weights.',
      'The table of sets: 1 block of 4 rows.',
      'Rows 0 and 1 share columns 12, 13, 15 and 20: one list for 8 weights.',
      'The table of sets: 1 block of 2 rows.',
      'Row 4 keeps a list of its own: columns 3, 6 and 23. 1 more column only fills its lanes.',
      'The table of sets: 1 block of 1 row.',
    ]);
    expect([0, 1, 2].map((set) => stepOfBlock(T, set, 0))).toEqual([1, 3, 5]);
  });

  it('shows the tree of levels, with what became the block that is stored', () => {
    expect(treeOf(1)?.rowLabels?.map(({ text }) => text)).toEqual(['2 rows', '4 rows']);
    expect(boxes(1)).toEqual(['0+1 \u00b7 8 *', '2+3 \u00b7 4 *', '0+1+2+3 \u00b7 4 *']);
    expect(boxes(3)).toEqual(['0+1 \u00b7 8 *', '2+3 \u00b7 4', '0+1+2+3 \u00b7 4']);
    expect(boxes(5)).toEqual(['0+1 \u00b7 8', '2+3 \u00b7 4', '0+1+2+3 \u00b7 4']);
    expect(treeOf(1)?.marks[2].label).toBe('rows 0, 1, 2 and 3 shared 4 columns: 1, 2, 5 and 9');
    expect(treeOf(T.chapters[1].firstStep + 1)).toBeUndefined();
  });
});
