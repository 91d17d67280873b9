import type { Link, Panel, Scene, Words } from '../../story/scene.ts';
import {
  cellName,
  curve,
  elementName,
  type MarkLook,
  matrixPanel,
  memoryPanels,
  rowFrame,
  type SlotLine,
  slotPanel,
} from '../../story/scene-parts.ts';
import { vectorPanels } from '../../story/scene-vectors.ts';
import { countText, counted, listText, say, strong, valueText } from '../../story/words.ts';
import { type NamedArray, namedArrays } from '../../encoded/encoded.ts';
import { elementAt } from '../element-type.ts';
import type { DeclaredStep, DeclaredTrace } from './trace.ts';

/** Stores that a narration names one by one. */
const NAMED_STORES = 4;

/** The picture after step `number`, without the lines that run; 0 is the initial state. Pure. */
export function scene(t: DeclaredTrace, number: number): Pick<Scene, 'panels' | 'links' | 'narration'> {
  const step = number === 0 ? null : t.steps[number - 1].detail;
  const about = subjectOf(t, step);
  const view: View = { t, number, step, about };
  return {
    panels: [
      matrixPanel(t.window, {
        row: about.row ?? 0,
        look: (row, col) => cellLook(view, row, col),
        overlay: about.row === null ? [] : rowFrame(t.window, about.row),
      }),
      ...arrayPanels(view),
      ...vectors(view),
      ...memory(view),
    ],
    links: links(view),
    narration: narrate(view),
  };
}

/** What a step is about. */
interface Subject {
  readonly row: number | null;
  readonly column: number | null;
  /** elements that are stored or read, as 'array/index' */
  readonly elements: ReadonlySet<string>;
  /** the last of them, by array */
  readonly focus: ReadonlyMap<number, number>;
}

interface View {
  readonly t: DeclaredTrace;
  readonly number: number;
  readonly step: DeclaredStep | null;
  readonly about: Subject;
}

function subjectOf(t: DeclaredTrace, step: DeclaredStep | null): Subject {
  const elements = new Set<string>();
  const focus = new Map<number, number>();
  const add = (array: number, at: number): void => {
    elements.add(`${array}/${at}`);
    focus.set(array, at);
  };
  if (step?.kind === 'told' || step?.kind === 'stored') {
    for (let i = step.from; i < step.to; i++) add(t.stores.array[i], t.stores.at[i]);
    const row = step.cell?.row ?? (step.kind === 'told' ? (step.narrated.rows[0] ?? null) : null);
    const isInside = row !== null && row < t.window.rows;
    return { row: isInside ? row : null, column: step.cell?.col ?? null, elements, focus };
  }
  if (step?.kind === 'product') {
    for (const [array, at] of t.owners.readBefore(step.put)) add(array, at);
    const { rows, columns } = t.run.decoding.puts;
    return { row: rows[step.put], column: columns[step.put], elements, focus };
  }
  return { row: null, column: null, elements, focus };
}

const isMultiplying = (step: DeclaredStep | null): boolean => step?.kind === 'product' || step?.kind === 'multiplied';

function cellLook({ about, step }: View, row: number, col: number): MarkLook {
  if (row === about.row && col === about.column) return { focus: true };
  return isMultiplying(step) && step?.kind === 'product' && row !== about.row ? { state: 'dim' } : {};
}

function elementLook({ t, about }: View, array: number, at: number): MarkLook {
  const owner = t.owners.of(array, at);
  const { rows, columns } = t.run.decoding.puts;
  const cell = owner < 0 ? {} : { about: [cellName(rows[owner], columns[owner])] };
  return about.elements.has(`${array}/${at}`) ? { ...cell, focus: true } : cell;
}

/** Whether an element is stored by now. */
function isStored({ t, number }: View, array: number, at: number): boolean {
  const after = t.storedAfter[array][at];
  return after !== undefined && after > 0 && after <= number;
}

/** Arrays, those of one length below each other. */
function arrayPanels(view: View): readonly Panel[] {
  const { t, about } = view;
  const { arrays } = t.run.encoding;
  const pads = paddingOf(t);
  const groups: number[][] = [];
  arrays.forEach(({ elements }, i) => {
    const last = groups.at(-1);
    if (last && arrays[last[0]].elements.length === elements.length) last.push(i);
    else groups.push([i]);
  });
  return groups.map((group) => {
    const found = group.map((i) => about.focus.get(i)).find((at) => at !== undefined);
    return slotPanel({
      id: `arrays ${arrays[group[0]].array.name}`,
      focus: found ?? lastStored(view, group[0]),
      lines: group.map((i): SlotLine => {
        const { array, elements } = arrays[i];
        return {
          array: array.name,
          length: elements.length,
          tone: (at) => (pads.has(`${i}/${at}`) ? 'padding' : array.byteClass),
          text: (at) => (array.type.kind === 'float' ? valueText(elements[at]) : String(elements[at])),
          present: (at) => isStored(view, i, at),
          look: (at) => elementLook(view, i, at),
        };
      }),
    });
  });
}

/** The last element of an array that is stored by now; 0 if none is. */
function lastStored(view: View, array: number): number {
  const { length } = view.t.storedAfter[array];
  for (let at = length - 1; at > 0; at--) if (isStored(view, array, at)) return at;
  return 0;
}

function paddingOf({ stores }: DeclaredTrace): ReadonlySet<string> {
  const pads = new Set<string>();
  for (let i = 0; i < stores.at.length; i++) {
    if (stores.isPadding[i] === 1) pads.add(`${stores.array[i]}/${stores.at[i]}`);
  }
  return pads;
}

function vectors({ t, step, about }: View): readonly Panel[] {
  if (!isMultiplying(step)) return [];
  const { rows } = t.run.decoding.puts;
  const done = step?.kind === 'product' ? step.put : rows.length - 1;
  const sums = new Map<number, number>();
  const { columns, values } = t.run.decoding.puts;
  for (let i = 0; i <= done; i++) sums.set(rows[i], (sums.get(rows[i]) ?? 0) + values[i] * t.x[columns[i]]);
  return vectorPanels({
    x: t.x,
    reads: about.column === null ? [] : [about.column],
    y: (row) => sums.get(row) ?? (step?.kind === 'multiplied' ? 0 : null),
    rows: t.window.rows,
    writes: about.row === null ? [] : [about.row],
  });
}

function memory(view: View): readonly Panel[] {
  const { t, about } = view;
  return memoryPanels(
    t.run.encoding.arrays.flatMap(({ array, elements }, i) => {
      const data = Reflect.get(t.encoded, array.name) as NamedArray;
      // Nothing is as wide as its name.
      if (data.length === 0) return [];
      const at = (index: number): number => Math.min(elements.length - 1, elementAt(array.type, data, index));
      const focus = about.focus.get(i) ?? lastStored(view, i);
      const bitsOfData = data.BYTES_PER_ELEMENT * 8;
      return {
        array: array.name,
        data,
        tone: array.byteClass,
        present: (index: number) => isStored(view, i, at(index)),
        look: (index: number) => (about.elements.has(`${i}/${at(index)}`) ? { focus: true } : {}),
        focus: Math.floor((focus * array.type.bits) / bitsOfData),
      };
    }),
  );
}

function links({ t, about, step }: View): readonly Link[] {
  if (about.row === null || about.column === null || about.focus.size === 0 || step === null) return [];
  const { arrays } = t.run.encoding;
  const values = arrays.findIndex(({ array }, i) => array.byteClass === 'values' && about.focus.has(i));
  const [first] = about.focus.keys();
  const array = values >= 0 ? values : first;
  const to = elementName(arrays[array].array.name, about.focus.get(array) ?? 0);
  return [curve(cellName(about.row, about.column), to)];
}

function narrate({ t, step }: View): readonly Words[] {
  const { rows, cols, nnz } = t.window;
  switch (step?.kind) {
    case undefined:
      if (t.refused)
        return say`This window is refused. Its story is changed so that it fits: ${strong(`${countText(nnz)} of ${counted(t.refused.nnz, 'non-zero')}`)} are stored.`;
      return say`${strong(counted(nnz, 'non-zero'))} of ${countText(rows * cols)} cells go into ${listText(
        t.run.encoding.arrays.map(({ array }) => array.name),
      )}.`;
    case 'told': {
      const said = step.narrated.say.trim();
      const stored = storesInWords(t, step.from, step.to);
      return [...(said === '' ? [] : say`${strong(said)} `), ...asStored(stored)];
    }
    case 'stored': {
      const stored = storesInWords(t, step.from, step.to);
      return step.cell === null
        ? asStored(stored)
        : say`Row ${step.cell.row}, column ${step.cell.col}: encode stores ${stored ?? 'nothing'}.`;
    }
    case 'encoded': {
      const totalBytes = [...namedArrays(t.encoded).values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
      const each = nnz === 0 ? '' : `, ${((8 * totalBytes) / nnz).toFixed(1)} bits for each non-zero`;
      return say`All is stored: ${strong(counted(totalBytes, 'byte'))}${each}.`;
    }
    case 'product': {
      const { rows: rowOf, columns, values } = t.run.decoding.puts;
      const row = rowOf[step.put];
      const column = columns[step.put];
      const at = `row ${row}, column ${column}`;
      const times = `x[${column}] = ${valueText(t.x[column])}`;
      return say`decode puts ${valueText(values[step.put])} at ${at}: times ${times}. y[${row}] is ${strong(valueText(step.sum))}.`;
    }
    case 'multiplied':
      return say`y is complete: ${counted(t.run.decoding.puts.rows.length, 'product')}.`;
  }
}

const asStored = (stored: string | null): readonly Words[] =>
  stored === null ? say`Nothing is stored.` : say`Stored: ${stored}.`;

/** What the page saw being stored: '0.30 in values[25] and 13 in columns[25]'; null if nothing was. */
function storesInWords({ stores, run }: DeclaredTrace, from: number, to: number): string | null {
  if (to === from) return null;
  const { arrays } = run.encoding;
  const one = (i: number): string => {
    const { array } = arrays[stores.array[i]];
    const value = array.type.kind === 'float' ? valueText(stores.value[i]) : String(stores.value[i]);
    return `${value} in ${array.name}[${stores.at[i]}]${stores.isPadding[i] === 1 ? ' as padding' : ''}`;
  };
  if (to - from <= NAMED_STORES) {
    return listText(Array.from({ length: to - from }, (_, i) => one(from + i)));
  }
  const counts = new Map<string, number>();
  for (let i = from; i < to; i++) {
    const { name } = arrays[stores.array[i]].array;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return listText([...counts].map(([name, count]) => `${counted(count, 'element')} of ${name}`));
}
