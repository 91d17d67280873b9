import type { EncodedMatrix, NamedArray } from '../../core/encoded/encoded.ts';
import type { Cell, CsrMatrix, Matrix } from '../../core/matrix/index.ts';
import type { StepName } from '../step-kind.ts';
import { type Effect, type Trace, TraceBuilder, traceVector } from '../trace.ts';
import { readElement, sharesBytes, writeElement } from '../../core/declared/element-type.ts';
import type { WindowRecord, Stores } from '../../core/declared/record.ts';
import { elementCellsOf, type ElementCells } from './element-cells.ts';
import { StepGrouping, type StoredStep } from './stored-steps.ts';

/**
 * The details of a step in the trace of a declared format (given by its arrays, encode and decode alone): elements are
 * stored, or a cell is multiplied that decode has passed to put(row, column, value), a decoded cell.
 */
export type DeclaredStep =
  | StoredStep
  | { readonly kind: 'encoded' }
  /** a decoded cell is multiplied; `decodedCell`: its index in `run.decoding.puts`; `sum`: the row's sum afterwards */
  | { readonly kind: 'product'; readonly decodedCell: number; readonly sum: number }
  /** the zeros that decode passed to put for a row are multiplied as well */
  | { readonly kind: 'zeros'; readonly row: number; readonly count: number }
  /** the sum of a row is complete */
  | { readonly kind: 'sum'; readonly row: number }
  | { readonly kind: 'multiplied' };

/** The name of a step, by which frame-steps.ts chooses frames, the steps at which the player rests. */
export function nameOfStep(step: DeclaredStep): StepName {
  switch (step.kind) {
    case 'stored':
      return { ...storedName(step), ...(step.prepares && { cell: step.prepares }) };
    case 'encoded':
      return { name: 'all bytes' };
    case 'product':
      return { name: 'look up x' };
    case 'zeros':
      return { name: 'zeros times x' };
    case 'sum':
      return { name: 'sum of a row', event: 'sum' };
    case 'multiplied':
      return { name: 'y is complete' };
  }
}

function storedName({ what, isRowEnd }: StoredStep): StepName {
  if (what === 'padding') return { name: 'padding', event: 'padding' };
  if (what === 'bookkeeping' && isRowEnd) return { name: 'row ends', event: 'row end' };
  return { name: what };
}

/** The trace of encoding and multiplying a window, the part of a matrix in a story, in a declared format. */
export interface DeclaredTrace<E extends EncodedMatrix = EncodedMatrix> extends Trace<DeclaredStep> {
  readonly window: CsrMatrix;
  readonly encoded: E;
  /** the requested matrix, if the format rejects it and the story shows another, or other parameters */
  readonly rejected?: Matrix;
  readonly run: WindowRecord;
  /** the stores of the encoder, in order; empty if they were not recorded */
  readonly stores: Stores;
  /** which cell each stored element belongs to */
  readonly elementCells: ElementCells;
  /** by array and element: the number of the step after which it is stored, from 1 */
  readonly storedAfter: readonly Uint32Array[];
  /** the product, in f64 */
  readonly y: Float64Array;
}

/** Returns `compute` with a cache by the recorded run: the result for each trace, and for copies of it, is computed once. */
export function cachedByRun<T>(compute: (t: DeclaredTrace) => T): (t: DeclaredTrace) => T {
  const cache = new WeakMap<DeclaredTrace['run'], { readonly value: T }>();
  return (t) => {
    const cached = cache.get(t.run) ?? { value: compute(t) };
    cache.set(t.run, cached);
    return cached.value;
  };
}

const NO_STORES: Stores = {
  array: new Uint8Array(0),
  at: new Uint32Array(0),
  value: new Float64Array(0),
  isPadding: new Uint8Array(0),
  line: new Uint32Array(0),
};

/** The trace of a recorded run: steps that store, by the cell that decode reads back, then steps that multiply. */
export function declaredTrace<E extends EncodedMatrix>(
  format: string,
  window: CsrMatrix,
  encoded: E,
  run: WindowRecord,
): DeclaredTrace<E> {
  const stores = run.encoding.stores ?? NO_STORES;
  const elementCells = elementCellsOf(run);
  const builder = new TraceBuilder<DeclaredStep>();
  const visits = new Visits(window);
  const writer = new Writer(run, encoded, stores);

  builder.chapter('pack', 'Pack');
  for (const step of new StepGrouping(run, elementCells, (cell) => visits.has(cell)).steps()) {
    const visit = step.what === 'weight' && step.cell ? visits.visit(step.cell) : [];
    builder.step(step, [...visit, ...writer.stored(step, builder.steps.length + 1)]);
  }
  builder.step({ kind: 'encoded' }, [...visits.remaining(), ...writer.remaining(builder.steps.length + 1)]);

  builder.chapter('multiply', 'Multiply');
  const x = traceVector(window.cols);
  const y = new Float64Array(window.rows);
  const { rows, columns, values } = run.decoding.puts;
  const lastCellOfRow = new Map(Array.from(rows, (row, i) => [row, i]));
  const zeros = zerosByRow(run);
  /** rows of which decode passed only zeros to put, and whose sum step is still to come, in descending order */
  const empty = [...zeros.keys()].filter((row) => !lastCellOfRow.has(row)).toSorted((a, b) => b - a);
  const completeRow = (row: number): void => {
    const count = zeros.get(row) ?? 0;
    if (count > 0) builder.step({ kind: 'zeros', row, count });
    builder.step({ kind: 'sum', row });
  };
  const completeEmptyRows = (before: number): void => {
    for (let row = empty.at(-1); row !== undefined && row < before; row = empty.at(-1)) {
      completeRow(row);
      empty.pop();
    }
  };
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    completeEmptyRows(row);
    const value = values[i] * x[columns[i]];
    y[row] += value;
    builder.step({ kind: 'product', decodedCell: i, sum: y[row] }, [{ kind: 'accumulate', row, value }]);
    if (lastCellOfRow.get(row) === i) completeRow(row);
  }
  completeEmptyRows(window.rows);
  builder.step({ kind: 'multiplied' });
  const { chapters, steps } = builder;
  const { storedAfter } = writer;
  const { params } = run;
  return { format, window, params, encoded, x, y, chapters, steps, run, stores, elementCells, storedAfter };
}

/** The number of zeros that decode passed to put, by row. */
function zerosByRow({ decoding: { calls } }: WindowRecord): ReadonlyMap<number, number> {
  const zeros = new Map<number, number>();
  calls?.put.forEach((decodedCell, call) => {
    const row = calls.rows[call];
    if (decodedCell < 0) zeros.set(row, (zeros.get(row) ?? 0) + 1);
  });
  return zeros;
}

/** The number, from 1, of the step that stores an element. O(arrays). */
export function stepStoring<E extends EncodedMatrix>(
  { run, storedAfter }: DeclaredTrace<E>,
  array: string,
  index: number,
): number {
  return storedAfter[run.encoding.arrays.findIndex((recorded) => recorded.array.name === array)][index];
}

/** Whether a step stores something in this array. */
export const storesIn = ({ run }: Pick<DeclaredTrace, 'run'>, { elements }: StoredStep, array: string): boolean =>
  elements.some((element) => run.encoding.arrays[element[0]].array.name === array);

/** The number of the step after which everything is stored. */
export const stepEncoded = ({ chapters }: Pick<DeclaredTrace, 'chapters'>): number => chapters[0].stepCount;

/** The number of the step that multiplies a cell; 0 if decode yields none there. O(steps). */
export function stepMultiplying(
  { run, steps }: Pick<DeclaredTrace, 'run' | 'steps'>,
  row: number,
  column: number,
): number {
  const { rows, columns } = run.decoding.puts;
  return (
    1 +
    steps.findIndex(
      ({ detail }) =>
        detail.kind === 'product' && rows[detail.decodedCell] === row && columns[detail.decodedCell] === column,
    )
  );
}

/** The number of the step that completes the sum of a row; 0 if decode yields no cell of it. O(steps). */
export function stepSumming({ steps }: Pick<DeclaredTrace, 'steps'>, row: number): number {
  return 1 + steps.findIndex(({ detail }) => detail.kind === 'sum' && detail.row === row);
}

/** The number of the first step that stores padding; 0 without one. O(steps). */
export function stepStoringPadding({ steps }: Pick<DeclaredTrace, 'steps'>): number {
  return 1 + steps.findIndex(({ detail }) => detail.kind === 'stored' && detail.what === 'padding');
}

/** The non-zeros of a window, each visited once. */
class Visits {
  readonly #window: CsrMatrix;
  readonly #remaining: Set<number>;
  readonly #nonZeros: ReadonlySet<number>;

  constructor(window: CsrMatrix) {
    this.#window = window;
    const cells: number[] = [];
    for (let r = 0; r < window.rows; r++) {
      for (let i = window.indptr[r]; i < window.indptr[r + 1]; i++) cells.push(r * window.cols + window.indices[i]);
    }
    this.#nonZeros = new Set(cells);
    this.#remaining = new Set(cells);
  }

  has({ row, col }: Cell): boolean {
    return col < this.#window.cols && this.#nonZeros.has(row * this.#window.cols + col);
  }

  /** The effect of visiting a cell; none if it was visited before. */
  visit({ row, col }: Cell): readonly Effect[] {
    return this.#remaining.delete(row * this.#window.cols + col) ? [{ kind: 'visit', row, col }] : [];
  }

  /** Visits of all other non-zeros. */
  remaining(): readonly Effect[] {
    const { cols } = this.#window;
    return [...this.#remaining].map((cell) => ({ kind: 'visit', row: Math.floor(cell / cols), col: cell % cols }));
  }
}

/** Replays the recorded stores of an encoder into empty arrays, and returns each changed element as an effect. */
class Writer {
  /** by array and element: the number of the step after which it is stored, from 1; 0: not stored yet */
  readonly storedAfter: readonly Uint32Array[];
  readonly #run: WindowRecord;
  readonly #stores: Stores;
  readonly #final: readonly NamedArray[];
  readonly #memory: readonly NamedArray[];
  /** by array: whether it has quantised codes or their scales, which src/core computes from the encoder's values */
  readonly #isQuantised: readonly boolean[];

  constructor(run: WindowRecord, encoded: EncodedMatrix, stores: Stores) {
    const { arrays } = run.encoding;
    this.#run = run;
    this.#stores = stores;
    this.#final = arrays.map(({ array }) => Reflect.get(encoded, array.name) as NamedArray);
    this.#memory = this.#final.map((array) => array.slice().fill(0));
    this.storedAfter = arrays.map(({ elements }) => new Uint32Array(elements.length));
    const scales = new Set(arrays.map(({ array: { quantised } }) => quantised?.scales));
    this.#isQuantised = arrays.map(({ array: { name, quantised } }) => quantised !== undefined || scales.has(name));
  }

  /** The effects of a step that stores; `step`: its number. */
  stored({ stores, elements, silent }: StoredStep, step: number): readonly Effect[] {
    const { array, at, value } = this.#stores;
    const written = stores
      .filter((i) => !this.#isQuantised[array[i]])
      .flatMap((i) => this.#write(array[i], at[i], value[i]));
    const copied = elements.flatMap(([i, index]) => (this.#isQuantised[i] ? this.#copy(i, index) : []));
    for (const [i, index] of [...elements, ...silent]) {
      if (this.storedAfter[i][index] === 0) this.storedAfter[i][index] = step;
    }
    return [...written, ...copied];
  }

  #write(array: number, at: number, value: number): readonly Effect[] {
    const memory = this.#memory[array];
    const { name, type } = this.#run.encoding.arrays[array].array;
    const { first, last } = writeElement(memory, type, at, value);
    return Array.from({ length: last - first + 1 }, (_, i) => {
      return { kind: 'store', array: name, index: first + i, value: memory[first + i] };
    });
  }

  /** Stores the element as it is in the finished array: a quantised code depends on a scale that is computed last. */
  #copy(array: number, at: number): readonly Effect[] {
    const { name, type } = this.#run.encoding.arrays[array].array;
    const [memory, final] = [this.#memory[array], this.#final[array]];
    if (sharesBytes(type)) return this.#write(array, at, readElement(final, type, at));
    memory[at] = final[at];
    return [{ kind: 'store', array: name, index: at, value: memory[at] }];
  }

  /** Stores of elements without a step, such as the scale of an empty row; all others count as stored after `step`. */
  remaining(step: number): readonly Effect[] {
    for (const steps of this.storedAfter) {
      for (let i = 0; i < steps.length; i++) if (steps[i] === 0) steps[i] = step;
    }
    return this.#run.encoding.arrays.flatMap(({ array: { name } }, i) =>
      Array.from(this.#final[i], (value, index): Effect => ({ kind: 'store', array: name, index, value })).filter(
        (_, index) => !Object.is(this.#memory[i][index], this.#final[i][index]),
      ),
    );
  }
}
