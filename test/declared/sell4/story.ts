import type { DeclaredEncoded } from '../../../src/core/declared/declaration.ts';
import { type FloatArray, floatsOf } from '../../../src/core/number/index.ts';
import { fact, stated } from '../../../src/core/text/stated.ts';
import { valueText } from '../../../src/core/text/words.ts';
import type { DeclaredTrace } from '../../../src/story/declared/trace.ts';
import { numbersIn } from '../../../src/story/trace.ts';
import type { Cell } from '../../../src/story/flow/cell-marks.ts';
import { arrayRow, cells } from '../../../src/story/flow/cells.ts';
import { note, stack } from '../../../src/story/flow/parts.ts';
import { type StoryFrame, storyFrame } from '../../../src/story/flow/story-frames.ts';
import type { Sell4Params } from './card.ts';

type Sell4Trace = DeclaredTrace<DeclaredEncoded<'starts' | 'indices' | 'values', Sell4Params>>;

/** Three frames about the first slice: its rows, its slots in memory, and the columns next to them. */
export function frames(t: Sell4Trace): readonly StoryFrame[] {
  const { window, encoded } = t;
  const { starts, indices } = encoded;
  const values = floatsOf(encoded.values as FloatArray); // an array of f16 contains bits
  const { rowNumber, columnNumber } = numbersIn(t);
  const count = Math.min(4, window.rows);
  const slots = count > 0 ? Number(starts[1]) : 0;
  const longest = slots / 4;
  /** A slot with its weight or, with `isColumn`, its column. Its id is the same in all pictures, so that it moves. */
  const slot = (at: number, isColumn = false): Cell => {
    const row = at % 4;
    const isEmpty = row >= count || values[at] === 0;
    const text = isColumn ? String(columnNumber(Number(indices[at]))) : valueText(values[at]);
    const name = `${isColumn ? 'indices' : 'values'}[${at}]`;
    const label = isEmpty ? `${name}: padding` : `${name}: ${text}, of row ${rowNumber(row)}`;
    return {
      id: name,
      label,
      highlightNames: [`slot ${at}`],
      ...(isEmpty ? { text: '0', tone: 'padding' } : { text }),
    };
  };
  const style = { count: slots, group: 4, lines: 4 };
  const memory = arrayRow('values', 'weights', 'values', (at) => slot(at));
  const columns = arrayRow('indices', 'columns', 'indices', (at) => slot(at, true));
  const rows = Array.from({ length: count }, (_, r) =>
    arrayRow(`row ${r}`, `row ${rowNumber(r)}`, 'values', (j) => slot(4 * j + r)),
  );
  const [rowCount, width] = [fact('rows of the slice', count, 'word'), fact('longest row of the slice', longest)];
  const about =
    slots === 0
      ? stated`The first slice has no weight: *it takes no slot*.`
      : stated`A slice has ${rowCount} ${count === 1 ? 'row' : 'rows'}. *Each takes as many slots as the longest*: ${width}.`;
  const chapter = 'Slices';
  const empty = slots === 0 ? note('nothing', 'No slot is stored for these rows.') : null;
  return [
    storyFrame({ id: 'a slice', chapter, text: about, body: stack(empty, cells({ ...style, count: longest }, rows)) }),
    storyFrame({
      id: 'slot by slot',
      chapter,
      text: stated`*Slot by slot*: the first weights of all rows, then the second ones.`,
      body: stack(empty, cells(style, [memory])),
    }),
    storyFrame({
      id: 'columns',
      chapter,
      text: stated`Each weight has its column. *Four lanes read four neighbours* at once.`,
      body: stack(empty, cells(style, [memory, columns])),
    }),
  ];
}
