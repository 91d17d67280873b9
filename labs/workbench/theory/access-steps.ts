// The recorded memory accesses of a kernel, as loads of subgroups with the lines that they need.

/** A position in a kernel's WGSL that reads or writes an element of an array. */
export interface AccessSite {
  /** path below shaders/, and the line in it, from 1 */
  readonly file: string;
  readonly line: number;
  /** the array's name in the text */
  readonly name: string;
  /** storage: a buffer; workgroup: memory that a workgroup shares */
  readonly space: 'storage' | 'workgroup';
  /** name of the bound buffer; null for workgroup memory */
  readonly buffer: string | null;
  /** bytes from one element to the next; null for an element type without a fixed size */
  readonly elementBytes: number | null;
  readonly writes: boolean;
}

/** The accesses of one workgroup's lanes, in the order of each lane. */
export interface AccessTrace {
  readonly sites: readonly AccessSite[];
  /** lanes of the workgroup */
  readonly lanes: number;
  /** maximum number of recorded accesses per lane */
  readonly max: number;
  /** number of accesses by lane, including unrecorded ones */
  readonly counts: Uint32Array;
  /** access i of lane l at l * max + i: its site, and the element that it touched */
  readonly siteOf: Uint32Array;
  readonly elements: Uint32Array;
}

/** One memory request of a subgroup: all of its lanes that reach the same site for the n-th time. */
export interface AccessStep {
  readonly site: number;
  /** the element that each lane of the subgroup touches; -1 for an inactive lane */
  readonly elements: readonly number[];
  /**
   * In a buffer, the lines of 128 bytes that it touches; in workgroup memory, the most words that it touches in one
   * bank, more than 1 in a bank conflict; null if the size of an element is unknown.
   */
  readonly transactions: number | null;
}

/** Bytes that a GPU fetches at a time. */
export const LINE_BYTES = 128;
/** Banks of workgroup memory, 4 bytes wide: a transaction serves one word of every bank. */
export const BANKS = 32;

/**
 * The steps of one subgroup of `width` lanes, in the order of the first active lane. Lanes are assumed to reach a site
 * for the n-th time together, as on a GPU. O(lanes of the subgroup * max).
 */
export function accessSteps(trace: AccessTrace, subgroup: number, width: number): readonly AccessStep[] {
  const { sites, lanes, max, counts, siteOf, elements } = trace;
  const first = subgroup * width;
  if (!(Number.isInteger(subgroup) && subgroup >= 0 && first < lanes)) {
    throw new RangeError(`subgroup: found ${subgroup}, expected one of ${Math.ceil(lanes / width)}`);
  }
  const steps = new Map<string, { readonly site: number; readonly touched: number[] }>();
  for (let lane = first; lane < Math.min(lanes, first + width); lane++) {
    const timesSeen = sites.map(() => 0);
    for (let i = 0; i < Math.min(counts[lane], max); i++) {
      const site = siteOf[lane * max + i];
      const visit = timesSeen[site]++;
      const key = `${site} ${visit}`;
      const step = steps.get(key) ?? { site, touched: Array.from({ length: width }, () => -1) };
      step.touched[lane - first] = elements[lane * max + i];
      steps.set(key, step);
    }
  }
  return [...steps.values()].map(({ site, touched }) => {
    const active = touched.filter((element) => element >= 0);
    return { site, elements: touched, transactions: transactionsOf(sites[site], active) };
  });
}

function transactionsOf({ space, elementBytes }: AccessSite, elements: readonly number[]): number | null {
  if (elementBytes === null) return null;
  const unit = space === 'storage' ? LINE_BYTES : 4;
  const touched = new Set<number>();
  for (const element of elements) {
    const start = element * elementBytes;
    for (let block = Math.floor(start / unit); block * unit < start + elementBytes; block++) touched.add(block);
  }
  if (space === 'storage') return touched.size;
  const wordsInBank = Array.from({ length: BANKS }, () => 0);
  for (const word of touched) wordsInBank[word % BANKS]++;
  return wordsInBank.reduce((worst, count) => Math.max(worst, count), 0);
}

/** The loads of one workgroup's lanes from one array, in requests of its subgroups. */
export interface ArrayLoads extends Pick<AccessSite, 'name' | 'space' | 'elementBytes'> {
  /** requests to memory */
  readonly loads: number;
  /** active lanes, over all requests */
  readonly requestedLanes: number;
  /** over all requests; null if the size of an element is unknown */
  readonly transactions: number | null;
  /** bytes requested, counted once if several lanes of a request need the same; null like `transactions` */
  readonly usedBytes: number | null;
}

/** The number of subgroups of `width` lanes, up to the last one that touches an element. */
export function activeSubgroups({ counts }: Pick<AccessTrace, 'counts'>, width: number): number {
  return Math.ceil((counts.findLastIndex((count) => count > 0) + 1) / width);
}

/** The loads of all subgroups of a trace, by array, in the order of the first load. O(accesses). */
export function arrayLoads(trace: AccessTrace, width: number): readonly ArrayLoads[] {
  const arrays = new Map<string, ArrayLoads>();
  const subgroups = activeSubgroups(trace, width);
  for (let subgroup = 0; subgroup < subgroups; subgroup++) {
    for (const { site, elements, transactions } of accessSteps(trace, subgroup, width)) {
      const { name, space, elementBytes, writes } = trace.sites[site];
      if (writes) continue;
      const sums = arrays.get(name);
      const touched = elements.filter((element) => element >= 0);
      const plus = (sum: number | null | undefined, more: number | null): number | null =>
        more === null ? null : (sum ?? 0) + more;
      arrays.set(name, {
        name,
        space,
        elementBytes,
        loads: (sums?.loads ?? 0) + 1,
        requestedLanes: (sums?.requestedLanes ?? 0) + touched.length,
        transactions: plus(sums?.transactions, transactions),
        usedBytes: plus(sums?.usedBytes, elementBytes && elementBytes * new Set(touched).size),
      });
    }
  }
  return [...arrays.values()];
}
