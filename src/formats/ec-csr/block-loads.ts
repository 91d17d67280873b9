import { ABSENT, type LaneItems } from '../../core/kernel/loads.ts';
import { baseBits, columnPosition, type EcCsrEncoded, isWhole, type SetInfo } from './layout.ts';

/** Indices of the sites that load. Values are loaded in items of three sizes. */
export const SITES = {
  values16: 0,
  values8: 1,
  values4: 2,
  deltas: 3,
  bases: 4,
  blockPtr: 5,
  places: 6,
  x: 7,
} as const;

/** Columns of a segment that a lane processes at a time. */
const VECTOR = 4;

/**
 * The loads of the lanes of a subgroup for their blocks: lane_sum_1, lane_sums_2, lane_sums_4 and lane_sums_8 of the
 * shaders. `blockOf` gives the block of each lane before `walk` is called.
 */
export class BlockLoads {
  readonly blockOf: Int32Array;
  readonly #e: EcCsrEncoded;
  readonly #at: LaneItems;
  readonly #lanesPerBlock: number;
  readonly #isHalf: boolean;
  readonly #perBase: number;
  /** whether blocks of eight rows are whole segments, in all sets of such blocks */
  readonly #whole8: boolean;
  /** per lane: its lane of the layout, start and columns of its block, and its current matrix column */
  readonly #lane: Int32Array;
  readonly #start: Int32Array;
  readonly #columns: Int32Array;
  readonly #column: Int32Array;
  /** likewise for the lanes of the layout whose columns lane i of a block of eight rows multiplies */
  readonly #columnsOf8: readonly Int32Array[];
  readonly #takes: Uint8Array;
  /** the loop index of each lane */
  readonly #place: Float64Array;
  readonly #deltas32: Uint32Array;
  readonly #deltaBits: number;
  readonly #deltaMask: number;

  constructor(e: EcCsrEncoded, at: LaneItems, infos: readonly SetInfo[], lanesPerBlock: number) {
    const width = at.items.length;
    this.#e = e;
    this.#at = at;
    this.#lanesPerBlock = lanesPerBlock;
    this.#isHalf = e.valueType === 'f16';
    this.#perBase = 32 / baseBits(e);
    this.#whole8 = e.vectorSize === VECTOR && infos.every((set) => set.granularity < 8 || isWhole(e, set));
    this.blockOf = new Int32Array(width);
    this.#lane = new Int32Array(width);
    this.#start = new Int32Array(width);
    this.#columns = new Int32Array(width);
    this.#column = new Int32Array(width);
    this.#columnsOf8 = Array.from({ length: VECTOR }, () => new Int32Array(width));
    this.#takes = new Uint8Array(width);
    this.#place = new Float64Array(width);
    this.#deltas32 = e.deltaIndices;
    this.#deltaBits = e.deltaBits;
    this.#deltaMask = 2 ** e.deltaBits - 1;
  }

  /**
   * All loads except for those of the destinations of sums. A subgroup narrower than a block processes several of its
   * lanes in turn.
   */
  walk(set: SetInfo): void {
    const { lanes } = this.#e;
    for (let first = 0; first < lanes; first += this.#lanesPerBlock) {
      for (let i = 0; i < this.blockOf.length; i++) {
        this.#lane[i] = first + (i % this.#lanesPerBlock);
        this.#takes[i] = this.blockOf[i] < set.blocks ? 1 : 0;
      }
      this.#bounds(set);
      if (set.granularity === 8 && this.#whole8) this.#segmentsOf8(set);
      else {
        this.#bases(set);
        if (set.granularity < 8 && this.#e.vectorSize === VECTOR) this.#segments(set);
        this.#singles(set);
      }
    }
  }

  /** One load: the item of each active lane. */
  #load(site: number, item: (lane: number) => number): void {
    const { items } = this.#at;
    for (let i = 0; i < items.length; i++) items[i] = this.#takes[i] === 1 ? item(i) : ABSENT;
    this.#at.load(site);
  }

  /** Updates which lanes are active; returns whether any is. */
  #taking(test: (lane: number) => boolean, set: SetInfo): boolean {
    let any = false;
    for (let i = 0; i < this.#takes.length; i++) {
      const takes = this.blockOf[i] < set.blocks && test(i);
      this.#takes[i] = takes ? 1 : 0;
      any ||= takes;
    }
    return any;
  }

  #bounds({ blockPtrAt, blocks }: SetInfo): void {
    const { blockPtr, lanes } = this.#e;
    this.#load(SITES.blockPtr, (i) => blockPtrAt + this.blockOf[i]);
    this.#load(SITES.blockPtr, (i) => blockPtrAt + this.blockOf[i] + 1);
    for (let i = 0; i < this.blockOf.length; i++) {
      const at = blockPtrAt + Math.min(this.blockOf[i], blocks - 1);
      this.#start[i] = blockPtr[at];
      this.#columns[i] = (blockPtr[at + 1] - blockPtr[at]) / lanes;
    }
  }

  #bases({ baseIndicesAt, blocks }: SetInfo): void {
    const { baseIndices, lanes } = this.#e;
    const baseOf = (i: number): number => baseIndicesAt + this.blockOf[i] * lanes + this.#lane[i];
    this.#load(SITES.bases, (i) => Math.floor(baseOf(i) / this.#perBase));
    for (let i = 0; i < this.blockOf.length; i++) {
      this.#column[i] = this.blockOf[i] < blocks ? baseIndices[baseOf(i)] : 0;
    }
  }

  /** The offset of the first column of a lane in a segment. */
  #placeOf(lane: number, segment: number): number {
    const { lanes } = this.#e;
    return this.#start[lane] + (segment * lanes + this.#lane[lane]) * VECTOR;
  }

  /** The deltas of four columns from an offset: in one word, or in two of sixteen bits. */
  #deltas(set: SetInfo, place: (lane: number) => number): void {
    const perWord = 32 / this.#e.deltaBits;
    const words = Math.max(1, VECTOR / perWord);
    for (let part = 0; part < words; part++) {
      this.#load(SITES.deltas, (i) => set.deltaWordAt + Math.floor(place(i) / perWord) + part);
    }
  }

  /** Four values from `first` on. */
  #four(first: (lane: number) => number): void {
    this.#load(this.#isHalf ? SITES.values8 : SITES.values16, (i) => first(i) / 4);
  }

  /** Eight values from `first` on. */
  #eight(first: (lane: number) => number): void {
    if (this.#isHalf) return this.#load(SITES.values16, (i) => first(i) / 8);
    for (let part = 0; part < 2; part++) this.#load(SITES.values16, (i) => first(i) / 4 + part);
  }

  /** Deltas and values of a segment of each lane. */
  #segment(set: SetInfo, segment: (lane: number) => number): void {
    const { granularity, valuesAt } = set;
    const place = (i: number): number => this.#placeOf(i, segment(i));
    this.#deltas(set, place);
    if (granularity === 1) this.#four((i) => valuesAt + place(i));
    else for (let k = 0; k < granularity; k += 2) this.#eight((i) => valuesAt + granularity * place(i) + 4 * k);
  }

  /** The columns of a segment of each lane, one after the other. */
  #gather(set: SetInfo, segment: (lane: number) => number): void {
    const { items } = this.#at;
    const takes = this.#takes;
    const column = this.#column;
    const place = this.#place;
    for (let i = 0; i < items.length; i++) place[i] = takes[i] === 1 ? this.#placeOf(i, segment(i)) : 0;
    for (let k = 0; k < VECTOR; k++) {
      for (let i = 0; i < items.length; i++) {
        if (takes[i] === 1) items[i] = column[i] += this.#delta(set, place[i] + k);
        else items[i] = ABSENT;
      }
      this.#at.load(SITES.x);
    }
  }

  /** The delta of a column of a set, like `deltaAt` of the layout, but without an allocation per call. */
  #delta({ deltaWordAt }: SetInfo, place: number): number {
    const bit = place * this.#deltaBits;
    return (this.#deltas32[deltaWordAt + (bit >>> 5)] >>> (bit & 31)) & this.#deltaMask;
  }

  /** Whole segments: while one is computed, the next is loaded. */
  #segments(set: SetInfo): void {
    const segmentsOf = (i: number): number => Math.floor(this.#columns[i] / VECTOR);
    if (!this.#taking((i) => segmentsOf(i) > 0, set)) return;
    this.#segment(set, () => 0);
    let s = 0;
    for (; this.#taking((i) => s + 2 <= segmentsOf(i), set); s += 2) {
      this.#segment(set, () => s + 1);
      this.#gather(set, () => s);
      this.#segment(set, (i) => Math.min(s + 2, segmentsOf(i) - 1));
      this.#gather(set, () => s + 1);
    }
    // Adjacent blocks in a subgroup may differ in length: one with an odd number of segments has its last one here.
    if (this.#taking((i) => segmentsOf(i) % 2 === 1, set)) this.#gather(set, (i) => segmentsOf(i) - 1);
  }

  /** Columns one by one: those that do not fill a segment; all columns of blocks of eight rows with short vectors. */
  #singles(set: SetInfo): void {
    const { vectorSize } = this.#e;
    const { granularity, valuesAt } = set;
    const skips = granularity < 8 && vectorSize === VECTOR;
    const firstOf = (i: number): number => (skips ? this.#columns[i] - (this.#columns[i] % VECTOR) : 0);
    for (let k = 0; this.#taking((i) => firstOf(i) + k < this.#columns[i], set); k++) {
      const place = (i: number): number =>
        this.#start[i] + columnPosition(this.#e, this.#columns[i], this.#lane[i], firstOf(i) + k);
      this.#load(SITES.deltas, (i) => set.deltaWordAt + Math.floor((place(i) * this.#e.deltaBits) / 32));
      const value = (i: number): number => valuesAt + granularity * place(i);
      if (granularity === 8) this.#eight(value);
      else if (granularity === 4) this.#four(value);
      else {
        const perWord = this.#isHalf ? 2 : 1;
        for (let g = 0; g < granularity; g++) {
          this.#load(SITES.values4, (i) => Math.floor((value(i) + g) / perWord));
        }
      }
      this.#load(SITES.x, (i) => (this.#column[i] += this.#delta(set, place(i))));
    }
  }

  /** Blocks of eight rows in whole segments: lane i processes the columns i, i + LANES ... of a segment. */
  #segmentsOf8(set: SetInfo): void {
    const { lanes, baseIndices } = this.#e;
    /** the lane of the layout that a column belongs to, and its position in the segment */
    const layoutLane = (i: number, j: number): number => Math.floor((this.#lane[i] + j * lanes) / VECTOR);
    const within = (i: number, j: number): number => (this.#lane[i] + j * lanes) % VECTOR;
    const baseOf = (i: number, j: number): number => set.baseIndicesAt + this.blockOf[i] * lanes + layoutLane(i, j);
    for (let j = 0; j < VECTOR; j++) {
      this.#load(SITES.bases, (i) => Math.floor(baseOf(i, j) / this.#perBase));
      for (let i = 0; i < this.blockOf.length; i++) {
        if (this.#takes[i] === 1) this.#columnsOf8[j][i] = baseIndices[baseOf(i, j)];
      }
    }
    const segmentsOf = (i: number): number => Math.floor(this.#columns[i] / VECTOR);
    for (let s = 0; this.#taking((i) => s < segmentsOf(i), set); s++) {
      const segment = (i: number): number => this.#start[i] + s * VECTOR * lanes;
      const deltasOf = (i: number, j: number): number => segment(i) + layoutLane(i, j) * VECTOR;
      for (let j = 0; j < VECTOR; j++) this.#deltas(set, (i) => deltasOf(i, j));
      for (let j = 0; j < VECTOR; j++) {
        this.#eight((i) => set.valuesAt + 8 * (segment(i) + this.#lane[i] + j * lanes));
      }
      for (let j = 0; j < VECTOR; j++) {
        const columns = this.#columnsOf8[j];
        this.#load(SITES.x, (i) => columns[i] + this.#sum(set, deltasOf(i, j), within(i, j) + 1));
        for (let i = 0; i < columns.length; i++) {
          if (this.#takes[i] === 1) columns[i] += this.#sum(set, deltasOf(i, j), VECTOR);
        }
      }
    }
  }

  #sum(set: SetInfo, place: number, count: number): number {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += this.#delta(set, place + k);
    return sum;
  }
}
