import type { Cell } from '../../core/matrix/index.ts';
import type { NarratedStep, EncodingSlice, WindowRecord, Stores } from '../../core/declared/record.ts';
import type { ElementCells } from './element-cells.ts';

/** An element, by the number of its array and its index there. */
export type Element = readonly [array: number, index: number];

/** A step of a story (the animation of a format) in which `encode` stores elements. */
export interface StoredStep {
  readonly kind: 'stored';
  /**
   * weight: value and index of a non-zero. index: an index that several cells share. padding: elements for no non-zero.
   * bookkeeping: all else, such as row starts
   */
  readonly what: 'weight' | 'index' | 'padding' | 'bookkeeping';
  /** the cell that decode reads from these elements; null if from none */
  readonly cell: Cell | null;
  /** the next non-zero of its row, if a later step stores it; else null */
  readonly prepares: Cell | null;
  /** the rows that its text names, or else the rows that the encoder had read */
  readonly rows: readonly number[];
  /** whether it is the last stored step of these rows */
  readonly isRowEnd: boolean;
  readonly elements: readonly Element[];
  /** its numbers in the recorded list of stores (numbers that the encoder stored), ascending */
  readonly stores: readonly number[];
  /** elements that stay 0, such as bits of a mask: they count as stored from this step on, but its text omits them */
  readonly silent: readonly Element[];
  /** the encoder's text about it */
  readonly reason: string | null;
  /** line of the format's code that stores or narrates it; 0 where it is not known */
  readonly line: number;
}

/** An unfinished step. `order` sorts steps: it is the call of `put` before which decode reads the elements. */
type Group = Pick<StoredStep, 'what' | 'cell'> & { readonly order: number; readonly stores: number[] };

/** The stores between two yields or calls of `narrate`. The stores between two yields are called a part. */
interface Segment {
  readonly from: number;
  readonly to: number;
  /** the call of `narrate` that ends it */
  readonly narrated: NarratedStep | null;
  /** index of its part; for stores after the last yield, the number of parts */
  readonly part: number;
  /** whether a part ends with it */
  readonly isEnd: boolean;
}

/** `order` of padding that decode never reads: after elements that it reads, before bookkeeping. */
const UNREAD = Number.MAX_SAFE_INTEGER;

/**
 * Groups the stores of a recorded encoding into steps. An encoder is a generator that stores elements, yields, and
 * narrates by calls of `narrate`; decode passes each cell to `put`. `isWeight`: whether a cell is not 0. O(n log n) for n
 * stores.
 */
export class StepGrouping {
  readonly #run: WindowRecord;
  readonly #elementCells: ElementCells;
  readonly #isWeight: (cell: Cell) => boolean;
  readonly #stores: Stores | null;
  readonly #parts: readonly EncodingSlice[];
  /** of each stored element, by array and index: the part of its first store, and whether the last one was padding */
  readonly #stored: readonly Map<number, { readonly part: number; isPadding: boolean }>[];

  constructor(run: WindowRecord, elementCells: ElementCells, isWeight: (cell: Cell) => boolean) {
    this.#run = run;
    this.#elementCells = elementCells;
    this.#isWeight = isWeight;
    this.#stores = run.encoding.stores;
    this.#parts = run.encoding.parts ?? [];
    this.#stored = run.encoding.arrays.map(() => new Map());
  }

  steps(): readonly StoredStep[] {
    const segments = this.#segments();
    for (const { from, to, part } of segments) this.#noteStores(from, to, part);
    const unsetByPart = this.#unset();
    const steps: StoredStep[] = [];
    let partStart = 0;
    segments.forEach((segment, i) => {
      if (segments[i - 1]?.part !== segment.part) partStart = steps.length;
      for (const step of this.#stepsOf(segment)) steps.push(step);
      if (segments[i + 1]?.part === segment.part) return;
      const { filler = [], silent = [] } = unsetByPart.get(segment.part) ?? {};
      if (filler.length > 0) {
        const filled = this.#step({ what: 'padding', cell: null, order: UNREAD, stores: [] }, segment);
        // Bookkeeping at the end of a part, such as where its row ends, stays last.
        const endsInBookkeeping = steps.length > partStart && steps.at(-1)?.what === 'bookkeeping';
        steps.splice(steps.length - (endsInBookkeeping ? 1 : 0), 0, { ...filled, elements: filler });
      }
      for (const step of this.#withPrepared(steps.splice(partStart))) steps.push(step);
      const last = steps.at(-1);
      if (last && steps.length > partStart)
        steps[steps.length - 1] = { ...last, silent, isRowEnd: segment.isEnd && this.#endsRow(steps.slice(partStart)) };
    });
    return steps;
  }

  /** Whether a row ends with the steps of a part: they store cells, or where a row ends. */
  #endsRow(steps: readonly StoredStep[]): boolean {
    const isEnd = ([array]: Element): boolean => this.#run.encoding.arrays[array].array.offsetsInto !== undefined;
    return steps.some(
      ({ what, elements }) => what !== 'bookkeeping' || elements.some((element) => element[1] > 0 && isEnd(element)),
    );
  }

  /** The stores, split at each call of `narrate` and at each yield. */
  #segments(): readonly Segment[] {
    const steps = this.#run.encoding.narrated ?? [];
    const total = this.#stores?.at.length ?? 0;
    const segments: Segment[] = [];
    let from = 0;
    let next = 0;
    const add = (to: number, part: number, narrated: NarratedStep | null, isEnd: boolean): void => {
      if (to > from || narrated || isEnd) segments.push({ from, to, narrated, part, isEnd });
      from = to;
    };
    for (let part = 0; part <= this.#parts.length; part++) {
      const end = this.#parts.at(part)?.stores ?? total;
      while (next < steps.length && (steps[next].part ?? this.#parts.length) === part) {
        add(steps[next].stores, part, steps[next], false);
        next++;
      }
      add(end, part, null, part < this.#parts.length);
    }
    const end = this.#parts.length;
    // Elements that nothing set are counted as stored at the end.
    if (segments.at(-1)?.part !== end) segments.push({ from, to: from, narrated: null, part: end, isEnd: false });
    return segments;
  }

  /** Records the part that stores each element, and whether the element is padding. */
  #noteStores(from: number, to: number, part: number): void {
    if (!this.#stores) return;
    const { array, at: index, isPadding } = this.#stores;
    for (let i = from; i < to; i++) {
      const earlier = this.#stored[array[i]].get(index[i]);
      if (earlier) earlier.isPadding = isPadding[i] === 1;
      else this.#stored[array[i]].set(index[i], { part, isPadding: isPadding[i] === 1 });
    }
  }

  /** The steps of a segment, in the order in which decode reads their elements; one of them has the narrated text. */
  #stepsOf(segment: Segment): readonly StoredStep[] {
    const groups = new Map<string, Group>();
    for (let i = segment.from; i < segment.to; i++) {
      const { key, ...group } = this.#groupOf(i);
      const known = groups.get(key);
      if (known) known.stores.push(i);
      else groups.set(key, { ...group, stores: [i] });
    }
    const ordered = [...groups.values()].toSorted((a, b) => a.order - b.order || a.stores[0] - b.stores[0]);
    const { narrated } = segment;
    if (!narrated) return ordered.map((group) => this.#step(group, segment));
    // A text about a cell describes everything that was stored for it.
    const column = narrated.column;
    const narratedGroup = ordered.find(
      ({ cell }) => cell !== null && cell.col === column && narrated.rows.length === 1 && cell.row === narrated.rows[0],
    );
    const stepGroups = narratedGroup
      ? ordered.filter((group) => group === narratedGroup || group.what !== 'bookkeeping')
      : ordered;
    if (narratedGroup) {
      const added = ordered.filter((group) => !stepGroups.includes(group)).flatMap(({ stores }) => stores);
      for (const store of added) narratedGroup.stores.push(store);
      narratedGroup.stores.sort((a, b) => a - b);
    }
    const describedGroup = narratedGroup ?? stepGroups.at(-1) ?? this.#emptyGroup(narrated);
    const all = stepGroups.length > 0 ? stepGroups : [describedGroup];
    return all.map((group) => {
      const step = this.#step(group, segment);
      if (group !== describedGroup) return step;
      const rows = narrated.rows.length > 0 ? narrated.rows : step.rows;
      return { ...step, reason: narrated.say.trim() || null, rows, line: step.line || narrated.line };
    });
  }

  /** The group of a narrated step without stores. */
  #emptyGroup({ rows, column }: NarratedStep): Group {
    const cell = column !== null && rows.length === 1 ? { row: rows[0], col: column } : null;
    const isWeight = cell !== null && this.#isWeight(cell);
    return { what: isWeight ? 'weight' : 'bookkeeping', cell: isWeight ? cell : null, order: 0, stores: [] };
  }

  /** The steps with `prepares`: the next weight, if it is of the same row. */
  #withPrepared(steps: readonly StoredStep[]): readonly StoredStep[] {
    let next: Cell | null = null;
    const backwards = steps.toReversed().map((step) => {
      if (step.what === 'weight') next = step.cell;
      return step.what !== 'weight' && step.cell?.row === next?.row ? { ...step, prepares: next } : step;
    });
    return backwards.toReversed();
  }

  /** The group of store `i`; stores of a segment with the same key become one step. */
  #groupOf(i: number): Omit<Group, 'stores'> & { readonly key: string } {
    const { array, at: index } = this.#stores ?? { array: [], at: [] };
    const description = this.#run.encoding.arrays[array[i]].array;
    const call = this.#elementCells.firstPutCall(array[i], index[i]);
    const cell = call < 0 ? null : this.#elementCells.cellOf(call);
    if (this.#stored[array[i]].get(index[i])?.isPadding) {
      return cell
        ? { key: `padding ${cell.row},${cell.col}`, what: 'padding', cell, order: call }
        : { key: 'padding', what: 'padding', cell: null, order: UNREAD };
    }
    if (!cell || description.byteClass === 'metadata')
      return { key: 'rest', what: 'bookkeeping', cell: null, order: Number.POSITIVE_INFINITY };
    if (this.#elementCells.region([array[i], index[i]]))
      return { key: `shared ${array[i]}/${index[i]}`, what: 'index', cell, order: call - 0.5 };
    const name = `${cell.row},${cell.col}`;
    if (this.#elementCells.putsItsCell(call) && this.#isWeight(cell))
      return { key: `cell ${name}`, what: 'weight', cell, order: call };
    return { key: `padding ${name}`, what: 'padding', cell, order: call };
  }

  #step({ what, cell, stores }: Group, { part }: Segment): StoredStep {
    const { array, at: index, line } = this.#stores ?? { array: [], at: [], line: [] };
    const elementsByKey = new Map(stores.map((i) => [`${array[i]}/${index[i]}`, [array[i], index[i]] as const]));
    return {
      kind: 'stored',
      what,
      cell,
      prepares: null,
      rows: this.#parts.at(part)?.rows ?? [],
      isRowEnd: false,
      elements: [...elementsByKey.values(), ...this.#scalesOf([...elementsByKey.values()])],
      stores,
      silent: [],
      reason: null,
      line: stores.length === 0 ? 0 : line[stores[stores.length - 1]],
    };
  }

  /** The scales of quantised values, each counted as stored with the first value that it scales. */
  #scalesOf(elements: readonly Element[]): readonly Element[] {
    const { arrays } = this.#run.encoding;
    const scaleElements: Element[] = [];
    for (const [array, index] of elements) {
      const { quantised } = arrays[array].array;
      if (!quantised) continue;
      const scales = arrays.findIndex((other) => other.array.name === quantised.scales);
      const call = this.#elementCells.firstPutCall(array, index);
      const scale = quantised.by === 32 ? index >>> 5 : call < 0 ? -1 : this.#elementCells.cellOf(call).row;
      if (scale < 0 || scales < 0 || this.#stored[scales].has(scale)) continue;
      this.#stored[scales].set(scale, { part: 0, isPadding: false });
      scaleElements.push([scales, scale]);
    }
    return scaleElements;
  }

  /**
   * Elements that were appended as zeros and never set, by the part after which they count as stored: the last part
   * that read their row; else the part that appended them, unless a later part set some of the same zeros; else the
   * end.
   */
  #unset(): ReadonlyMap<number, { readonly filler: Element[]; readonly silent: Element[] }> {
    const byPart = new Map<number, { readonly filler: Element[]; readonly silent: Element[] }>();
    const lastReading = new Map<number, number>();
    this.#parts.forEach(({ rows }, part) => rows.forEach((row) => lastReading.set(row, part)));
    for (const { array, from, to, part } of this.#run.encoding.zeros ?? []) {
      const isSetByOnePart = [...this.#stored[array]].every(
        ([index, set]) => index < from || index >= to || set.part === part,
      );
      const { filler, type } = this.#run.encoding.arrays[array].array;
      for (let index = from; index < to; index++) {
        if (this.#stored[array].has(index)) continue;
        const call = this.#elementCells.firstPutCall(array, index);
        const row = call < 0 ? -1 : this.#elementCells.cellOf(call).row;
        const after = lastReading.get(row) ?? (isSetByOnePart ? part : this.#parts.length);
        const unset = byPart.get(after) ?? { filler: [], silent: [] };
        byPart.set(after, unset);
        unset[filler && type.bits > 1 ? 'filler' : 'silent'].push([array, index]);
      }
    }
    return byPart;
  }
}
