/** An array that a kernel reads: a buffer of its plan, or memory that a workgroup shares. */
export interface LoadedArray {
  /** a buffer as the plan calls it; for workgroup memory what it holds, such as 'x' */
  readonly name: string;
  /** copy: x, where it is copied into workgroup memory; x: where it is multiplied with */
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
  /** what a lane gets: 4, 8 or 16; an item lies at item * itemBytes */
  readonly itemBytes: number;
  /** what the shader's text counts the array in, a multiple of itemBytes: 16 where it takes a word of a vec4 */
  readonly elementBytes: number;
}

/** In the place of an item, a lane that takes no part. Items are u32, as Int32Array holds their bits. */
export const ABSENT = -(2 ** 31);

/**
 * Takes one load of a subgroup: the site, and for each lane its item or ABSENT. The items are the model's own array, and
 * change with the next load.
 */
export type TakeLoad = (site: number, items: Int32Array) => void;

/**
 * What the lanes of a kernel load, without a GPU: every address follows from the arrays of the encoded matrix. It stands
 * beside the kernel that it is a model of, in loads.ts of the format, and `src/places/kernels/service/kernel-loads.gpu.test.ts` holds both
 * together: a copy of the kernel that writes its addresses down writes the same ones.
 *
 * Lanes are taken to be together in a statement wherever all of them reach it, as a GPU does it; where a branch parts
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
  /** Every load of one subgroup, in order. Allocates nothing for each of them. */
  walk(subgroup: number, take: TakeLoad): void;
}

/** What a model has to know of a device: part of DeviceFacts. */
export interface LoadsDevice {
  readonly subgroupMaxSize: number;
  readonly limits: Readonly<Record<string, number>>;
}

/** The model of a kernel on an encoded matrix, for a device on which it is planned with the choices that it starts with. */
export type LoadsModel<E> = (e: E, device: LoadsDevice) => KernelLoads;

/** What models write their loads with: the items of all lanes, which every load shares. */
export class LaneItems {
  readonly items: Int32Array;
  take: TakeLoad = () => {};

  constructor(lanes: number) {
    this.items = new Int32Array(lanes);
  }

  /** All lanes ask for the same item. */
  same(site: number, item: number): void {
    this.items.fill(item);
    this.take(site, this.items);
  }

  /** Lane 0 alone asks. */
  first(site: number, item: number): void {
    this.items.fill(ABSENT);
    this.items[0] = item;
    this.take(site, this.items);
  }

  /** What was written into `items`; nothing where all lanes are absent. */
  load(site: number): void {
    const { items } = this;
    for (let lane = 0; lane < items.length; lane++) {
      if (items[lane] !== ABSENT) return this.take(site, items);
    }
  }
}

/** How a group of eight numbers of so many bytes is loaded: in items of at most 16 bytes. */
export function eightOf(bytes: number): { readonly itemBytes: number; readonly perGroup: number } {
  return { itemBytes: Math.min(16, 8 * bytes), perGroup: Math.max(1, bytes / 2) };
}

/** Bytes of a buffer, which ends on 16 of them. */
export function paddedBytes({ byteLength }: { readonly byteLength: number }): number {
  return Math.max(16, Math.ceil(byteLength / 16) * 16);
}

/** Where every subgroup has as many neighbouring rows: the first ones, in their order. */
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
