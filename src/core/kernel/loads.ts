/** An array that a kernel reads: a buffer of its plan, or memory that a workgroup shares. */
export interface LoadedArray {
  /** the plan's name of a buffer; the contents of workgroup memory, such as 'x' */
  readonly name: string;
  /** copy: x, read to be copied into workgroup memory; x: read to be multiplied */
  readonly of: 'values' | 'indices' | 'metadata' | 'x' | 'copy';
  readonly space: 'storage' | 'workgroup';
  readonly bytes: number;
  /** of x: columns that a word of 4 bytes holds; default: 1 */
  readonly columnsPerWord?: number;
}

/** A way to load from an array: how much a lane asks for at a time. */
export interface LoadSite {
  /** which of the arrays, from 0 */
  readonly array: number;
  /** bytes per lane: 4, 8 or 16; the offset of an item is item * itemBytes */
  readonly itemBytes: number;
  /** the unit of the array's index in the shader, a multiple of itemBytes: 16 if it reads a word of a vec4 */
  readonly elementBytes: number;
}

/** Replaces an item for an inactive lane. Items are u32, as Int32Array holds their bits. */
export const ABSENT = -(2 ** 31);

/**
 * Receives one load of a subgroup: the site, and for each lane its item or ABSENT. The model reuses the array of items
 * for the next load.
 */
export type OnLoad = (site: number, items: Int32Array) => void;

/**
 * What the lanes of a kernel load, computed without a GPU: every address follows from the arrays of the encoded matrix.
 * The model is in loads.ts of the format, next to its kernel, and `src/places/code/service/kernel-loads.gpu.test.ts`
 * compares both: a copy of the kernel that records its addresses must record the same ones.
 *
 * Lanes are assumed to be together in a statement wherever all of them reach it, as on a GPU; where a branch splits
 * them, those that do not take it are absent.
 */
export interface KernelLoads {
  readonly arrays: readonly LoadedArray[];
  readonly sites: readonly LoadSite[];
  /** lanes of a subgroup */
  readonly lanes: number;
  /** of the whole dispatch, in the order of workgroups; those without work load nothing */
  readonly subgroups: number;
  readonly subgroupsPerWorkgroup: number;
  /** The rows that a subgroup works on. */
  rowsOf(subgroup: number): ArrayLike<number>;
  /** The first subgroup that works on a row. */
  subgroupOf(row: number): number;
  /** Every load of one subgroup, in order. Does not allocate per load. */
  walk(subgroup: number, take: OnLoad): void;
}

/** What a model needs to know of a device: part of DeviceFacts. */
interface LoadsDevice {
  readonly subgroupMaxSize: number;
  readonly limits: Readonly<Record<string, number>>;
}

/** The model of a kernel on an encoded matrix, for a device on which it is planned with the start of every choice. */
export type LoadsModel<E> = (e: E, device: LoadsDevice) => KernelLoads;

/** Helper with which models emit their loads: the items of all lanes, reused for every load. */
export class LaneItems {
  readonly items: Int32Array;
  take: OnLoad = () => {};

  constructor(lanes: number) {
    this.items = new Int32Array(lanes);
  }

  /** All lanes ask for the same item. */
  same(site: number, item: number): void {
    this.items.fill(item);
    this.take(site, this.items);
  }

  /** Only lane 0 asks. */
  first(site: number, item: number): void {
    this.items.fill(ABSENT);
    this.items[0] = item;
    this.take(site, this.items);
  }

  /** Emits what was written into `items`; nothing if all lanes are absent. */
  load(site: number): void {
    const { items } = this;
    for (let lane = 0; lane < items.length; lane++) {
      if (items[lane] !== ABSENT) return this.take(site, items);
    }
  }
}

/** How a group of eight numbers of `bytes` bytes each is loaded: in items of at most 16 bytes. */
export function eightOf(bytes: number): { readonly itemBytes: number; readonly perGroup: number } {
  return { itemBytes: Math.min(16, 8 * bytes), perGroup: Math.max(1, bytes / 2) };
}

/** Bytes of a buffer, rounded up to 16. */
export function paddedBytes({ byteLength }: { readonly byteLength: number }): number {
  return Math.max(16, Math.ceil(byteLength / 16) * 16);
}

/** For subgroups with equally many neighbouring rows: the first ones, in their order. */
export function neighbouringRows(
  rows: number,
  perSubgroup: number,
): Pick<KernelLoads, 'subgroups' | 'rowsOf' | 'subgroupOf'> {
  return {
    subgroups: Math.ceil(rows / perSubgroup),
    rowsOf: (subgroup) =>
      Array.from(
        { length: Math.min(perSubgroup, rows - subgroup * perSubgroup) },
        (_, i) => subgroup * perSubgroup + i,
      ),
    subgroupOf: (row) => Math.floor(row / perSubgroup),
  };
}
