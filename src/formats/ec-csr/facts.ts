import type { Fact } from '../../core/format.ts';
import { listText } from '../../core/text/words.ts';
import { encoding } from './encoding.ts';
import { type EcCsrEncoded, forEachColumn, gathersOf, infosOfSets, valueAt } from './layout.ts';
import { popcount } from '../../core/statistics/half-words.ts';
import type { UnitBits } from './overlap.ts';
import { clipOfValues } from './pack.ts';
import { blockColumns, columnStep, reachOf, type Remainder, valueBits } from './params.ts';
import { packedBytes } from './storage-plan.ts';

/** What the extraction of blocks (of rows that share columns) saves on a matrix. Shares are from 0 to 1. */
export interface ExtractionEffect {
  /** share of the non-zeros in blocks of each granularity (number of rows) that occurs, largest first */
  readonly coverage: readonly { readonly granularity: number; readonly share: number }[];
  /** reads of x per non-zero: a read serves all rows of a block; reads for padding count */
  readonly gathers: number;
  /** bytes per non-zero of all arrays except `values`; without: if no blocks were extracted */
  readonly indexBytes: { readonly withBlocks: number; readonly without: number };
  /** bytes of all arrays; without: with maxGranularity 1 (no blocks); csr32: CSR with 32-bit indices */
  readonly totalBytes: { readonly withBlocks: number; readonly without: number; readonly csr32: number };
  /** padding by cause, as shares of the stored values */
  readonly padding: { readonly gaps: number; readonly tails: number };
}

/** Measures the encoded arrays, and computes their size without blocks. O(stored values + rows cols / 32). */
export function extractionEffect(e: EcCsrEncoded): ExtractionEffect {
  const perNnz = (count: number): number => (e.nnz === 0 ? 0 : count / e.nnz);
  const coverage: { granularity: number; share: number }[] = [];
  for (const { granularity, nnz } of infosOfSets(e)) {
    const last = coverage.at(-1);
    if (last?.granularity === granularity) last.share += perNnz(nnz);
    else coverage.push({ granularity, share: perNnz(nnz) });
  }
  const withBlocks = encoding.storage(e).totalBytes;
  const without = bytesWithoutBlocks(e);
  return {
    coverage,
    gathers: perNnz(gathersOf(e)),
    indexBytes: {
      withBlocks: perNnz(withBlocks - e.values.byteLength),
      without: perNnz(without.total - without.values),
    },
    totalBytes: { withBlocks, without: without.total, csr32: e.nnz * (4 + valueBits(e) / 8) + (e.rows + 1) * 4 },
    padding: {
      gaps: e.padding.gapValues / Math.max(1, e.values.length),
      tails: e.padding.tailValues / Math.max(1, e.values.length),
    },
  };
}

/** Bytes of the same matrix without blocks of several rows, computed without encoding the matrix again. */
function bytesWithoutBlocks(e: EcCsrEncoded): { total: number; values: number } {
  const rows = cellsOf(e);
  const values = rows.bits.reduce((sum, word) => sum + popcount(word), 0);
  const clip = clipOfValues(values, e)(1);
  const sizes = { long: { granularity: 1, blocks: 0, columns: 0 }, short: { granularity: 1, blocks: 0, columns: 0 } };
  const add = (kind: keyof typeof sizes, blocks: number, columns: number): void => {
    sizes[kind].blocks += blocks;
    sizes[kind].columns += columns;
  };
  for (let row = 0; row < e.rows; row++) {
    const bridged = bridgedColumns(rows, row, reachOf(e));
    if (bridged === 0) continue;
    // The row's columns are padded to whole steps, and cut into pieces of at most `clip` columns.
    const padded = Math.ceil(bridged / columnStep(e)) * columnStep(e);
    const pieces = Math.ceil(padded / clip);
    if (e.remainder === 'same-block') {
      add('long', pieces, padded);
      continue;
    }
    // The last piece is a long block as far as it fills whole blocks; its remainder is a short block.
    const last = padded - (pieces - 1) * clip;
    const lastUsed = last - (padded - bridged);
    const lastLong = lastUsed - (lastUsed % blockColumns(e));
    add('long', pieces - 1, padded - last);
    if (lastLong > 0) add('long', 1, lastLong);
    if (lastLong < lastUsed) add('short', 1, last - lastLong);
  }
  return packedBytes(
    [sizes.long, sizes.short].filter(({ blocks }) => blocks > 0),
    e,
    e,
  );
}

/**
 * A bit for each cell, 32 columns per word: 1 for non-zeros. If values were rounded to 0, stored zeros count as
 * non-zeros, except zeros that bridge a gap: they lie exactly the largest delta after the previous column. O(stored
 * values).
 */
function cellsOf(e: EcCsrEncoded): Pick<UnitBits, 'words' | 'bits'> {
  const words = Math.ceil(e.cols / 32);
  const bits = new Uint32Array(e.rows * words);
  let storedNonZeros = 0;
  for (let i = 0; i < e.values.length; i++) if (valueAt(e, i) !== 0) storedNonZeros++;
  const areRounded = storedNonZeros < e.nnz;
  // A block is known by its position in `rowIndices`.
  let previousBlock = -1;
  let previousColumn = 0;
  forEachColumn(e, (column, valuesAt, rowIndicesAt, granularity) => {
    let bridges = rowIndicesAt === previousBlock && column - previousColumn === reachOf(e);
    for (let g = 0; g < granularity && bridges; g++) bridges = valueAt(e, valuesAt + g) === 0;
    [previousBlock, previousColumn] = [rowIndicesAt, column];
    for (let g = 0; g < granularity; g++) {
      if (valueAt(e, valuesAt + g) === 0 && (bridges || !areRounded)) continue;
      bits[e.rowIndices[rowIndicesAt + g] * words + (column >>> 5)] |= 1 << (column & 31);
    }
  });
  return { words, bits };
}

/** Number of columns stored for a row: its non-zeros, and the zeros that bridge gaps wider than `reach`. */
function bridgedColumns({ words, bits }: Pick<UnitBits, 'words' | 'bits'>, row: number, reach: number): number {
  let columns = 0;
  let previous = -1;
  for (let w = 0; w < words; w++) {
    for (let word = bits[row * words + w]; word !== 0; word &= word - 1) {
      const column = w * 32 + 31 - Math.clz32(word & -word);
      columns += previous < 0 ? 1 : Math.ceil((column - previous) / reach);
      previous = column;
    }
  }
  return columns;
}

/** Published reduction against CSR-32 in percent, at 70, 80 and 90 % sparsity, by value type and delta bits. */
const PUBLISHED_REDUCTION: Readonly<Record<string, readonly [number, number, number]>> = {
  'f32 8': [38.9, 37.3, 33.7],
  'f32 4': [40.9, 38.2, 22.7],
  'f16 8': [52.0, 49.9, 45.8],
  'f16 4': [55.4, 53.5, 41.3],
};

/**
 * Published padding for gaps at 70, 80 and 90 % sparsity, by delta bits (table 2), in percent of the non-zeros. The
 * paper calls it “overhead”; in percent of the stored values it would contradict the reductions (comparison.test.ts).
 */
const PUBLISHED_PADDING: Readonly<Record<number, readonly [number, number, number]>> = {
  4: [6.35, 7.39, 30.43],
  8: [0.75, 0.71, 1.87],
};

/** The choices of `remainder`, as the beginning of a text. */
const REMAINDERS: Readonly<Record<Remainder, string>> = {
  'same-block': 'Remainders in the same block:',
  'short-block': 'Remainders in short blocks:',
};

/** Facts of an encoded matrix for the page: what the extraction saves, and the encoding time if it is given. */
export function facts(e: EcCsrEncoded, encodeMs?: number): readonly Fact[] {
  if (e.nnz === 0) return [];
  const { coverage, gathers, indexBytes, totalBytes, padding } = extractionEffect(e);
  const published = PUBLISHED_REDUCTION[`${e.valueType} ${e.deltaBits}`];
  const reduction = (bytes: number): string => percent(1 - bytes / totalBytes.csr32);
  const otherRemainder = e.remainder === 'same-block' ? 'short-block' : 'same-block';
  const reductionNote = `Without extraction ${reduction(totalBytes.without)}. ${REMAINDERS[otherRemainder]} ${reduction(e.sizes[otherRemainder])}.`;
  return [
    verdict(e, totalBytes, coverage),
    ...coverage.map(({ granularity, share }) => ({
      label: granularity === 1 ? 'in single rows' : `in blocks of ${granularity} rows`,
      value: percent(share),
    })),
    {
      label: 'reads of x per non-zero',
      value: gathers.toFixed(2),
      note: 'In CSR it is 1.',
      source: 'EC-SpMV, section 4',
    },
    {
      label: 'index bytes per non-zero',
      value: indexBytes.withBlocks.toFixed(2),
      note: `Without extraction ${indexBytes.without.toFixed(2)}.`,
    },
    { label: 'padding for delta gaps', value: percent(padding.gaps), ...publishedPadding(e) },
    { label: 'padding of last lanes', value: percent(padding.tails) },
    {
      label: 'smaller than CSR-32',
      value: reduction(totalBytes.withBlocks),
      note: published ? `${reductionNote} ${publishedText(published, 1)}` : reductionNote,
      ...(published && { source: 'EC-SpMV, section 8.2' }),
    },
    ...(encodeMs === undefined ? [] : [encodingTime(encodeMs)]),
  ];
}

const publishedText = (percents: readonly number[], digits: number): string =>
  `Published with 30, 20 and 10\u202f% left: ${listText(percents.map((value) => value.toFixed(digits)))}\u202f%.`;

function publishedPadding({ deltaBits, nnz, padding: { gapValues } }: EcCsrEncoded): Pick<Fact, 'note' | 'source'> {
  const published = PUBLISHED_PADDING[deltaBits];
  if (!published) return {};
  return {
    note: `Per non-zero ${percent(gapValues / nnz)}. ${publishedText(published, 2)}`,
    source: 'EC-SpMV, table 2',
  };
}

/** Encoding time in this tab, compared with the paper's time on processors of 16 and 20 cores (table 1). */
function encodingTime(encodeMs: number): Fact {
  return {
    label: 'encoding took',
    value: encodeMs < 1000 ? `${Math.max(1, Math.round(encodeMs))} ms` : `${(encodeMs / 1000).toFixed(1)} s`,
    note: 'Published: mostly below 100 s, on 16 and 20 cores.',
    source: 'EC-SpMV, figure 8 and table 1',
  };
}

/** Whether the extraction of blocks saves bytes on this matrix. */
function verdict(e: EcCsrEncoded, bytes: ExtractionEffect['totalBytes'], coverage: ExtractionEffect['coverage']): Fact {
  const label = 'blocks on this matrix';
  if (e.maxGranularity === 1) return { label, value: 'off' };
  const min = blockColumns(e);
  if (coverage.every(({ granularity }) => granularity === 1)) {
    return { label, value: 'none', isAbsence: true, note: `No two paired rows share ${min} columns within reach.` };
  }
  const inBlocks = coverage.filter(({ granularity }) => granularity > 1);
  const blocks = listText(inBlocks.map(({ granularity, share }) => `${percent(share)} in ${granularity} rows`));
  const saved = 1 - bytes.withBlocks / bytes.without;
  const difference = percent(Math.abs(saved));
  // Below 0.05 %, which rounds to 0.0 %.
  if (Math.abs(saved) < 0.0005) {
    return { label, value: 'make no difference', note: `${blocks}: as large as without blocks.` };
  }
  return saved > 0
    ? { label, value: 'pay', note: `${blocks}: ${difference} fewer bytes.` }
    : { label, value: 'do not pay', note: `${blocks}: ${difference} more bytes.` };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1).replace('-', '\u2212')}\u202f%`;
}
