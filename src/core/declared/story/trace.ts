import type { EncodedMatrix, NamedArray } from '../../encoded/encoded.ts';
import type { Cell, CsrMatrix, Matrix } from '../../matrix/index.ts';
import { type Effect, type Trace, TraceBuilder, traceVector } from '../../story/trace.ts';
import { writeElement } from '../element-type.ts';
import type { NarratedStep, Run, Stores } from '../record.ts';
import { ownersOf, type Owners } from './owners.ts';

/** What a step shows. `from` and `to`: the stores [from, to) of the recording. */
export type DeclaredStep =
  /** what was stored since the last call of `tell`, and what that said */
  | {
      readonly kind: 'told';
      readonly narrated: NarratedStep;
      readonly cell: Cell | null;
      readonly from: number;
      readonly to: number;
    }
  /** stores of a cell that nothing is told about */
  | { readonly kind: 'stored'; readonly cell: Cell | null; readonly from: number; readonly to: number }
  | { readonly kind: 'encoded' }
  /** decode puts a cell, which meets its x; `sum` is the row's sum afterwards */
  | { readonly kind: 'product'; readonly put: number; readonly sum: number }
  | { readonly kind: 'multiplied' };

export interface DeclaredTrace<E extends EncodedMatrix = EncodedMatrix> extends Trace<DeclaredStep> {
  readonly window: CsrMatrix;
  readonly encoded: E;
  /** the window that was asked for, where it is refused and another one, or with other parameters, is told of */
  readonly refused?: Matrix;
  readonly run: Run;
  readonly stores: Stores;
  readonly owners: Owners;
  /** by array and element: the number of the step after which it is stored */
  readonly storedAfter: readonly Uint32Array[];
  /** the product, in f64 */
  readonly y: Float64Array;
}

const NO_STORES: Stores = {
  array: new Uint8Array(0),
  at: new Uint32Array(0),
  value: new Float64Array(0),
  isPadding: new Uint8Array(0),
  line: new Uint32Array(0),
};

/** The story of a recorded run: its stores by what is told or, where nothing is, by the cell that reads them back. */
export function declaredTrace<E extends EncodedMatrix>(
  format: string,
  window: CsrMatrix,
  encoded: E,
  run: Run,
): DeclaredTrace<E> {
  const { encoding, decoding } = run;
  const stores = encoding.stores ?? NO_STORES;
  const owners = ownersOf(run);
  const builder = new TraceBuilder<DeclaredStep>();
  const visits = new Visits(window);
  const writer = new Writer(run, encoded);

  builder.chapter('encode', 'Encode');
  const tells = encoding.tells ?? [];
  let from = 0;
  const step = (detail: DeclaredStep & { readonly from: number; readonly to: number }, cell: Cell | null): void => {
    const visit = cell === null ? [] : visits.of(cell);
    builder.step(detail, [...visit, ...writer.stored(stores, detail.from, detail.to, builder.steps.length + 1)]);
  };
  for (const narrated of tells) {
    const cell =
      narrated.column !== null && narrated.rows.length === 1 ? { row: narrated.rows[0], col: narrated.column } : null;
    const isInside = cell !== null && visits.has(cell);
    step({ kind: 'told', narrated, cell: isInside ? cell : null, from, to: narrated.stores }, isInside ? cell : null);
    from = narrated.stores;
  }
  // Without a word of the author, and after the last one.
  for (let to = from; from < stores.at.length; from = to) {
    const owner = owners.of(stores.array[from], stores.at[from]);
    do to++;
    while (to < stores.at.length && owners.of(stores.array[to], stores.at[to]) === owner);
    const cell = owner < 0 ? null : { row: decoding.puts.rows[owner], col: decoding.puts.columns[owner] };
    step({ kind: 'stored', cell, from, to }, cell);
  }
  builder.step({ kind: 'encoded' }, [...visits.left(), ...writer.left(builder.steps.length + 1)]);

  builder.chapter('multiply', 'Multiply');
  const x = traceVector(window.cols);
  const y = new Float64Array(window.rows);
  const { rows, columns, values } = decoding.puts;
  for (let put = 0; put < rows.length; put++) {
    const row = rows[put];
    const value = values[put] * x[columns[put]];
    y[row] += value;
    builder.step({ kind: 'product', put, sum: y[row] }, [{ kind: 'accumulate', row, value }]);
  }
  builder.step({ kind: 'multiplied' });
  const { chapters, steps } = builder;
  const { storedAfter } = writer;
  const { params } = run;
  return { format, window, params, encoded, x, y, chapters, steps, run, stores, owners, storedAfter };
}

/** The step after which an element is stored: the number of its step, from 1. O(arrays). */
export function stepStoring<E extends EncodedMatrix>(
  { run, storedAfter }: DeclaredTrace<E>,
  array: string,
  at: number,
): number {
  return storedAfter[run.encoding.arrays.findIndex((one) => one.array.name === array)][at];
}

/** The arrays in which a step stores something, by their names. O(stores of the step). */
export function storedArrays(
  { run, stores }: Pick<DeclaredTrace, 'run' | 'stores'>,
  step: DeclaredStep,
): readonly string[] {
  if (step.kind !== 'told' && step.kind !== 'stored') return [];
  const found = new Set(stores.array.subarray(step.from, step.to));
  return run.encoding.arrays.flatMap(({ array: { name } }, i) => (found.has(i) ? [name] : []));
}

/** The step after which everything is stored. */
export const stepEncoded = ({ chapters }: Pick<DeclaredTrace, 'chapters'>): number => chapters[0].stepCount;

/** The step after which a cell is multiplied; 0 where decode puts none there. O(puts). */
export function stepPutting(
  { run, chapters }: Pick<DeclaredTrace, 'run' | 'chapters'>,
  row: number,
  column: number,
): number {
  const { rows, columns } = run.decoding.puts;
  const put = rows.findIndex((r, i) => r === row && columns[i] === column);
  return put < 0 ? 0 : chapters[0].stepCount + put + 1;
}

/** The non-zeros of a window, each visited once. */
class Visits {
  readonly #window: CsrMatrix;
  readonly #left: Set<number>;
  readonly #all: ReadonlySet<number>;

  constructor(window: CsrMatrix) {
    this.#window = window;
    const cells: number[] = [];
    for (let r = 0; r < window.rows; r++) {
      for (let i = window.indptr[r]; i < window.indptr[r + 1]; i++) cells.push(r * window.cols + window.indices[i]);
    }
    this.#all = new Set(cells);
    this.#left = new Set(cells);
  }

  has({ row, col }: Cell): boolean {
    return col < this.#window.cols && this.#all.has(row * this.#window.cols + col);
  }

  of({ row, col }: Cell): readonly Effect[] {
    return this.#left.delete(row * this.#window.cols + col) ? [{ kind: 'visit', row, col }] : [];
  }

  /** Those that nothing was told about, such as values that round to 0. */
  left(): readonly Effect[] {
    const { cols } = this.#window;
    return [...this.#left].map((cell) => ({ kind: 'visit', row: Math.floor(cell / cols), col: cell % cols }));
  }
}

/** Stores as they change the arrays' memory. */
class Writer {
  readonly storedAfter: readonly Uint32Array[];
  readonly #run: Run;
  readonly #final: readonly NamedArray[];
  readonly #memory: readonly NamedArray[];

  constructor(run: Run, encoded: EncodedMatrix) {
    this.#run = run;
    this.#final = run.encoding.arrays.map(({ array }) => Reflect.get(encoded, array.name) as NamedArray);
    this.#memory = this.#final.map((array) => array.slice().fill(0));
    this.storedAfter = run.encoding.arrays.map(({ elements }) => new Uint32Array(elements.length));
  }

  stored({ array, at, value }: Stores, from: number, to: number, step: number): readonly Effect[] {
    const effects: Effect[] = [];
    for (let i = from; i < to; i++) {
      const { array: own } = this.#run.encoding.arrays[array[i]];
      const memory = this.#memory[array[i]];
      // A code follows from a scale, and a code of a few bits from those beside it: both are left to the end.
      if (!own.isQuantised) {
        const { first, last } = writeElement(memory, own.type, at[i], value[i]);
        for (let index = first; index <= last; index++) {
          effects.push({ kind: 'store', array: own.name, index, value: memory[index] });
        }
      }
      if (this.storedAfter[array[i]][at[i]] === 0) this.storedAfter[array[i]][at[i]] = step;
    }
    return effects;
  }

  /** What nothing was told of: scales and codes of them. Zeros that were never set are there from `step` on. */
  left(step: number): readonly Effect[] {
    for (const after of this.storedAfter) after.forEach((at, i) => (after[i] = at === 0 ? step : at));
    return this.#run.encoding.arrays.flatMap(({ array: { name } }, i) =>
      Array.from(this.#final[i], (value, index): Effect => ({ kind: 'store', array: name, index, value })).filter(
        ({ kind }, index) => kind === 'store' && !Object.is(this.#memory[i][index], this.#final[i][index]),
      ),
    );
  }
}
