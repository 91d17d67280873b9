import { box, bracket, frame } from '../../../core/story/marks.ts';
import type { Mark, Panel, Tone } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { hexText } from './narration.ts';
import { activationsPanel, FEW_ROWS, type Picture, type Place } from './scene-activations.ts';
import { packedPanel } from './scene-packed.ts';
import type { TwellStep, TwellTrace } from './trace.ts';

type About = Extract<TwellStep, { kind: 'word' }>['about'];

const ORDER: readonly About[] = ['value', 'round', 'column', 'word'];

/** Height of a measure below bits, which may be smaller than its words. */
const MEASURE = 1.5;
/** Line of the word's bits. */
const WORD_Y = 1 + MEASURE + 0.5;

/** Chapter 3: one non-zero, bit by bit. */
export function wordScene(t: TwellTrace, about: About, stepNumber: number): Picture {
  const { at } = t.sample;
  const panels: Panel[] = [];
  if (at) {
    const { element, row } = at;
    const place: Place = {
      row,
      tile: Math.floor(element / t.encoded.slots) % t.encoded.tiles,
      element,
      max: FEW_ROWS,
    };
    panels.push(activationsPanel(t, place), packedPanel(t, place, stepNumber));
  }
  panels.push(bitsPanel(t, about));
  return { panels, links: [] };
}

/** f32 above, the word below: the upper half from the value, the lower the column. Panel id 'bits'. */
function bitsPanel({ sample, params }: TwellTrace, about: About): Panel {
  const { value, column, bf16 } = sample;
  const shown = ORDER.indexOf(about);
  const isWord = params.layout === 'packed';
  const f32 = new Uint32Array(Float32Array.of(value).buffer)[0];
  const marks: Mark[] = [];
  const bit = (
    id: string,
    x: number,
    y: number,
    set: number,
    tone: Tone,
    present: boolean,
    focus: boolean,
    from?: string,
  ): void => {
    marks.push(
      box(id, x, y, {
        tone: present ? tone : 'neutral',
        level: set,
        text: String(set),
        label: present ? `${id}: ${set}` : `${id}: not there yet`,
        ...(present ? {} : { state: 'ghost' }),
        ...(focus ? { focus: true } : {}),
        ...(from === undefined ? {} : { from }),
      }),
    );
  };
  const measure = (id: string, x: number, y: number, w: number, text: string): void => {
    marks.push(bracket(id, x, y, w, text, { h: MEASURE, label: text }));
  };
  for (let i = 0; i < 32; i++)
    bit(
      `f32 bit ${i}`,
      i,
      0,
      (f32 >>> (31 - i)) & 1,
      i < 16 || about === 'value' ? 'values' : 'padding',
      true,
      about === 'value',
    );
  measure('exponent', 1, 1, 8, 'exponent');
  measure('fraction', 9, 1, 23, 'fraction');
  for (let i = 0; i < 16; i++)
    bit(`value bit ${i}`, i, WORD_Y, (bf16 >>> (15 - i)) & 1, 'values', shown >= 1, about === 'round', `f32 bit ${i}`);
  measure('bf16', 0, WORD_Y + 1, 16, shown >= 1 ? `bf16 ${hexText(bf16, 4)}` : 'bf16');
  // A column of the split layout has 32 bits; only its lower half is shown, since the upper one matters only from 65536
  // on.
  for (let i = 0; i < 16; i++)
    bit(`column bit ${i}`, 16 + i, WORD_Y, (column >>> (15 - i)) & 1, 'indices', shown >= 2, about === 'column');
  measure('column', 16, WORD_Y + 1, 16, shown >= 2 ? `column ${column}` : 'column');
  if (shown === 3 && isWord) {
    marks.push(frame('word', 0, WORD_Y, 32, 1, { tone: 'format', label: hexText(((bf16 << 16) | column) >>> 0, 8) }));
  }
  return {
    id: 'bits',
    title: isWord ? 'one word' : 'one slot',
    caption: `${valueText(value)} of column ${column}`,
    unit: 'cell',
    columns: 32,
    rows: WORD_Y + 1 + MEASURE,
    rowLabels: [
      { at: 0, text: 'f32' },
      { at: WORD_Y, text: isWord ? 'word' : 'slot' },
    ],
    marks,
  };
}
