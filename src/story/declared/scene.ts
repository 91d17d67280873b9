import type { NamedArray } from '../../core/encoded/encoded.ts';
import { box, frame, notThereYet } from '../marks.ts';
import type { Link, Mark, Panel, Scene } from '../scene.ts';
import {
  cellName,
  curve,
  elementName,
  type MarkStyle,
  matrixPanel,
  memoryPanels,
  rowFrame,
  type SlotLine,
  slotPanel,
} from '../scene-parts.ts';
import { counted, valueText } from '../../core/text/words.ts';
import { type ArrayClass, elementAt } from '../../core/declared/element-type.ts';
import { paddingOf } from './padding.ts';
import { elementText, indexOf, narrate } from './step-texts.ts';
import type { Element } from './stored-steps.ts';
import { type DeclaredStep, type DeclaredTrace, cachedByRun } from './trace.ts';

/** The picture of a declared format, one made with `declareEncoding`, after step `number` of its story. */
export function scene(t: DeclaredTrace, number: number): Pick<Scene, 'panels' | 'links' | 'narration'> {
  const step = number === 0 ? null : t.steps[number - 1].detail;
  const highlights = highlightsOf(t, step);
  const view: View = { t, number, step, highlights, namesOf: namesByCell(t), pads: paddingOf(t) };
  // Values are next to the cells, and their columns next to x: no line crosses another panel.
  const cellPanels = arrayPanels(view, ['values', 'indices']);
  return {
    panels: [
      // A matrix that the format rejects is shown until something is stored.
      matrixPanel(number === 0 ? (t.rejected ?? t.window) : t.window, {
        row: highlights.row ?? 0,
        style: (row, col) => cellStyle(view, row, col),
        overlay: overlay(view),
        ...(t.origin && { origin: t.origin }),
      }),
      ...cellPanels,
      ...vectors(view),
      ...arrayPanels(view, ['metadata']),
      ...memory(view),
    ],
    links: links(view, cellPanels),
    narration: narrate(t, step),
  };
}

/** The highlights of a picture: the cell, row and elements of its step. */
interface Highlights {
  readonly row: number | null;
  readonly column: number | null;
  /** elements that are stored or read, as 'array/index' */
  readonly elements: ReadonlySet<string>;
  /** by array, the last of these elements: the panel of a long array shows the elements around it */
  readonly focus: ReadonlyMap<number, number>;
}

/** All that the parts of a picture are drawn from. */
interface View {
  readonly t: DeclaredTrace;
  readonly number: number;
  readonly step: DeclaredStep | null;
  readonly highlights: Highlights;
  /** by name of a cell, the names of the elements that belong to the cell */
  readonly namesOf: ReadonlyMap<string, readonly string[]>;
  /** elements that are padding, as 'array/index' */
  readonly pads: ReadonlySet<string>;
}

/** What a step highlights: nothing before the first step. */
function highlightsOf(t: DeclaredTrace, step: DeclaredStep | null): Highlights {
  const elements = new Set<string>();
  const focus = new Map<number, number>();
  const add = ([array, index]: Element): void => {
    elements.add(`${array}/${index}`);
    focus.set(array, index);
  };
  if (step?.kind === 'stored') {
    step.elements.forEach(add);
    const row = step.cell?.row ?? step.rows.at(-1) ?? null;
    const isInside = row !== null && row < t.window.rows;
    const isOneCell = step.what === 'weight' || step.what === 'padding';
    return { row: isInside ? row : null, column: isOneCell ? (step.cell?.col ?? null) : null, elements, focus };
  }
  if (step?.kind === 'product') {
    t.elementCells.readBefore(step.decodedCell).forEach(add); // what decode read for this cell
    const { rows, columns } = t.run.decoding.puts;
    return { row: rows[step.decodedCell], column: columns[step.decodedCell], elements, focus };
  }
  return { row: step?.kind === 'sum' || step?.kind === 'zeros' ? step.row : null, column: null, elements, focus };
}

const isMultiplying = (step: DeclaredStep | null): boolean =>
  step !== null && step.kind !== 'stored' && step.kind !== 'encoded';

/** By name of a cell, the names of the elements of all arrays that belong to the cell. O(elements). */
const namesByCell = cachedByRun((t): View['namesOf'] => {
  const names = new Map<string, string[]>();
  t.run.encoding.arrays.forEach(({ array, elements }, i) => {
    for (let index = 0; index < elements.length; index++) {
      const call = t.elementCells.firstPutCall(i, index);
      if (call < 0) continue;
      const { row, col } = t.elementCells.cellOf(call);
      const cell = cellName(row, col);
      const elementNames = names.get(cell) ?? [];
      names.set(cell, elementNames);
      elementNames.push(elementName(array.name, index));
    }
  });
  return names;
});

/** How a cell is drawn: marked if it is the step's, dimmed if the step multiplies another row. */
function cellStyle({ highlights, step, namesOf }: View, row: number, col: number): MarkStyle {
  const names = namesOf.get(cellName(row, col));
  const style: MarkStyle = names ? { highlightNames: names } : {};
  if (row === highlights.row && col === highlights.column) return { ...style, focus: true };
  const isOtherRow = isMultiplying(step) && highlights.row !== null && row !== highlights.row;
  return isOtherRow ? { ...style, state: 'dim' } : style;
}

/** A frame around the row of the step, or around the cells that an index names. */
function overlay({ t, step, highlights }: View): readonly Mark[] {
  const region = step?.kind === 'stored' && step.what === 'index' ? t.elementCells.region(step.elements[0]) : null;
  if (region) {
    const [top, left] = [region.rows[0], region.columns[0]];
    return [
      frame('region', left, top, region.columns[1] - left + 1, region.rows[1] - top + 1, {
        focus: true,
        label: 'the cells that it names',
      }),
    ];
  }
  return highlights.row === null ? [] : rowFrame(t.window, highlights.row, t.origin?.row);
}

/** How a stored element is drawn: marked if the step stores or reads it. */
function elementStyle({ t, highlights }: View, array: number, index: number): MarkStyle {
  const call = t.elementCells.firstPutCall(array, index);
  const cell = call < 0 ? null : t.elementCells.cellOf(call);
  const style: MarkStyle = cell ? { highlightNames: [cellName(cell.row, cell.col)] } : {};
  return highlights.elements.has(`${array}/${index}`) ? { ...style, focus: true } : style;
}

/** Whether an element is stored by now. */
function isStored({ t, number }: View, array: number, index: number): boolean {
  const after = t.storedAfter[array][index];
  return after !== undefined && after > 0 && after <= number;
}

/** The bits of a byte or word that an element occupies; '' if all. */
function bitsText({ t }: View, array: number, index: number): string {
  const { array: description } = t.run.encoding.arrays[array];
  const { BYTES_PER_ELEMENT: unitBytes } = dataOf(t, array);
  const { bits } = description.type;
  const unitBits = 8 * unitBytes;
  if (bits === unitBits) return '';
  const firstBit = index * bits;
  const low = firstBit % unitBits;
  const unit = `${unitBytes === 1 ? 'byte' : 'word'} ${Math.floor(firstBit / unitBits)}`;
  return bits === 1 ? `bit ${low} of ${unit}` : `bits ${low} to ${(firstBit + bits - 1) % unitBits} of ${unit}`;
}

const dataOf = (t: DeclaredTrace, array: number): NamedArray =>
  Reflect.get(t.encoded, t.run.encoding.arrays[array].array.name) as NamedArray;

/** Panels of the arrays of these classes; successive arrays of equal length share a panel, except arrays of bits. */
function arrayPanels(view: View, classes: readonly ArrayClass[]): readonly Panel[] {
  const { t, highlights, pads } = view;
  const { arrays } = t.run.encoding;
  const groups: number[][] = [];
  const ordered = classes.flatMap((byteClass) =>
    arrays.flatMap(({ array, elements }, i) => (array.byteClass === byteClass && elements.length > 0 ? [i] : [])),
  );
  ordered.forEach((i) => {
    const { array, elements } = arrays[i];
    const last = groups.at(-1);
    const isBits = array.type.bits === 1;
    if (last && !isBits && arrays[last[0]].array.type.bits > 1 && arrays[last[0]].elements.length === elements.length)
      last.push(i);
    else groups.push([i]);
  });
  return groups.map((group) => {
    const focused = group.map((i) => highlights.focus.get(i)).find((index) => index !== undefined);
    const focus = focused ?? lastStored(view, group[0]);
    if (arrays[group[0]].array.type.bits === 1) return bitsPanel(view, group[0], focus);
    return slotPanel({
      id: `elements of ${arrays[group[0]].array.name}`,
      focus,
      lines: group.map((i): SlotLine => {
        const { array, elements } = arrays[i];
        return {
          array: array.name,
          length: elements.length,
          tone: (index) => (pads.has(`${i}/${index}`) ? 'padding' : array.byteClass),
          text: (index) => elementText(t, [i, index]),
          more: (index) => bitsText(view, i, index),
          present: (index) => isStored(view, i, index),
          style: (index) => elementStyle(view, i, index),
          from(index) {
            const decodedCell = array.byteClass === 'values' ? t.elementCells.decodedCellOf(i, index) : -1;
            const { rows, columns } = t.run.decoding.puts;
            return decodedCell < 0 ? undefined : cellName(rows[decodedCell], columns[decodedCell]);
          },
        };
      }),
    });
  });
}

/** Bits on a line of a bit array, and the number of such lines: more would leave no space for x. */
const BITS_WIDE = 32;
const BIT_LINES = 1;

/** An array of bits, a word of 32 on each line, lowest bit first. */
function bitsPanel(view: View, array: number, focus: number): Panel {
  const { t } = view;
  const { array: description, elements } = t.run.encoding.arrays[array];
  const lines = Math.ceil(elements.length / BITS_WIDE);
  const visibleLines = Math.min(lines, BIT_LINES);
  const line = Math.floor(focus / BITS_WIDE);
  const top = Math.max(0, Math.min(lines - visibleLines, line));
  const marks: Mark[] = [];
  for (let index = top * BITS_WIDE; index < Math.min(elements.length, (top + visibleLines) * BITS_WIDE); index++) {
    const name = elementName(description.name, index);
    const { highlightNames = [], ...style } = elementStyle(view, array, index);
    const bit = box(name, index % BITS_WIDE, Math.floor(index / BITS_WIDE) - top, { tone: description.byteClass });
    const text = elementText(t, [array, index]);
    marks.push(
      isStored(view, array, index)
        ? {
            ...bit,
            text,
            level: elements[index],
            label: `${name}: ${text}, ${bitsText(view, array, index)}`,
            highlightNames: [name, ...highlightNames],
            ...style,
          }
        : { ...bit, ...notThereYet(name), highlightNames: [name] },
    );
  }
  return {
    id: `elements of ${description.name}`,
    title: description.name,
    caption: `${counted(lines, 'word')}, lowest bit first`,
    unit: 'cell',
    columns: BITS_WIDE,
    rows: visibleLines,
    rowLabels: Array.from({ length: visibleLines }, (_, i) => ({ at: i, text: `word ${top + i}` })),
    focus: { x: focus % BITS_WIDE, y: Math.max(0, line - top) },
    marks,
  };
}

/** The last element of an array that is stored by now; 0 if none is. */
function lastStored(view: View, array: number): number {
  const { length } = view.t.storedAfter[array];
  if (view.number >= view.t.chapters[0].stepCount) return 0;
  for (let index = length - 1; index > 0; index--) if (isStored(view, array, index)) return index;
  return 0;
}

/** Panels of x and y, while rows are multiplied. */
function vectors({ t, number, step, highlights }: View): readonly Panel[] {
  if (!isMultiplying(step)) return [];
  const sums = new Map<number, number>();
  for (let i = t.chapters[0].stepCount; i < number; i++) {
    const { detail } = t.steps[i];
    if (detail.kind === 'product') sums.set(t.run.decoding.puts.rows[detail.decodedCell], detail.sum);
    if (detail.kind === 'sum') sums.set(detail.row, t.y[detail.row]);
  }
  const styleOf = (isFocus: boolean): MarkStyle => (isFocus ? { focus: true } : {});
  const yOf = (row: number): number | null => sums.get(row) ?? (step?.kind === 'multiplied' ? 0 : null);
  const x: SlotLine = {
    array: 'x',
    length: t.x.length,
    first: t.origin?.col ?? 0,
    tone: 'neutral',
    text: (i) => valueText(t.x[i]),
    style: (i) => styleOf(i === highlights.column),
  };
  const y: SlotLine = {
    array: 'y',
    length: t.window.rows,
    first: t.origin?.row ?? 0,
    tone: 'format',
    text: (i) => valueText(yOf(i) ?? 0),
    present: (i) => yOf(i) !== null,
    style: (i) => styleOf(i === highlights.row),
  };
  return [
    slotPanel({ id: 'x', focus: highlights.column ?? 0, lines: [x] }),
    slotPanel({ id: 'y', focus: highlights.row ?? 0, lines: [y] }),
  ];
}

/** Panels of the bytes of each array. */
function memory(view: View): readonly Panel[] {
  const { t, highlights, pads } = view;
  return memoryPanels(
    t.run.encoding.arrays.flatMap(({ array, elements }, i) => {
      const data = dataOf(t, i);
      // An empty array would be a name above nothing.
      if (data.length === 0) return [];
      const bitsOfData = data.BYTES_PER_ELEMENT * 8;
      const isShared = array.type.bits < bitsOfData;
      const firstElementIn = (index: number): number =>
        Math.min(elements.length - 1, elementAt(array.type, data, index));
      /** the elements that are stored, in part at least, in a number of `data` */
      const elementsIn = (index: number): readonly number[] => {
        const first = firstElementIn(index);
        const end = Math.min(elements.length, Math.ceil(((index + 1) * bitsOfData) / array.type.bits));
        return isShared ? Array.from({ length: Math.max(1, end - first) }, (_, k) => first + k) : [first];
      };
      const focus = highlights.focus.get(i) ?? lastStored(view, i);
      return {
        array: isShared ? `${array.name} ${data.BYTES_PER_ELEMENT === 1 ? 'byte' : 'word'}` : array.name,
        title: array.name,
        data,
        tone: (index: number) =>
          elementsIn(index).every((element) => pads.has(`${i}/${element}`)) ? 'padding' : array.byteClass,
        present: (index: number) => elementsIn(index).some((element) => isStored(view, i, element)),
        style(index: number): MarkStyle {
          const styles = elementsIn(index).map((element) => elementStyle(view, i, element));
          const names = isShared ? elementsIn(index).map((element) => elementName(array.name, element)) : [];
          return {
            highlightNames: [...names, ...styles.flatMap(({ highlightNames: cells = [] }) => cells)],
            ...(styles.some((style) => style.focus) && { focus: true }),
          };
        },
        focus: Math.floor((focus * array.type.bits) / bitsOfData),
      };
    }),
  );
}

/**
 * Lines from a cell to its stored value, or from an index to the element of x that it selects. `cellPanels`: panels of
 * values, then of indices.
 */
function links({ t, highlights, step }: View, cellPanels: readonly Panel[]): readonly Link[] {
  if (highlights.row === null || highlights.column === null) return [];
  const { arrays } = t.run.encoding;
  const nameOf = ([array, index]: Element): string => elementName(arrays[array].array.name, index);
  const isIn = (panel: Panel | undefined, name: string): boolean => panel?.marks.some(({ id }) => id === name) === true;
  if (step?.kind === 'product') {
    const index = indexOf(t, step.decodedCell);
    return index && isIn(cellPanels.at(-1), nameOf(index))
      ? [curve(nameOf(index), elementName('x', highlights.column))]
      : [];
  }
  if (step?.kind !== 'stored' || step.what !== 'weight') return [];
  const value = step.elements.findLast(([array]) => arrays[array].array.byteClass === 'values');
  return value && isIn(cellPanels[0], nameOf(value))
    ? [curve(cellName(highlights.row, highlights.column), nameOf(value))]
    : [];
}
