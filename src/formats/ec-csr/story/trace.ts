import { type Matrix, rowBuffer } from '../../../core/matrix/index.ts';
import { type Effect, type Trace, TraceBuilder, traceVector } from '../../../core/story/trace.ts';
import { encodingOf } from '../encoding.ts';
import { type Block, type ExtractedPair, type Extraction, extractSteps } from '../extract.ts';
import { columnPosition, deltaAt, type EcCsrEncoded, type SetInfo, setInfos, valueAt } from '../layout.ts';
import { finish } from '../../../core/job.ts';
import { plainOverlaps } from '../overlap.ts';
import { type PackedBlock, packBlocks, type PackedSet } from '../pack.ts';
import type { EcCsrParams } from '../params.ts';

/** A pair of level 0, 1 or 2. */
export type Pair = ExtractedPair & { readonly level: number };

/** Blocks as they were found, cut to what is stored, and in the order of storage. */
export type BarsStage = 'found' | 'clipped' | 'ordered';

/** What a step shows. Levels count from 0; their unit rows have granularity 2^level. */
export type EcCsrStep =
  /** the overlaps of a level, before anything is matched */
  | { readonly kind: 'overlaps'; readonly level: number }
  /** every unit row of the level is free again, with its remaining columns; rounds count from 0 */
  | { readonly kind: 'round'; readonly level: number; readonly round: number }
  | { readonly kind: 'match'; readonly pair: number }
  | { readonly kind: 'extract'; readonly pair: number }
  /** no pair of this level gives a block any more */
  | { readonly kind: 'level-ends'; readonly level: number }
  | { readonly kind: 'bars'; readonly stage: BarsStage }
  /** a block's columns go to its lanes */
  | { readonly kind: 'lanes'; readonly set: number; readonly block: number }
  /** its values and deltas go to memory, segment by segment */
  | { readonly kind: 'memory'; readonly set: number; readonly block: number }
  | { readonly kind: 'sets' }
  | { readonly kind: 'gather'; readonly set: number; readonly block: number; readonly segment: number }
  | { readonly kind: 'partials'; readonly set: number; readonly block: number }
  | { readonly kind: 'row'; readonly row: number };

export interface EcCsrTrace extends Trace<EcCsrStep> {
  readonly window: Matrix;
  readonly params: EcCsrParams;
  readonly encoded: EcCsrEncoded;
  readonly extraction: Extraction;
  readonly pairs: readonly Pair[];
  /** unit rows of every level as it began */
  readonly levels: readonly (readonly Block[])[];
  readonly sets: readonly PackedSet[];
  readonly infos: readonly SetInfo[];
  /** per non-zero in row-major order: the step in which it was extracted into a block of two rows; 0 if it stays */
  readonly leftAt: Uint32Array;
  /** per step: blocks laid out so far, in storage order */
  readonly laidOut: Uint32Array;
  /** per step: the sums so far */
  readonly y: Float64Array;
}

/** The story of one window: matching, levels, lanes, and the multiply that shares every gather. */
export function trace(m: Matrix, params: EcCsrParams): EcCsrTrace {
  const pairs: Pair[] = [];
  const levels: (readonly Block[])[] = [];
  const found: Extraction[] = [];
  const { encodeSteps } = encodingOf(function* () {
    const extraction = yield* extractSteps(m, params, plainOverlaps(), {
      levelStarts: (_granularity, units) => levels.push(units),
      pair: (pair) => pairs.push({ ...pair, level: Math.log2(pair.granularity) }),
      levelEnds: () => {},
    });
    found.push(extraction);
    return extraction;
  });
  const encoded = finish(encodeSteps(m, params));
  const [extraction] = found;
  const sets = packBlocks(extraction, params).sets[params.remainder];
  const infos = setInfos(encoded);
  const x = traceVector(m.cols);
  const builder = new TraceBuilder<EcCsrStep>();
  extractionChapters(pairs, levels.length, params.maxGranularity, builder);
  builder.chapter('clip', 'Clip');
  for (const stage of ['found', 'clipped', 'ordered'] as const) builder.step({ kind: 'bars', stage });
  builder.chapter('ec-csr', 'EC-SpMV');
  layOutChapter(encoded, sets, infos, builder);
  builder.chapter('multiply', 'Multiply');
  multiplyChapter(encoded, infos, x, builder);

  const { steps, chapters } = builder;
  const laidOut = new Uint32Array(steps.length + 1);
  const y = new Float64Array(m.rows);
  steps.forEach(({ detail, effects }, i) => {
    laidOut[i + 1] = laidOut[i] + (detail.kind === 'memory' ? 1 : 0);
    for (const effect of effects) if (effect.kind === 'accumulate') y[effect.row] += effect.value;
  });
  const leftAt = stepsOfLeaving(m, pairs, steps);
  return {
    format: 'ec-csr',
    window: m,
    params,
    encoded,
    x,
    chapters,
    steps,
    extraction,
    pairs,
    levels,
    sets,
    infos,
    leftAt,
    laidOut,
    y,
  };
}

function extractionChapters(
  pairs: readonly Pair[],
  levelCount: number,
  maxGranularity: number,
  builder: TraceBuilder<EcCsrStep>,
): void {
  const of = (level: number, round: number): readonly number[] =>
    pairs.flatMap((p, i) => (p.level === level && p.round === round ? [i] : []));
  const narrate = (chosen: readonly number[], kinds: readonly ('match' | 'extract')[]): void => {
    for (const pair of chosen)
      for (const kind of kinds) if (kind === 'match' || pairs[pair].blocks.length > 0) builder.step({ kind, pair });
  };
  const narrateRounds = (level: number, first: number): void => {
    const rounds = pairs.reduce((count, p) => (p.level === level ? Math.max(count, p.round + 1) : count), 0);
    for (let round = first; round < rounds; round++) {
      if (round > 0) builder.step({ kind: 'round', level, round });
      narrate(of(level, round), ['match', 'extract']);
    }
  };
  builder.chapter('overlap', 'Overlap');
  builder.step({ kind: 'overlaps', level: 0 });
  // Matched rows are out of the round, so all partners can be determined before anything is extracted.
  narrate(of(0, 0), ['match']);
  builder.chapter('extract', 'Extract');
  narrate(of(0, 0), ['extract']);
  if (!of(0, 0).some((pair) => pairs[pair].blocks.length > 0)) builder.step({ kind: 'level-ends', level: 0 });
  builder.chapter('rounds', 'Rounds');
  narrateRounds(0, 1);
  builder.step({ kind: 'level-ends', level: 0 });
  builder.chapter('levels', 'Levels');
  for (let level = 1; level < levelCount; level++) {
    // Blocks of the largest size are not matched any more.
    if (2 ** level < maxGranularity) builder.step({ kind: 'overlaps', level });
    narrateRounds(level, 0);
    builder.step({ kind: 'level-ends', level });
  }
  if (levelCount === 1) builder.step({ kind: 'level-ends', level: 0 });
}

function layOutChapter(
  e: EcCsrEncoded,
  sets: readonly PackedSet[],
  infos: readonly SetInfo[],
  builder: TraceBuilder<EcCsrStep>,
): void {
  const words = new Uint32Array(e.deltaIndices.length);
  sets.forEach(({ blocks }, set) => {
    blocks.forEach((block, b) => {
      const info = infos[set];
      builder.step({ kind: 'lanes', set, block: b }, [...visits(block), ...laneStores(e, info, b)]);
      builder.step({ kind: 'memory', set, block: b }, memoryStores(e, info, b, words));
    });
  });
  const table: Effect[] = Array.from(e.sets, (value, index) => ({ kind: 'store', array: 'sets', index, value }));
  builder.step({ kind: 'sets' }, table);
}

function visits({ rows, columns, real }: PackedBlock): Effect[] {
  const effects: Effect[] = [];
  for (const row of rows) {
    columns.forEach((col, i) => {
      if (real[i] === 1) effects.push({ kind: 'visit', row, col });
    });
  }
  return effects;
}

function laneStores(e: EcCsrEncoded, info: SetInfo, b: number): Effect[] {
  const effects: Effect[] = [];
  for (let lane = 0; lane < e.lanes; lane++) {
    const index = info.baseIndicesAt + b * e.lanes + lane;
    effects.push({ kind: 'store', array: 'baseIndices', index, value: e.baseIndices[index] });
  }
  for (let g = 0; g < info.granularity; g++) {
    const index = info.rowIndicesAt + b * info.granularity + g;
    effects.push({ kind: 'store', array: 'rowIndices', index, value: e.rowIndices[index] });
  }
  const end = info.blockPtrAt + b + 1;
  effects.push({ kind: 'store', array: 'blockPtr', index: end, value: e.blockPtr[end] });
  return effects;
}

function memoryStores(e: EcCsrEncoded, info: SetInfo, b: number, words: Uint32Array): Effect[] {
  const effects: Effect[] = [];
  for (let column = e.blockPtr[info.blockPtrAt + b]; column < e.blockPtr[info.blockPtrAt + b + 1]; column++) {
    const bit = column * e.deltaBits;
    const word = info.deltaWordAt + Math.floor(bit / 32);
    words[word] |= deltaAt(e, info, column) << (bit % 32);
    effects.push({ kind: 'store', array: 'deltaIndices', index: word, value: words[word] });
    for (let g = 0; g < info.granularity; g++) {
      const index = info.valuesAt + column * info.granularity + g;
      effects.push({ kind: 'store', array: 'values', index, value: e.values[index] });
    }
  }
  return effects;
}

function multiplyChapter(
  e: EcCsrEncoded,
  infos: readonly SetInfo[],
  x: Float32Array,
  builder: TraceBuilder<EcCsrStep>,
): void {
  infos.forEach((info, set) => {
    for (let block = 0; block < info.blocks; block++) {
      segmentsOf(e, info, block).forEach((columns, segment) => {
        const effects: Effect[] = [];
        for (const { column, place } of segmentColumns(e, info, block, columns)) {
          for (let g = 0; g < info.granularity; g++) {
            const row = e.rowIndices[info.rowIndicesAt + block * info.granularity + g];
            const value = valueAt(e, info.valuesAt + place * info.granularity + g) * x[column];
            effects.push({ kind: 'accumulate', row, value });
          }
        }
        builder.step({ kind: 'gather', set, block, segment }, effects);
      });
      builder.step({ kind: 'partials', set, block });
    }
  });
  for (let row = 0; row < e.rows; row++) builder.step({ kind: 'row', row });
  if (e.rows === 0) builder.step({ kind: 'sets' });
}

/** What all lanes load together: `width` columns of each, from its column `first` on. */
export interface Segment {
  readonly first: number;
  readonly width: number;
}

/** The segments that every lane of a block processes: of v columns, and of one each for the remainder. */
export function segmentsOf(e: EcCsrEncoded, info: SetInfo, block: number): readonly Segment[] {
  const perLane = (e.blockPtr[info.blockPtrAt + block + 1] - e.blockPtr[info.blockPtrAt + block]) / e.lanes;
  const segments: Segment[] = [];
  for (let first = 0, width = 0; first < perLane; first += width) {
    width = first + e.vectorSize <= perLane ? e.vectorSize : 1;
    segments.push({ first, width });
  }
  return segments;
}

/** A stored column: its lane, the matrix column, and its position in the set, in memory order. */
export interface StoredColumn {
  readonly lane: number;
  readonly column: number;
  readonly place: number;
}

/** The columns of one segment, lane after lane, in memory order. */
export function segmentColumns(
  e: EcCsrEncoded,
  info: SetInfo,
  block: number,
  { first, width }: Segment,
): readonly StoredColumn[] {
  return blockColumnsInMemory(e, info, block).slice(first * e.lanes, (first + width) * e.lanes);
}

/** All columns of a block in memory order. */
export function blockColumnsInMemory(e: EcCsrEncoded, info: SetInfo, block: number): readonly StoredColumn[] {
  const start = e.blockPtr[info.blockPtrAt + block];
  const count = e.blockPtr[info.blockPtrAt + block + 1] - start;
  const stored = Array.from<StoredColumn>({ length: count });
  for (let lane = 0; lane < e.lanes; lane++) {
    let column = e.baseIndices[info.baseIndicesAt + block * e.lanes + lane];
    for (let i = 0; i < count / e.lanes; i++) {
      const place = columnPosition(e, count / e.lanes, lane, i);
      column += deltaAt(e, info, start + place);
      stored[place] = { lane, column, place: start + place };
    }
  }
  return stored;
}

function stepsOfLeaving(
  m: Matrix,
  pairs: readonly Pair[],
  steps: readonly { readonly detail: EcCsrStep }[],
): Uint32Array {
  const left = new Map<string, number>();
  steps.forEach(({ detail }, i) => {
    if (detail.kind !== 'extract' || pairs[detail.pair].level > 0) return;
    for (const { rows, columns } of pairs[detail.pair].blocks) {
      for (const row of rows) for (const column of columns) left.set(`${row},${column}`, i + 1);
    }
  });
  const leftAt = new Uint32Array(m.nnz);
  const buffer = rowBuffer(m.cols);
  let ordinal = 0;
  for (let row = 0; row < m.rows; row++) {
    const n = m.readRow(row, buffer);
    for (let i = 0; i < n; i++) leftAt[ordinal++] = left.get(`${row},${buffer.columns[i]}`) ?? 0;
  }
  return leftAt;
}
