import type { Steps } from '../job.ts';
import { popcount } from '../statistics/half-words.ts';
import { ABSENT, type KernelLoads, type LoadedArray } from './loads.ts';

/** What a GPU fetches at a time. */
export const LINE_BYTES = 128;
/** Banks of workgroup memory, of 4 bytes each: a turn serves one word of every bank. */
export const BANKS = 32;
const WORD_BYTES = 4;
const LINE_SHIFT = 7;

/** What the loads of an array cost. */
export interface ArrayCounts {
  /** loads by cost: lines of 128 bytes or, in workgroup memory, turns of the banks; index 0 stays 0 */
  readonly histogram: Float64Array;
  /** sum of the histogram */
  readonly loads: number;
  /** active lanes, over all loads */
  readonly asked: number;
  /** sum of the costs */
  readonly cost: number;
  /** bytes that lanes asked for; those that several ask for in one load count once */
  readonly usedBytes: number;
}

/** Slots for the lines or words of one load: several times as many as it can touch. */
const SLOT_BITS = 10;
const SLOTS = 2 ** SLOT_BITS;
const HASH = 0x9e3779b1 | 0;

/** A site, prepared for counting. */
interface CostedSite {
  readonly space: LoadedArray['space'];
  /** the last item of the array */
  readonly last: number;
  /** words of 4 bytes in an item, as a number and as bits */
  readonly words: number;
  readonly bits: number;
  /** from an item to its line, and the index of an item in it */
  readonly shift: number;
  readonly within: number;
}

/**
 * Computes the cost of single loads. An item past the end of its array counts as its last, to which WebGPU clamps such
 * a load on most systems.
 */
export class LoadCost {
  readonly #sites: readonly CostedSite[];
  /** which load wrote a slot last, and the line or word that it holds */
  readonly #stamps = new Uint32Array(SLOTS);
  readonly #keys = new Int32Array(SLOTS);
  /** words of the line that are asked for */
  readonly #masks = new Int32Array(SLOTS);
  readonly #used = new Int32Array(SLOTS);
  readonly #inBank = new Int32Array(BANKS);
  #stamp = 0;
  /** of the last load */
  asked = 0;
  usedBytes = 0;

  constructor({ sites, arrays }: Pick<KernelLoads, 'sites' | 'arrays'>) {
    this.#sites = sites.map(({ array, itemBytes }) => {
      const { space, bytes } = arrays[array];
      const words = itemBytes / WORD_BYTES;
      const shift = LINE_SHIFT - Math.log2(itemBytes);
      const last = Math.max(0, Math.ceil(bytes / itemBytes) - 1);
      return { space, last, words, bits: (1 << words) - 1, shift, within: (1 << shift) - 1 };
    });
  }

  /** The item that is loaded for the one that a lane asks for. */
  inside(site: number, item: number): number {
    return Math.min(item >>> 0, this.#sites[site].last);
  }

  /** Lines or turns of one load; also sets `asked` and `usedBytes`. O(lanes). */
  of(site: number, items: Int32Array): number {
    const at = this.#sites[site];
    this.#stamp = (this.#stamp + 1) >>> 0;
    if (this.#stamp === 0) {
      this.#stamps.fill(0);
      this.#stamp = 1;
    }
    return at.space === 'storage' ? this.#lines(at, items) : this.#turns(at, items);
  }

  #slot(key: number): number {
    let slot = Math.imul(key, HASH) >>> (32 - SLOT_BITS);
    while (this.#stamps[slot] === this.#stamp && this.#keys[slot] !== key) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }

  #lines({ last, words, bits, shift, within }: CostedSite, items: Int32Array): number {
    const stamps = this.#stamps;
    const masks = this.#masks;
    const stamp = this.#stamp;
    let asked = 0;
    let lines = 0;
    let line = -1;
    let slot = 0;
    for (let lane = 0; lane < items.length; lane++) {
      const item = items[lane];
      if (item === ABSENT) continue;
      asked++;
      const real = item >= 0 && item <= last ? item : last;
      if (real >> shift !== line) {
        line = real >> shift;
        slot = this.#slot(line);
        if (stamps[slot] !== stamp) {
          stamps[slot] = stamp;
          this.#keys[slot] = line;
          masks[slot] = 0;
          this.#used[lines++] = slot;
        }
      }
      masks[slot] |= bits << ((real & within) * words);
    }
    let usedWords = 0;
    for (let i = 0; i < lines; i++) usedWords += popcount(masks[this.#used[i]]);
    this.asked = asked;
    this.usedBytes = usedWords * WORD_BYTES;
    return lines;
  }

  #turns({ last, words }: CostedSite, items: Int32Array): number {
    this.#inBank.fill(0);
    let asked = 0;
    let used = 0;
    let most = 0;
    for (let lane = 0; lane < items.length; lane++) {
      const item = items[lane];
      if (item === ABSENT) continue;
      asked++;
      const real = item >= 0 && item <= last ? item : last;
      for (let word = real * words; word < (real + 1) * words; word++) {
        const slot = this.#slot(word);
        if (this.#stamps[slot] === this.#stamp) continue;
        this.#stamps[slot] = this.#stamp;
        this.#keys[slot] = word;
        used++;
        most = Math.max(most, ++this.#inBank[word % BANKS]);
      }
    }
    this.asked = asked;
    this.usedBytes = used * WORD_BYTES;
    return most;
  }
}

/** Lane requests between two yields: about 10 ms. */
const ASKED_PER_YIELD = 2 ** 19;

/** What all loads of a kernel cost, by array. Yields about every 10 ms. O(lanes that ask). */
export function* loadCountSteps(model: KernelLoads, what: string): Steps<readonly ArrayCounts[]> {
  const cost = new LoadCost(model);
  const counts = model.arrays.map(() => ({
    histogram: new Float64Array(4 * model.lanes + 1),
    loads: 0,
    asked: 0,
    cost: 0,
    usedBytes: 0,
  }));
  const arrayOf = model.sites.map(({ array }) => counts[array]);
  let left = ASKED_PER_YIELD;
  const take = (site: number, items: Int32Array): void => {
    const found = cost.of(site, items);
    const one = arrayOf[site];
    one.histogram[found]++;
    one.loads++;
    one.asked += cost.asked;
    one.cost += found;
    one.usedBytes += cost.usedBytes;
    left -= items.length;
  };
  const { subgroups } = model;
  for (let s = 0; s < subgroups; s++) {
    model.walk(s, take);
    left--;
    if (left > 0) continue;
    left = ASKED_PER_YIELD;
    yield { what, done: s + 1, total: subgroups };
  }
  return counts;
}

/** The loads of one subgroup, in order, up to the number asked for. */
export interface SubgroupLoads {
  /** how many it makes */
  readonly total: number;
  /** site of each load */
  readonly siteOf: Uint8Array<ArrayBuffer>;
  /** items of load i at i * lanes; ABSENT for an inactive lane, and an item past the end as the last one */
  readonly items: Int32Array<ArrayBuffer>;
  /** the cost of each: lines or turns */
  readonly costs: Uint8Array<ArrayBuffer>;
}

/** The first `most` loads of one subgroup. O(loads * lanes). */
export function subgroupLoads(model: KernelLoads, subgroup: number, most: number): SubgroupLoads {
  const { lanes, subgroups } = model;
  if (!(Number.isInteger(subgroup) && subgroup >= 0 && subgroup < subgroups)) {
    throw new RangeError(`subgroup: found ${subgroup}, expected a whole number below ${subgroups}`);
  }
  let total = 0;
  model.walk(subgroup, () => void total++);
  const kept = Math.min(total, most);
  const cost = new LoadCost(model);
  const siteOf = new Uint8Array(kept);
  const costs = new Uint8Array(kept);
  const all = new Int32Array(kept * lanes);
  let at = 0;
  model.walk(subgroup, (site, items) => {
    if (at === kept) return;
    siteOf[at] = site;
    for (let lane = 0; lane < lanes; lane++) {
      all[at * lanes + lane] = items[lane] === ABSENT ? ABSENT : cost.inside(site, items[lane]);
    }
    costs[at++] = cost.of(site, items);
  });
  return { total, siteOf, items: all, costs };
}
