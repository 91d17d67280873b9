import type { Elements } from './element-type.ts';
import type { DecodedCells, Reads, Stores } from './record.ts';

/** Called with each number that an encoder stores, and its index in the array. */
export type OnStore = (at: number, value: number, isPadding: boolean) => void;

/** A table of numbers: one array for each column, which grow together. */
class Table<C extends Readonly<Record<string, Uint8Array | Uint32Array | Float32Array | Float64Array>>> {
  columns: C;
  count = 0;
  readonly #make: (length: number) => C;
  #capacity = 256;

  constructor(make: (length: number) => C) {
    this.#make = make;
    this.columns = make(this.#capacity);
  }

  /** Adds a row and returns its index. */
  next(): number {
    if (this.count === this.#capacity) {
      this.#capacity *= 2;
      const grown = this.#make(this.#capacity);
      for (const [name, column] of Object.entries(this.columns)) grown[name].set(column);
      this.columns = grown;
    }
    return this.count++;
  }

  /** The columns, shortened to `count` rows. */
  trimmed(): C {
    if (this.count === this.#capacity) return this.columns;
    const trimmed = this.#make(this.count);
    for (const [name, column] of Object.entries(this.columns)) trimmed[name].set(column.subarray(0, this.count));
    return trimmed;
  }
}

const NO_LIMIT = { max: Number.POSITIVE_INFINITY, onFull: (): void => {} };

/** Records all numbers that `encode` stores, each with its line of code. */
export class StoreRecorder {
  readonly #stores = new Table((n) => ({
    array: new Uint8Array(n),
    at: new Uint32Array(n),
    value: new Float64Array(n),
    isPadding: new Uint8Array(n),
    line: new Uint32Array(n),
  }));
  readonly #lineOf: () => number;
  readonly #onFull: (max: number) => void;
  readonly #max: number;

  /** `lineOf`: the line of code that stores now; `onFull`: called for a store after `max`, and throws */
  constructor(
    lineOf: () => number = () => 0,
    { max, onFull }: { readonly max: number; readonly onFull: (max: number) => void } = NO_LIMIT,
  ) {
    this.#lineOf = lineOf;
    this.#max = max;
    this.#onFull = onFull;
  }

  get count(): number {
    return this.#stores.count;
  }

  /** A function for the builder of array number `array` to call with each store. */
  listenerOf(array: number): OnStore {
    return (at, value, isPadding) => {
      if (this.#stores.count >= this.#max) this.#onFull(this.#max);
      const i = this.#stores.next();
      const { columns } = this.#stores;
      columns.array[i] = array;
      columns.at[i] = at;
      columns.value[i] = value;
      columns.isPadding[i] = isPadding ? 1 : 0;
      columns.line[i] = this.#lineOf();
    };
  }

  result(): Stores {
    return this.#stores.trimmed();
  }
}

/** Records which elements `decode` reads before each cell. */
export class ReadRecorder {
  readonly #reads = new Table((n) => ({
    array: new Uint8Array(n),
    at: new Uint32Array(n),
    before: new Uint32Array(n),
  }));
  readonly #max: number;
  readonly #puts: () => number;

  /** `puts`: how many cells have been put so far; reads after `max` are not recorded */
  constructor(puts: () => number, max = Number.POSITIVE_INFINITY) {
    this.#max = max;
    this.#puts = puts;
  }

  /** A proxy of `elements` that records their reads, as reads of array number `array`. */
  watched(elements: Elements, array: number): Elements {
    const onRead = (at: number): void => {
      if (this.#reads.count >= this.#max) return;
      const i = this.#reads.next();
      const { columns } = this.#reads;
      columns.array[i] = array;
      columns.at[i] = at;
      columns.before[i] = this.#puts();
    };
    return new Proxy(elements, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) {
          if (Number(key) < target.length) onRead(Number(key));
          return target[Number(key)];
        }
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  result(): Reads {
    return this.#reads.trimmed();
  }
}

/** Records the cells that `decode` puts, and the first call of `put` that names no cell of the matrix. */
export class PutRecorder {
  readonly #rows: number;
  readonly #cols: number;
  readonly #cells = new Table((n) => ({
    rows: new Uint32Array(n),
    columns: new Uint32Array(n),
    values: new Float32Array(n),
  }));
  #outside: string | null = null;
  #calls = 0;
  readonly #max: number;
  readonly #keepsZeros: boolean;

  /** A call of `put` after `max` throws RangeError. `keepsZeros`: zeros are recorded as well */
  constructor(rows: number, cols: number, max = Number.POSITIVE_INFINITY, keepsZeros = false) {
    this.#max = max;
    this.#keepsZeros = keepsZeros;
    this.#rows = rows;
    this.#cols = cols;
  }

  get count(): number {
    return this.#cells.count;
  }

  /** Records a cell and its value. */
  put(row: unknown, column: unknown, value: unknown): void {
    if (this.#calls++ === this.#max) throw new RangeError(`decode put more than ${this.#max} cells`);
    if (value === 0 && !this.#keepsZeros) return;
    if (
      typeof row === 'number' &&
      typeof column === 'number' &&
      typeof value === 'number' &&
      row >= 0 &&
      row < this.#rows &&
      column >= 0 &&
      column < this.#cols &&
      row === row >>> 0 &&
      column === column >>> 0
    ) {
      const i = this.#cells.next();
      const { columns } = this.#cells;
      columns.rows[i] = row;
      columns.columns[i] = column;
      columns.values[i] = value;
      return;
    }
    this.#outside ??= `put(${argumentText(row)}, ${argumentText(column)}, ${argumentText(value)})`;
  }

  result(): { readonly puts: DecodedCells; readonly outside: string | null } {
    return { puts: this.#cells.trimmed(), outside: this.#outside };
  }
}

function argumentText(value: unknown): string {
  return typeof value === 'number' || value === undefined ? String(value) : `a ${typeof value}`;
}
