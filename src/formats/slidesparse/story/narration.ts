import { f16Value, VALUE_BITS } from '../../../core/number/index.ts';
import { scaleWords } from '../../../core/story/scale-words.ts';
import type { Words } from '../../../core/story/scene.ts';
import {
  bitsText,
  capitalised,
  counted,
  countText,
  listText,
  say,
  strong,
  valueText,
} from '../../../core/story/words.ts';
import { keptColumn, keptValue, nibbleAt, usedWindows, windowStart } from '../layout.ts';
import { PUBLISHED_ACCURACY } from '../published.ts';
import { KEPT, patternName, storedShareOf, windowsPerGroup, WINDOW } from '../params.ts';
import { gammaOf, patternText, overfull } from '../../../theory/sliding-windows.ts';
import { narrateLift, seenText } from './narration-lift.ts';
import { firstWindow, type Group, type SlideSparseStep, type SlideSparseTrace } from './trace.ts';

type Of<K extends SlideSparseStep['kind']> = Extract<SlideSparseStep, { kind: K }>;

/** Describes a step in one or two sentences with the numbers of this window. */
export function narrate(t: SlideSparseTrace, step: SlideSparseStep | null, stepNumber: number): readonly Words[] {
  switch (step?.kind) {
    case undefined:
      return opening(t);
    case 'accuracy':
      return accuracy();
    case 'fits':
      return fits(t);
    case 'prune':
      return prune(t, t.groups[step.group]);
    case 'slide':
      return slide(t, step);
    case 'nothing':
      return nothing(step.chapter);
    case 'scale':
      return scaleWords(t.pruned, step.row, t.encoded.scales[step.row], 'values');
    case 'compress':
      return compress(t, step);
    case 'fill':
      return fill(t, step);
    case 'in-place':
    case 'absmax':
    case 'quantise':
    case 'lift':
    case 'fused':
      return narrateLift(t, step);
    case 'multiply':
      return multiply(t, step, stepNumber);
    case 'sum':
      return sum(t, step.row, stepNumber);
    case 'pays':
      return pays(t, step.about);
    case 'theorem':
      return theorem(t, step.example);
  }
}

/** A window by its number in its row, as the arrays count it, with its row and its group. */
function windowName({ row, group }: Group, window: number): readonly Words[] {
  return say`Row ${row}, group ${group}: ${strong(`window ${window}`)}`;
}

/** Value of a cell of a group, by its column in the group. */
export function groupValue(t: SlideSparseTrace, { row, group }: Group, column: number): number {
  return t.cells[row * t.window.cols + group * 2 * t.params.halfGroup + column];
}

function limitOf(t: SlideSparseTrace): { readonly width: number; readonly allowed: number; readonly pattern: string } {
  const width = 2 * t.params.halfGroup;
  return { width, allowed: width - 2, pattern: patternName(t.params.halfGroup) };
}

function opening(t: SlideSparseTrace): readonly Words[] {
  const { rows, cols, nnz } = t.window;
  const { width, allowed } = limitOf(t);
  return say`${strong(counted(nnz, 'weight'))} in ${rows} × ${cols} cells. SlideSparse keeps ${strong(`${allowed} of every ${width} columns`)}, in 2:4 windows.`;
}

function columnsText(t: SlideSparseTrace, { group }: Group): string {
  const { width } = limitOf(t);
  const start = group * width;
  const end = Math.min(t.window.cols, start + width) - 1;
  return start === end ? `column ${start}` : `columns ${start} to ${end}`;
}

/** The group with the most weights, the first of equals; undefined if there is none. */
export function fullest(t: SlideSparseTrace): Group | undefined {
  return t.groups.toSorted((a, b) => b.columns.length - a.columns.length)[0];
}

function accuracy(): readonly Words[] {
  const { dense, '6:8': six, '2:4': two } = PUBLISHED_ACCURACY;
  return say`Why not 2:4? Published for Qwen3-1.7B: ${dense.toFixed(1)}\u202f% right when dense, ${strong(`${two.toFixed(1)}\u202f% with 2:4`)}, ${strong(`${six.toFixed(1)}\u202f% with 6:8`)}.`;
}

function fits(t: SlideSparseTrace): readonly Words[] {
  const { width, allowed, pattern } = limitOf(t);
  const max = fullest(t);
  if (!max) return say`No weights: nothing to prune to ${strong(pattern)}.`;
  return say`No group of ${width} columns holds more than ${strong(`${allowed} weights`)}: the fullest, row ${max.row}, ${columnsText(t, max)}, has ${max.columns.length}.`;
}

function prune(t: SlideSparseTrace, group: Group): readonly Words[] {
  const { allowed } = limitOf(t);
  const valuesOf = (goes: boolean): number[] =>
    group.columns.filter((_, i) => (group.windowOf[i] === -1) === goes).map((c) => groupValue(t, group, c));
  const going = valuesOf(true);
  const staying = valuesOf(false);
  const lead = `Row ${group.row}, ${columnsText(t, group)}: ${counted(group.columns.length, 'weight')}, but only ${allowed} may stay.`;
  const isTied = going.some((v) => staying.some((w) => Object.is(Math.abs(v), Math.abs(w))));
  const rules = [
    ...(isTied ? [' Of equals, higher columns stay.'] : []),
    ...(staying.some(Number.isNaN) ? [' NaN counts as largest.'] : []),
  ].join('');
  return say`${lead} The smallest, ${strong(listText(going.map(valueText)))}, ${going.length === 1 ? 'goes' : 'go'}.${rules}`;
}

function slide(t: SlideSparseTrace, { group: index, window }: Of<'slide'>): readonly Words[] {
  const group = t.groups[index];
  const w = window - firstWindow(group, t.params);
  const start = windowStart(t.params, window);
  const seen = group.columns.flatMap((c, i) =>
    c >= 2 * w && c < 2 * w + WINDOW && group.windowOf[i] >= 0 ? [{ column: c, by: group.windowOf[i] }] : [],
  );
  const value = (c: number): string => valueText(groupValue(t, group, c));
  const before = seen.filter(({ by }) => by < w).map(({ column }) => column + start - 2 * w);
  const takes = seen.filter(({ by }) => by === w).map(({ column }) => value(column));
  const leaves = seen.filter(({ by }) => by > w).map(({ column }) => value(column));
  const name = windowName(group, window);
  const sees = `covers ${seenText(t, window) ?? ''}`;
  if (start >= t.window.cols) return [...name, ...say` lies past the last column and stays empty.`];
  if (seen.length === 0) return [...name, ...say` ${sees} and stays empty.`];
  const taken =
    before.length === 0
      ? ''
      : `${before.length === 1 ? 'column' : 'columns'} ${listText(before.map(String))} ${before.length === 1 ? 'is' : 'are'} taken`;
  if (takes.length === 0) return [...name, ...say` ${sees}, but ${taken}.`];
  const keeps = strong(listText(takes));
  const lead = taken ? `. ${capitalised(taken)}, so it takes ` : ' and takes ';
  if (leaves.length === 0) return [...name, ...say` ${sees}${lead}${keeps}.`];
  const rule = index === 0 && w === 0 ? ' A window takes at most two.' : '';
  return [...name, ...say` ${sees}${lead}${keeps}, and leaves ${listText(leaves)} to window ${window + 1}.${rule}`];
}

function nothing(chapter: Of<'nothing'>['chapter']): readonly Words[] {
  switch (chapter) {
    case 'slide':
      return say`Without weights every window stays ${strong('empty')}.`;
    case 'compress':
      return say`Without windows ${strong('nothing')} is stored.`;
    case 'lift':
      return say`Without columns there is ${strong('no activation')} to lift.`;
    case 'multiply':
      return say`Without rows there is ${strong('nothing')} to multiply.`;
  }
}

/** The two slots that a window keeps, and the nibble that says so. */
export function slotsOf(t: SlideSparseTrace, row: number, window: number): readonly [number, number, number] {
  const nibble = nibbleAt(t.encoded, row, window);
  return [nibble & 3, nibble >>> 2, nibble];
}

function compress(t: SlideSparseTrace, { group: index, window }: Of<'compress'>): readonly Words[] {
  const group = t.groups[index];
  const [first, second, nibble] = slotsOf(t, group.row, window);
  const count = group.windowOf.filter((w) => w === window - firstWindow(group, t.params)).length;
  const name = windowName(group, window);
  const slots = `${first} and ${second}`;
  const kept =
    count === 2
      ? say` keeps slots ${strong(slots)}.`
      : count === 1
        ? say` stores slots ${strong(slots)}, one a zero.`
        : say` is empty: ${strong('two zeros')}, in slots ${slots}.`;
  const code = say` Four bits say which: ${first} + ${second} × 4 = ${nibble}.${changesText(t, group, window)}`;
  return [...name, ...kept, ...code];
}

/** What the value type does to the values of a window if it makes one 0 or infinite; '' if it does not. */
function changesText(t: SlideSparseTrace, group: Group, window: number): string {
  const { encoded: e, params } = t;
  const changes = [0, 1].flatMap((k) => {
    const column = keptColumn(e, group.row, window, k) - group.group * 2 * params.halfGroup;
    const at = group.columns.indexOf(column);
    // A slot may be kept only to make up two, while its column belongs to another window.
    if (at < 0 || group.windowOf[at] !== window - firstWindow(group, params)) return [];
    const value = groupValue(t, group, column);
    const stored = keptValue(e, group.row, window, k);
    if (stored === 0) return [` ${valueText(value)} is too small for ${params.valueType}: stored as 0.`];
    if (Number.isFinite(value) && !Number.isFinite(stored))
      return [` ${valueText(value)} is too large for ${params.valueType}: stored as ${valueText(stored)}.`];
    return [];
  });
  return changes.join('');
}

function fill(t: SlideSparseTrace, { row, window, count }: Of<'fill'>): readonly Words[] {
  const used = usedWindows(t.window.cols, t.params);
  if (window >= used)
    return say`Row ${row}: ${counted(count, 'empty window')} ${count === 1 ? 'fills' : 'fill'} the row up to ${strong(t.encoded.windowsPerRow)}.`;
  const what =
    count === 1 ? `Row ${row}: window ${window} holds` : `Row ${row}: windows ${window} to ${window + count - 1} hold`;
  return say`${what} no weight, but ${strong('zeros in slots 0 and 1')}.`;
}

/** One product of a window as words: the stored value and its activation. */
export function productsOf(
  t: SlideSparseTrace,
  row: number,
  window: number,
): readonly { readonly slot: number; readonly weight: number; readonly x: number; readonly product: number }[] {
  const e = t.encoded;
  const slots = slotsOf(t, row, window);
  const found = [];
  for (let k = 0; k < KEPT; k++) {
    const raw = e.values[(row * e.windowsPerRow + window) * KEPT + k];
    const column = keptColumn(e, row, window, k);
    const weight = storedNumber(t, raw);
    if (weight === 0) continue;
    const x = activationAt(t, column);
    found.push({ slot: slots[k], weight, x, product: weight * x });
  }
  return found;
}

/** The multiply's operand for column c: an integer for i8, else the value; 0 past the row. */
export function activationAt({ quantised, x }: SlideSparseTrace, column: number): number {
  return (quantised ? quantised.values[column] : x[column]) ?? 0;
}

/** A product or a sum of products: all digits of the integers of i8, since they are exact. */
export function productText({ quantised }: SlideSparseTrace, value: number): string {
  if (!quantised) return valueText(value);
  return `${value < 0 ? '\u2212' : ''}${countText(Math.abs(value))}`;
}

function multiply(t: SlideSparseTrace, { group: index, window }: Of<'multiply'>, stepNumber: number): readonly Words[] {
  const { row } = t.groups[index];
  const products = productsOf(t, row, window);
  const name = windowName(t.groups[index], window);
  if (products.length === 0) return [...name, ...say` holds only zeros and adds ${strong('nothing')}.`];
  const terms = products.map(({ weight, x }, i) => {
    const sign = i === 0 ? '' : weight < 0 ? ' − ' : ' + ';
    return `${sign}${valueText(i === 0 ? weight : Math.abs(weight))} × ${valueText(x)}`;
  });
  const total = products.reduce((s, { product }) => s + product, 0);
  if (t.quantised)
    return [...name, ...say` adds ${terms.join('')} = ${strong(productText(t, total))}, exact in integers.`];
  return [
    ...name,
    ...say` adds ${terms.join('')} = ${strong(valueText(total))}. So far y[${row}] is ${valueText(t.y[stepNumber][row])}.`,
  ];
}

function sum(t: SlideSparseTrace, row: number, stepNumber: number): readonly Words[] {
  const value = strong(`y[${row}] = ${valueText(t.y[stepNumber][row])}`);
  const groups = t.groups.filter((g) => g.row === row);
  if (groups.length === 0) return say`Row ${row} holds no weights: ${value}.`;
  if (t.quantised) return say`Row ${row} is done. Its integer times both scales gives ${value}.`;
  return say`Row ${row} is done: ${value}. Every stored weight was in exactly one window.`;
}

function pays(t: SlideSparseTrace, about: Of<'pays'>['about']): readonly Words[] {
  const { halfGroup, valueType } = t.params;
  const { width, pattern } = limitOf(t);
  const slots = windowsPerGroup(t.params) * WINDOW;
  const gamma = gammaOf(halfGroup);
  switch (about) {
    case 'gamma':
      return say`${width} columns in ${slots} slots: a row becomes gamma = 2 − 2/N = ${strong(gamma.toFixed(2))} times as long.`;
    case 'speed':
      return say`Alpha is the speed of 2:4 over dense. That of ${pattern} is alpha / gamma: ${strong((2 / gamma).toFixed(2))} with the alpha of 2 of sparse tensor cores. Here, only saved bytes count.`;
    case 'bytes': {
      const share = storedShareOf({ halfGroup, valueType });
      const percent = Math.round(Math.abs(1 - share) * 100);
      const verdict =
        share < 1
          ? `saves ${percent}\u202f% of the bytes`
          : share === 1
            ? 'saves nothing'
            : `takes ${percent}\u202f% more bytes`;
      return say`Two values and four bits per window: against dense ${valueType}, ${pattern} ${strong(verdict)}.`;
    }
    default: {
      const dense = t.window.rows * t.window.cols * VALUE_BITS[valueType];
      return say`This cut takes ${strong(`${countText(t.ledger.totalBytes)} B`)}, as dense ${bitsText(dense)}. Rows are rounded up to 8 windows.`;
    }
  }
}

function theorem(t: SlideSparseTrace, index: number): readonly Words[] {
  const { sliding: s, columns } = t.examples[index];
  const pattern = patternText(s.pattern);
  const hardware = patternText(s.hardware);
  const room = `${counted(s.windows, 'window')} of ${s.hardware.kept} ${s.windows === 1 ? 'makes' : 'make'} room for ${s.capacity}`;
  const stuck = overfull(s, columns);
  if (!stuck) {
    return say`${pattern} on ${hardware}: ${room}. By theorem 1 ${strong('every placement fits')}; tried for N from 2 to 8.`;
  }
  const only = `columns ${listText(stuck.columns.map(String))}`;
  const run =
    stuck.firstWindow === stuck.lastWindow
      ? `window ${stuck.firstWindow}`
      : `windows ${stuck.firstWindow} to ${stuck.lastWindow}`;
  return say`By theorem 2 any group fits with enough slots. This one does not. ${pattern} on ${hardware}: ${room}, but ${strong(only)} are seen only by ${run}, with room for ${stuck.room}.`;
}

/** The stored number of a kept slot: an integer for i8. */
export function storedNumber({ encoded }: SlideSparseTrace, raw: number): number {
  return encoded.valueType === 'i8' ? raw : f16Value(raw);
}
