import { describe, expect, it } from 'vitest';
import { columnsMatrix } from '../../../../test/matrices.ts';
import { defaultParams, storyParams } from '../../../core/format.ts';
import { narrationText, type Panel } from '../../../story/scene.ts';
import { params } from '../params.ts';
import { story } from './index.ts';
import { type EcCsrTrace, spanOfBlock } from './levels.ts';

/** Rows 0 to 3 share four columns, 0 and 1 four more; row 4 shares none. */
const FOUR = [1, 2, 5, 9];
const WINDOW = columnsMatrix(24, [[...FOUR, 12, 13, 15, 20], [...FOUR, 12, 13, 15, 20], FOUR, FOUR, [3, 6, 23]]);
const T = story.trace(WINDOW, storyParams(params, defaultParams(params))) as EcCsrTrace;

const treeOf = (step: number): Panel | undefined => story.scene(T, step).panels.find(({ id }) => id === 'levels');
const boxes = (step: number): readonly string[] =>
  treeOf(step)?.marks.map(({ text, focus }) => `${text}${focus ? ' *' : ''}`) ?? [];

describe('every step of EC-SpMV', () => {
  it('describes every block: which rows share its columns, and how many weights have one list', () => {
    const texts = T.steps.flatMap(({ detail }, i) =>
      detail.kind === 'stored' && detail.reason ? [narrationText(story.scene(T, i + 1))] : [],
    );
    const expected = [
      'Rows 0 to 3 share columns 1, 2, 5 and 9: one list for 16 weights.',
      'The table of sets: 1 block of 4 rows.',
      'Rows 0 and 1 share columns 12, 13, 15 and 20: one list for 8 weights.',
      'The table of sets: 1 block of 2 rows.',
      'Row 4 keeps a separate list: columns 3, 6 and 23. 1 more column only fills its lanes.',
      'The table of sets: 1 block of 1 row.',
    ];
    expect(texts.map((text, i) => text.slice(0, expected[i].length))).toEqual(expected);
    // In a larger matrix the text has its numbers.
    const placed = story.scene({ ...T, origin: { row: 464, col: 1000 } }, spanOfBlock(T, 0, 0).shows);
    expect(narrationText(placed)).toContain('Rows 464 to 467 share columns 1001, 1002, 1005 and 1009');
    // The rows of a block are stored before its weights.
    expect(spanOfBlock(T, 0, 0).before).toBe(0);
    expect(narrationText(story.scene(T, spanOfBlock(T, 0, 0).shows))).toContain('Rows 0 to 3 share');
    expect(spanOfBlock(T, 1, 0).before).toBe(spanOfBlock(T, 0, 0).shows + 1);
  });

  it('shows the tree of levels, with a focus on the merged rows from which the stored block was made', () => {
    expect(treeOf(1)?.rowLabels?.map(({ text }) => text)).toEqual(['2 rows', '4 rows']);
    const [four, two, one] = [0, 1, 2].map((set) => spanOfBlock(T, set, 0).shows);
    expect(boxes(four)).toEqual(['0+1 \u00b7 8 *', '2+3 \u00b7 4 *', '0+1+2+3 \u00b7 4 *']);
    expect(boxes(two)).toEqual(['0+1 \u00b7 8 *', '2+3 \u00b7 4', '0+1+2+3 \u00b7 4']);
    expect(boxes(one)).toEqual(['0+1 \u00b7 8', '2+3 \u00b7 4', '0+1+2+3 \u00b7 4']);
    expect(treeOf(1)?.marks[2].label).toBe('rows 0, 1, 2 and 3 shared 4 columns: 1, 2, 5 and 9');
    expect(treeOf(T.chapters[1].firstStep + 1)).toBeUndefined();
  });
});
