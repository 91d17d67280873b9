import type { Elements } from '../element-type.ts';
import { maxElements, type Puts, type Reads, type Stores } from '../messages.ts';
import type { OnStore, Room } from './list.ts';

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

/** What is stored, in its order, with the line that stores it. */
export class StoreRecorder {
  readonly #stores = new Columns((n) => ({
    array: new Uint8Array(n),
    at: new Uint32Array(n),
    value: new Float64Array(n),
    isPadding: new Uint8Array(n),
    line: new Uint32Array(n),
  }));
  readonly #max: number;
  readonly #room: Room;
  readonly #lineOf: () => number;

  /** `lineOf`: of the module, that stores now */
  constructor(max: number, room: Room, lineOf: () => number) {
    this.#max = 4 * max;
    this.#room = room;
    this.#lineOf = lineOf;
  }

  get count(): number {
    return this.#stores.count;
  }

  listenerOf(array: number): OnStore {
    return (at, value, isPadding) => {
      if (this.#stores.count >= this.#max) this.#room.refuse(`encode stored more than ${this.#max} times`);
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

  constructor(max: number, puts: () => number) {
    this.#max = 4 * max;
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
  #left: number;

  constructor(rows: number, cols: number) {
    this.#rows = rows;
    this.#cols = cols;
    this.#left = maxElements(rows, cols);
  }

  get count(): number {
    return this.#cells.count;
  }

  /** A cell and its value; a zero says nothing. */
  put(row: unknown, column: unknown, value: unknown): void {
    if (this.#left-- === 0) {
      throw new RangeError(`decode put more than ${maxElements(this.#rows, this.#cols)} cells`);
    }
    if (value === 0) return;
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
    this.#outside ??= `put(${inWords(row)}, ${inWords(column)}, ${inWords(value)})`;
  }

  taken(): { readonly puts: Puts; readonly outside: string | null } {
    return { puts: this.#cells.taken(), outside: this.#outside };
  }
}

function inWords(value: unknown): string {
  return typeof value === 'number' || value === undefined ? String(value) : `a ${typeof value}`;
}
