import type { Elements } from './element-type.ts';
import type { Puts, Reads, Stores } from './record.ts';

/** Called with each number that an encoder stores. */
export type OnStore = (at: number, value: number, isPadding: boolean) => void;

/** Columns of numbers that grow together. */
class Columns<C extends Readonly<Record<string, Uint8Array | Uint32Array | Float32Array | Float64Array>>> {
  columns: C;
  count = 0;
  readonly #make: (length: number) => C;
  #capacity = 256;

  constructor(make: (length: number) => C) {
    this.#make = make;
    this.columns = make(this.#capacity);
  }

  /** Makes room for one more row and returns its position. */
  next(): number {
    if (this.count === this.#capacity) {
      this.#capacity *= 2;
      const grown = this.#make(this.#capacity);
      for (const [name, column] of Object.entries(this.columns)) grown[name].set(column);
      this.columns = grown;
    }
    return this.count++;
  }

  taken(): C {
    if (this.count === this.#capacity) return this.columns;
    const made = this.#make(this.count);
    for (const [name, column] of Object.entries(this.columns)) made[name].set(column.subarray(0, this.count));
    return made;
  }
}

const NO_LIMIT = { max: Number.POSITIVE_INFINITY, onFull: (): void => {} };

/** Stores in their order, each with its line of code. */
export class StoreRecorder {
  readonly #stores = new Columns((n) => ({
    array: new Uint8Array(n),
    at: new Uint32Array(n),
    value: new Float64Array(n),
    isPadding: new Uint8Array(n),
    line: new Uint32Array(n),
  }));
  readonly #lineOf: () => number;
  readonly #onFull: (max: number) => void;
  readonly #max: number;

  /** `lineOf`: of the text, that stores now; `onFull`: throws, when there is a store after `max` of them */
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

  taken(): Stores {
    return this.#stores.taken();
  }
}

/** Which elements are read before each cell. */
export class ReadRecorder {
  readonly #reads = new Columns((n) => ({
    array: new Uint8Array(n),
    at: new Uint32Array(n),
    before: new Uint32Array(n),
  }));
  readonly #max: number;
  readonly #puts: () => number;

  /** `max`: of reads; later ones are not recorded */
  constructor(puts: () => number, max = Number.POSITIVE_INFINITY) {
    this.#max = max;
    this.#puts = puts;
  }

  /** The elements, which tell when one of them is read. */
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

  taken(): Reads {
    return this.#reads.taken();
  }
}

/** The cells that decode puts. */
export class PutRecorder {
  readonly #rows: number;
  readonly #cols: number;
  readonly #cells = new Columns((n) => ({
    rows: new Uint32Array(n),
    columns: new Uint32Array(n),
    values: new Float32Array(n),
  }));
  #outside: string | null = null;
  #calls = 0;
  readonly #max: number;

  readonly #keepsZeros: boolean;

  /** `max`: of cells; another one throws RangeError. `keepsZeros`: a zero is recorded as well */
  constructor(rows: number, cols: number, max = Number.POSITIVE_INFINITY, keepsZeros = false) {
    this.#max = max;
    this.#keepsZeros = keepsZeros;
    this.#rows = rows;
    this.#cols = cols;
  }

  get count(): number {
    return this.#cells.count;
  }

  /** A cell and its value; a zero says nothing. */
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

  taken(): { readonly puts: Puts; readonly outside: string | null } {
    return { puts: this.#cells.taken(), outside: this.#outside };
  }
}

function argumentText(value: unknown): string {
  return typeof value === 'number' || value === undefined ? String(value) : `a ${typeof value}`;
}
