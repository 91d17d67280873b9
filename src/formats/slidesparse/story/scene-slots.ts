import { box, bracket, notThereYet } from '../../../core/story/marks.ts';
import { cellName, elementName } from '../../../core/story/scene-parts.ts';
import type { Link, Mark, Panel } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { keptColumn, keptValue, WINDOWS_PER_WORD } from '../layout.ts';
import { slotsOf, storedNumber } from './narration.ts';
import { KEPT, type SlideSparseParams, WINDOW, windowsPerGroup } from '../params.ts';
import type { SlideSparseTrace } from './trace.ts';

export interface Picture {
  readonly panels: readonly Panel[];
  readonly links: readonly Link[];
}

/**
 * Gap between two windows of the slid row, in slots. A whole one: a screen with room for one window shows all of it.
 */
const GAP = 1;

/** Position of slot i of the group's w-th window in the panels of a slid row. */
export function slotX(w: number, i: number): number {
  return w * (WINDOW + GAP) + i;
}

/** Width of a slid group. */
export function slidWidth(p: SlideSparseParams): number {
  return slotX(windowsPerGroup(p) - 1, WINDOW);
}

/** Id of the mark of a slot of the slid row. */
export function slidId(row: number, window: number, slot: number): string {
  return `slid ${row},${window}.${slot}`;
}

/** Lines of the stored values of a slid group. */
export const VALUES_Y = 3.4;
export const METADATA_Y = 4.5;

/** The two stored values of a window, and its four bits of metadata: two below each value, the higher first. */
export function storedMarks(
  t: SlideSparseTrace,
  row: number,
  window: number,
  w: number,
  present: boolean,
  isNow: boolean,
): Mark[] {
  const e = t.encoded;
  const [low, high, nibble] = slotsOf(t, row, window);
  const at = row * e.windowsPerRow + window;
  const word = elementName('metadata', Math.floor(at / WINDOWS_PER_WORD));
  const marks: Mark[] = [];
  for (let k = 0; k < KEPT; k++) {
    const name = elementName('values', at * KEPT + k);
    const text = valueText(storedNumber(t, e.values[at * KEPT + k]));
    const base = box(name, slotX(w, 2 * k), VALUES_Y, { w: 2 });
    if (!present) {
      marks.push({ ...base, tone: 'values', state: 'ghost', text, label: `${name}: not there yet` });
      continue;
    }
    const isZero = keptValue(e, row, window, k) === 0;
    marks.push({
      ...base,
      tone: isZero ? 'padding' : 'values',
      text,
      label: `${name}: ${text}`,
      about: isZero ? [name] : [name, cellName(row, keptColumn(e, row, window, k))],
      from: slidId(row, window, k === 0 ? low : high),
      ...(isNow ? { focus: true } : {}),
    });
  }
  for (const bit of [1, 0, 3, 2]) {
    const value = (nibble >>> bit) & 1;
    const label = `metadata bit ${bit} of window ${window}`;
    marks.push(
      box(`metadata ${row},${window}.${bit}`, slotX(w, bit ^ 1), METADATA_Y, {
        tone: 'indices',
        ...(present
          ? { level: value, text: String(value), label: `${label}: ${value}`, about: [word] }
          : notThereYet(label, '0')),
      }),
    );
  }
  if (!present) return marks;
  marks.push(
    bracket(`keeps ${w}`, slotX(w, 0), METADATA_Y + 1.05, WINDOW, `${low} + ${high} \u00d7 4 = ${nibble}`, {
      tone: 'indices',
      label: `keeps slots ${low} and ${high}: ${nibble}`,
    }),
  );
  return marks;
}
