import { box, bracket } from '../../../story/marks.ts';
import type { Mark, Panel, Tone } from '../../../story/scene.ts';
import { cellName, elementName } from '../../../story/scene-parts.ts';
import { counted, valueText } from '../../../core/text/words.ts';
import { bf16Value } from '../../../core/number/index.ts';
import type { TwellTrace } from './facts.ts';

const BITS = 32;
/** Maximum words of a tile that are shown, its count among them. */
const MAX_WORDS = 6;

/** The tile row whose words are stored or read in a step; null if the step does neither. */
function tileRowOf(t: TwellTrace, step: number): number | null {
  const detail = step > 0 ? t.steps[step - 1].detail : null;
  const array = t.run.encoding.arrays.findIndex(({ array: { name } }) => name === 'words');
  const at =
    detail?.kind === 'product'
      ? t.elementCells.readBefore(detail.decodedCell).findLast(([read]) => read === array)?.[1]
      : t.storedAfter[array].findLastIndex((after) => after === step);
  return at === undefined || at < 0 ? null : Math.floor(at / t.encoded.slots);
}

/** The words of the tile in a step as bits, highest first: its count, then words of a value and a neuron. */
export function bitsPanel(t: TwellTrace, step: number): readonly Panel[] {
  const { layout, slots, tiles, words } = t.encoded;
  // The last step of the encoding shows no tile.
  const isEncodingEnd = step === t.chapters[0].stepCount;
  const tileRow = layout === 'packed' && step > 0 ? tileRowOf(t, step) : null;
  if (tileRow === null || isEncodingEnd) return [];
  const { origin = { row: 0, col: 0 } } = t;
  const first = tileRow * slots;
  const row = Math.floor(tileRow / tiles);
  const shownWords = Math.min(1 + words[first], MAX_WORDS);
  const marks: Mark[] = [];
  for (let y = 0; y < shownWords; y++) {
    const word = words[first + y];
    const value = word >>> 16;
    const column = word & 0xffff;
    const highlightNames = [elementName('words', first + y), ...(y === 0 ? [] : [cellName(row, column)])];
    for (let i = 0; i < BITS; i++) {
      const bit = (word >>> (BITS - 1 - i)) & 1;
      const tone: Tone = y === 0 ? 'metadata' : i < 16 ? 'values' : 'indices';
      marks.push(
        box(`bit ${first + y}.${i}`, i, 2 * y, {
          tone,
          level: bit,
          text: String(bit),
          label: `bit ${31 - i}`,
          highlightNames,
        }),
      );
    }
    const spans: readonly (readonly [x: number, width: number, text: string])[] =
      y === 0
        ? [[0, BITS, `count ${word}`]]
        : [
            [0, 16, `value ${valueText(bf16Value(value))}`],
            [16, 16, `neuron ${origin.col > 0 ? `${origin.col} + ` : ''}${column}`],
          ];
    for (const [x, width, text] of spans)
      marks.push(bracket(`field ${first + y}.${x}`, x, 2 * y + 1, width, text, { label: text }));
  }
  const rowLabels = Array.from({ length: shownWords }, (_, y) => ({
    at: 2 * y,
    text: elementName('words', first + y),
  }));
  const rest = 1 + words[first] - shownWords;
  const caption = `token ${origin.row + row}, tile ${tileRow % tiles}${rest > 0 ? `; ${counted(rest, 'more word')}` : ''}`;
  return [
    {
      id: 'bits',
      title: 'the words of a tile',
      caption,
      unit: 'cell',
      columns: BITS,
      rows: 2 * shownWords,
      rowLabels,
      marks,
    },
  ];
}
