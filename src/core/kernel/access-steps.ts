/** A place in a kernel's text that reads or writes an element of an array. */
export interface AccessSite {
  /** path below shaders/, and the line in it, from 1 */
  readonly file: string;
  readonly line: number;
  /** what the array is called there */
  readonly name: string;
  /** storage: a buffer; workgroup: memory that a workgroup shares */
  readonly space: 'storage' | 'workgroup';
  /** what the plan calls the buffer; null for workgroup memory */
  readonly buffer: string | null;
  /** bytes from one element to the next; null for an element of a type that has no such size here */
  readonly elementBytes: number | null;
  readonly writes: boolean;
}

/** What the lanes of one workgroup touched, in the order in which each of them did. */
export interface AccessTrace {
  readonly sites: readonly AccessSite[];
  /** lanes of the workgroup */
  readonly lanes: number;
  /** accesses that are kept of a lane */
  readonly most: number;
  /** how many accesses a lane made, which may be more than are kept; lanes of them */
  readonly counts: Uint32Array;
  /** the site of access i of lane l at l * most + i, and the element that it touched at the same place */
  readonly siteOf: Uint32Array;
  readonly elements: Uint32Array;
}

/** One access of all lanes of a subgroup that are at the same place for the same time: one request to memory. */
export interface AccessStep {
  readonly site: number;
  /** how often the lanes were at the site before */
  readonly turn: number;
  /** the element that each lane of the subgroup touches; -1 for one that is not there */
  readonly elements: readonly number[];
  /**
   * What the request costs: of a buffer the lines of 128 bytes that it touches, of workgroup memory the turns that 32 banks
   * of 4 bytes need; null where the size of an element is not known.
   */
  readonly cost: number | null;
  /** the same if neighbouring lanes touched neighbouring elements */
  readonly least: number | null;
}

const LINE_BYTES = 128;
const BANKS = 32;

/**
 * The steps of one subgroup of `width` lanes, in the order of its first lane that takes them. Lanes that are at one place of
 * the text for the same time are taken to be there together, as a GPU does it. O(lanes of the subgroup * most).
 */
export function accessSteps(trace: AccessTrace, subgroup: number, width: number): readonly AccessStep[] {
  const { sites, lanes, most, counts, siteOf, elements } = trace;
  const first = subgroup * width;
  if (!(Number.isInteger(subgroup) && subgroup >= 0 && first < lanes)) {
    throw new RangeError(`subgroup: found ${subgroup}, expected one of ${Math.ceil(lanes / width)}`);
  }
  const steps = new Map<string, { readonly site: number; readonly turn: number; readonly touched: number[] }>();
  for (let lane = first; lane < Math.min(lanes, first + width); lane++) {
    const turns = sites.map(() => 0);
    for (let i = 0; i < Math.min(counts[lane], most); i++) {
      const site = siteOf[lane * most + i];
      const turn = turns[site]++;
      const key = `${site} ${turn}`;
      const step = steps.get(key) ?? { site, turn, touched: Array.from({ length: width }, () => -1) };
      step.touched[lane - first] = elements[lane * most + i];
      steps.set(key, step);
    }
  }
  return [...steps.values()].map(({ site, turn, touched }) => {
    const there = touched.filter((element) => element >= 0);
    const inOrder = there.map((_, i) => i);
    return { site, turn, elements: touched, cost: costOf(sites[site], there), least: costOf(sites[site], inOrder) };
  });
}

function costOf({ space, elementBytes }: AccessSite, elements: readonly number[]): number | null {
  if (elementBytes === null) return null;
  const unit = space === 'storage' ? LINE_BYTES : 4;
  const touched = new Set<number>();
  for (const element of elements) {
    const start = element * elementBytes;
    for (let at = Math.floor(start / unit); at * unit < start + elementBytes; at++) touched.add(at);
  }
  if (space === 'storage') return touched.size;
  const inBank = Array.from({ length: BANKS }, () => 0);
  for (const word of touched) inBank[word % BANKS]++;
  return inBank.reduce((worst, count) => Math.max(worst, count), 0);
}
