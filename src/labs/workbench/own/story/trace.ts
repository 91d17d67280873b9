import type { NamedArray } from '../../../../core/encoded/encoded.ts';
import { type Cell, CsrMatrix, type Matrix, toCsr } from '../../../../core/matrix/index.ts';
import { finish } from '../../../../core/job.ts';
import { sealSteps } from '../../../../core/encoded/checksum.ts';
import { type Effect, type Trace, TraceBuilder, traceVector } from '../../../../core/story/trace.ts';
import type { Run } from '../asking.ts';
import { memoryOf, writeElement } from '../element-type.ts';
import { keyOf, type OwnEncoded, stored } from '../encoded.ts';
import type { Stores, NarratedStep } from '../messages.ts';
import { ownersOf, type Owners } from './owners.ts';

/** What a step shows. `from` and `to`: the stores [from, to) of the recording. */
export type OwnStep =
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

export interface OwnTrace extends Trace<OwnStep> {
  readonly window: CsrMatrix;
  readonly encoded: OwnEncoded;
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
export function ownTrace(format: string, m: Matrix, run: Run): OwnTrace {
  const window = new CsrMatrix(toCsr(m));
  const { encoding, decoding } = run;
  const stores = encoding.stores ?? NO_STORES;
  const encoded = finish(sealSteps(stored(run, window), window.rows));
  const owners = ownersOf(run);
  const builder = new TraceBuilder<OwnStep>();
  const visits = new Visits(window);
  const writer = new Writer(run);

  builder.chapter('encode', 'Encode');
  const tells = encoding.tells ?? [];
  let from = 0;
  const step = (detail: OwnStep & { readonly from: number; readonly to: number }, cell: Cell | null): void => {
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
  builder.step({ kind: 'encoded' }, visits.left());

  builder.chapter('multiply', 'Multiply');
  const x = traceVector(m.cols);
  const y = new Float64Array(m.rows);
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
  const { params } = run.chosen;
  return { format, window, params, encoded, x, y, chapters, steps, run, stores, owners, storedAfter };
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
  readonly #memory: readonly NamedArray[];

  constructor(run: Run) {
    this.#run = run;
    this.#memory = run.encoding.arrays.map(({ array, elements }) => memoryOf(array.type, elements.length));
    this.storedAfter = run.encoding.arrays.map(({ elements }) => new Uint32Array(elements.length));
  }

  stored({ array, at, value }: Stores, from: number, to: number, step: number): readonly Effect[] {
    const effects: Effect[] = [];
    for (let i = from; i < to; i++) {
      const { array: own } = this.#run.encoding.arrays[array[i]];
      const memory = this.#memory[array[i]];
      const { first, last } = writeElement(memory, own.type, at[i], value[i]);
      for (let index = first; index <= last; index++) {
        effects.push({ kind: 'store', array: keyOf(own.name), index, value: memory[index] });
      }
      if (this.storedAfter[array[i]][at[i]] === 0) this.storedAfter[array[i]][at[i]] = step;
    }
    return effects;
  }
}
