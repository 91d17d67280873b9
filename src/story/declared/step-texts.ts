import { namedArrays } from '../../core/encoded/encoded.ts';
import type { Words } from '../../core/text/words.ts';
import { capitalised, countText, counted, listText, say, strong, valueText } from '../../core/text/words.ts';
import type { ElementCells } from './element-cells.ts';
import type { Element, StoredStep } from './stored-steps.ts';
import { type DeclaredStep, type DeclaredTrace, cachedByRun } from './trace.ts';

/** Maximum elements that a text names one by one. */
const MAX_NAMED = 3;
/** An index with this value marks an empty slot; it is shown as 'none'. */
const ALL_BITS = 0xffffffff;

/** The narration of a step: one or two short sentences, with row and column numbers of the whole matrix. */
export function narrate(t: DeclaredTrace, step: DeclaredStep | null): readonly Words[] {
  const { rows, cols, nnz } = t.window;
  switch (step?.kind) {
    case undefined: {
      const requested = t.rejected?.nnz ?? nnz;
      const rejected =
        requested > nnz
          ? say`${strong('Refused')}: ${countText(requested - nnz)} of ${countText(requested)} are set to zero. `
          : [];
      const begins = say`${strong(counted(nnz, 'non-zero'))} of ${countText(rows * cols)} cells ${nnz === 1 ? 'goes' : 'go'} into ${listText(
        t.run.encoding.arrays.filter(({ elements }) => elements.length > 0).map(({ array }) => array.name),
      )}.`;
      return [...rejected, ...begins];
    }
    case 'stored': {
      if (step.reason === null) return storedText(t, step);
      const message = strong(withFullStop(withPositions(t, step.reason)));
      return step.elements.length === 0 ? [message] : say`${message} ${elementsText(t, step.elements)}.`;
    }
    case 'encoded': {
      const totalBytes = [...namedArrays(t.encoded).values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
      const each = nnz === 0 ? '' : `, ${((8 * totalBytes) / nnz).toFixed(1)} bits for each non-zero`;
      return say`All is stored: ${strong(counted(totalBytes, 'byte'))}${each}.`;
    }
    case 'product':
      return productText(t, step.decodedCell, step.sum);
    case 'zeros': {
      const are = step.count === 1 ? 'is multiplied as well, and adds' : 'are multiplied as well, and add';
      return say`${strong(counted(step.count, 'zero'))} of row ${rowNumber(t, step.row)} ${are} nothing.`;
    }
    case 'sum':
      return say`Row ${rowNumber(t, step.row)} is done: y[${rowNumber(t, step.row)}] = ${strong(valueText(t.y[step.row]))}.`;
    case 'multiplied':
      return multipliedText(t);
  }
}

function multipliedText({ run: { decoding }, window: { rows, cols } }: DeclaredTrace): readonly Words[] {
  // Zeros that decode puts are multiplied as well; `puts` lists only the non-zeros.
  const products = decoding.calls?.put.length ?? decoding.puts.rows.length;
  const zeros = products - decoding.puts.rows.length;
  const ofZeros = zeros > 0 ? `, ${countText(zeros)} of them of zeros` : '';
  const others = products < rows * cols ? ` All cells would take ${countText(rows * cols)}.` : '';
  return say`y is complete after ${strong(counted(products, 'multiplication'))}${ofZeros}.${others}`;
}

const withFullStop = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`);

/** A text from an encoder, with '{row 3}' and '{column 5}' replaced by numbers of the matrix around the window. */
const withPositions = (t: Pick<DeclaredTrace, 'origin'>, says: string): string =>
  says.replace(/\{(row|column) (\d+)\}/g, (_, kind: string, number: string) =>
    String(kind === 'row' ? rowNumber(t, Number(number)) : columnNumber(t, Number(number))),
  );

/** The row number in the matrix that contains the window. */
const rowNumber = ({ origin }: Pick<DeclaredTrace, 'origin'>, row: number): number => (origin?.row ?? 0) + row;
const columnNumber = ({ origin }: Pick<DeclaredTrace, 'origin'>, column: number): number => (origin?.col ?? 0) + column;

function storedText(t: DeclaredTrace, step: StoredStep): readonly Words[] {
  switch (step.what) {
    case 'weight':
      return weightText(t, step);
    case 'index': {
      const [element] = step.elements;
      const region = t.elementCells.region(element);
      return say`${strong(equation(t, element))} names ${region ? regionText(t, region) : 'its cells'}.`;
    }
    case 'padding':
      return paddingText(t, step);
    case 'bookkeeping':
      return bookkeepingText(t, step);
  }
}

/** 'Row 0, column 3 holds 0.30: values[0] = 0.30, its column 3 in indices[0].' */
function weightText(t: DeclaredTrace, { cell, elements }: StoredStep): readonly Words[] {
  if (!cell) return say`Nothing is stored.`;
  const isValue = ([array]: Element): boolean => arrayOf(t, array).byteClass === 'values';
  const otherElements = elements.filter((element) => !isValue(element));
  const float = elements.find((element) => isValue(element) && arrayOf(t, element[0]).type.kind === 'float');
  // Rounded like the stored value, which is printed next to it.
  const value = strong(valueText(float ? elementAt(t, float) : valueAt(t, cell.row, cell.col)));
  const isScale = ([array]: Element): boolean => arrayOf(t, array).byteClass === 'metadata';
  const parts = [
    ...elements.filter(isValue).map((element) => valueClause(t, element)),
    ...otherElements
      .filter((element) => !isScale(element))
      .slice(0, MAX_NAMED)
      .map((element) => indexText(t, element, cell.col)),
  ];
  // Scales and other metadata are narrated separately.
  const metadataTexts = otherElements
    .filter(isScale)
    .slice(0, MAX_NAMED)
    .map((element) => indexText(t, element, cell.col));
  return say`Row ${rowNumber(t, cell.row)}, column ${columnNumber(t, cell.col)} holds ${value}: ${
    parts.length > 0 ? parts.join(', ') : 'nothing is stored for it'
  }.${metadataTexts.length > 0 ? ` Besides, ${metadataTexts.join(', ')}.` : ''}`;
}

/** The clause on where a value is stored; a word with fields also contains the value's column. */
function valueClause(t: DeclaredTrace, element: Element): string {
  const { fields } = arrayOf(t, element[0]);
  return fields ? `its ${listText(Object.keys(fields))} in ${nameOf(t, element)}` : equation(t, element);
}

/** The clause on an element that locates its cell, which is in `column`. */
function indexText(t: DeclaredTrace, element: Element, column: number): string {
  const [array, index] = element;
  const { name, type } = arrayOf(t, array);
  const number = elementAt(t, element);
  if (type.bits === 1) return `bit ${index} of ${name} is set`;
  if (number === column && containsColumns(t, array)) {
    const position = t.origin?.col ?? 0;
    return position === 0
      ? `its column ${number} in ${name}[${index}]`
      : `${name}[${index}] = ${number}, from column ${position} on`;
  }
  return equation(t, element);
}

function paddingText(t: DeclaredTrace, { cell, elements }: StoredStep): readonly Words[] {
  const zeros = elements.filter(([array]) => arrayOf(t, array).byteClass === 'values').length;
  if (cell)
    return say`${strong(zeros > 1 ? `${zeros} stored zeros:` : 'A stored zero:')} ${elementsText(t, elements)}.`;
  const arrays = [...new Set(elements.map(([array]) => array))];
  const cause = arrays.map((array) => arrayOf(t, array).filler?.reason).find((reason) => reason);
  const [first] = arrays;
  const count = elements.filter(([array]) => array === first).length;
  const names = listText(arrays.map((array) => arrayOf(t, array).name));
  const isZero = elements.every((element) => elementAt(t, element) === 0);
  const fill = isZero
    ? say`${strong(counted(count, 'zero'))} ${count === 1 ? 'fills' : 'fill'} ${names}`
    : say`${strong(counted(count, 'slot'))} of ${names} ${count === 1 ? 'stays' : 'stay'} empty`;
  return [...fill, ...say`${cause ? `: ${cause}` : ''}.`];
}

function bookkeepingText(t: DeclaredTrace, { elements, rows, isRowEnd }: StoredStep): readonly Words[] {
  const offsets = elements.filter(([array, index]) => arrayOf(t, array).offsetsInto !== undefined && index > 0);
  const last = offsets.at(-1);
  const isByRow = last && lengthOf(t, last[0]) === t.window.rows + 1;
  if (offsets.length === 1 && isByRow && isRowEnd) {
    const row = last[1] - 1;
    const isEmpty = elementAt(t, last) === elementAt(t, [last[0], row]);
    const end = strong(equation(t, last));
    return isEmpty
      ? say`Row ${rowNumber(t, row)} is empty: ${end} again.`
      : say`Row ${rowNumber(t, row)} ends: ${end}.`;
  }
  if (elements.length === 1) {
    const { meaning } = arrayOf(t, elements[0][0]);
    const what = meaning === undefined ? '' : `: ${meaningOf(meaning, elements[0][1])}`;
    return say`${strong(equation(t, elements[0]))}${what}.`;
  }
  const start = rows.length === 1 ? `Of row ${rowNumber(t, rows[0])}` : 'Besides';
  return elements.length === 0 ? say`Nothing is stored.` : say`${start}: ${elementsText(t, elements)}.`;
}

/** The meaning of an element, from the declared meaning: 'first entry of row i' becomes 'first entry of row 3'. */
function meaningOf(meaning: string, index: number): string {
  const [first] = meaning.split(/[;,]/);
  return (first.split(': ').at(-1) ?? first).replace(/\bi$/, String(index));
}

function productText(t: DeclaredTrace, decodedCell: number, sum: number): readonly Words[] {
  const { rows, columns, values } = t.run.decoding.puts;
  const [row, column] = [rows[decodedCell], columns[decodedCell]];
  const times = `${valueText(values[decodedCell])} × x[${columnNumber(t, column)}] = ${valueText(values[decodedCell] * t.x[column])}`;
  return say`${columnClause(t, decodedCell, column)}: ${times}; y[${rowNumber(t, row)}] is ${strong(valueText(sum))}.`;
}

/** The clause on the element by which decode found the column. */
function columnClause(t: DeclaredTrace, decodedCell: number, column: number): string {
  const columnText = `column ${columnNumber(t, column)}`;
  const index = indexOf(t, decodedCell);
  if (!index) return capitalised(columnText);
  const { type, fields, byteClass } = arrayOf(t, index[0]);
  if (fields || containsColumns(t, index[0])) return `${nameOf(t, index)} says ${columnText}`;
  if (byteClass === 'values') return `${nameOf(t, index)} is of ${columnText}`;
  if (type.bits === 1) return `Bit ${index[1]} of ${arrayOf(t, index[0]).name} is ${columnText}`;
  return `${equation(t, index)} leads to ${columnText}`;
}

/** For each array, whether its elements are column numbers: by declaration, or equal to the columns of their cells. */
const areColumns = cachedByRun(({ run, elementCells }) =>
  run.encoding.arrays.map(({ array, elements }, i): boolean => {
    if (array.columns) return array.columns.below === undefined;
    if (array.byteClass !== 'indices' || array.type.bits === 1) return false;
    const isColumn = (index: number): boolean => {
      const call = elementCells.firstPutCall(i, index);
      return call < 0 || elementCells.cellOf(call).col === elements[index];
    };
    return elements.length > 0 && elements.every((_: number, index: number) => isColumn(index));
  }),
);

const containsColumns = (t: DeclaredTrace, array: number): boolean => areColumns(t)[array];

/** The element by which decode found the column of a decoded cell: an index for one column if there is any. */
export function indexOf(t: DeclaredTrace, decodedCell: number): Element | undefined {
  const readElements = t.elementCells.readBefore(decodedCell);
  const isOf = (byteClass: string) => (element: Element) => arrayOf(t, element[0]).byteClass === byteClass;
  const indices = readElements.filter(isOf('indices'));
  const isOfColumn = (element: Element): boolean => {
    const { columns = [0, 0] } = t.elementCells.region(element) ?? {};
    return columns[0] === columns[1];
  };
  return indices.findLast(isOfColumn) ?? indices.at(-1) ?? readElements.findLast(isOf('values'));
}

const arrayOf = (t: DeclaredTrace, array: number): DeclaredTrace['run']['encoding']['arrays'][number]['array'] =>
  t.run.encoding.arrays[array].array;
const elementAt = (t: DeclaredTrace, [array, index]: Element): number => t.run.encoding.arrays[array].elements[index];
const lengthOf = (t: DeclaredTrace, array: number): number => t.run.encoding.arrays[array].elements.length;
const nameOf = (t: DeclaredTrace, [array, index]: Element): string => `${arrayOf(t, array).name}[${index}]`;

function valueAt({ window }: DeclaredTrace, row: number, column: number): number {
  for (let i = window.indptr[row]; i < window.indptr[row + 1]; i++)
    if (window.indices[i] === column) return window.data[i];
  return 0;
}

/** An element with its value: 'values[0] = 0.30'. */
function equation(t: DeclaredTrace, element: Element): string {
  return `${nameOf(t, element)} = ${elementText(t, element)}`;
}

/** The drawn text of an element: a word by its fields, a head (the first of every `headEvery` words) by its number. */
export function elementText(t: DeclaredTrace, element: Element): string {
  const [array, index] = element;
  const { type, fields, heads: headEvery = Infinity } = arrayOf(t, array);
  const number = elementAt(t, element);
  if (type.kind === 'float' || !Number.isInteger(number)) return valueText(number);
  if (fields && index % headEvery !== 0)
    return Object.values(fields)
      .map((field) => (Number.isInteger(field[index]) ? String(field[index]) : valueText(field[index])))
      .join(' · ');
  return number === ALL_BITS ? 'none' : String(number);
}

function elementsText(t: DeclaredTrace, elements: readonly Element[]): string {
  if (elements.length <= MAX_NAMED) return listText(elements.map((element) => equation(t, element)));
  const counts = new Map<string, number>();
  for (const [array] of elements) {
    const { name } = arrayOf(t, array);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return listText([...counts].map(([name, count]) => `${counted(count, 'element')} of ${name}`));
}

function regionText(t: DeclaredTrace, { rows, columns }: NonNullable<ReturnType<ElementCells['region']>>) {
  const range = (noun: string, [first, last]: readonly [number, number], from: number): string =>
    first === last ? `${noun} ${from + first}` : `${noun}s ${from + first} to ${from + last}`;
  return `${range('row', rows, t.origin?.row ?? 0)}, ${range('column', columns, t.origin?.col ?? 0)}`;
}
