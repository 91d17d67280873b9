import { type Matrix, rowBuffer } from '../../../core/matrix/index.ts';
import { type Effect, entryEffects, type Trace, TraceBuilder, traceVector } from '../../../core/story/trace.ts';
import { encodeSteps } from '../encode.ts';
import { entryCount, GROUP, type MackoEncoded, storedDelta } from '../layout.ts';
import { finish } from '../../../core/job.ts';
import { type MackoParams, reachOf } from '../params.ts';
import { entryValue, Q4_GROUP } from '../../../core/number/index.ts';

/** Lanes of the subgroup in the pictures. Real subgroups have 4 to 128; with 4 the scan can be followed by eye. */
export const LANES = 4;

/** Entries that the drawn subgroup processes at a time. */
export const CHUNK = LANES * GROUP;

/** The content of a step. Entry numbers are absolute, as in the encoded arrays. */
export type MackoStep =
  | { readonly kind: 'row-start'; readonly row: number }
  /** 32 entries get their scale; i4 only */
  | { readonly kind: 'group-scale'; readonly row: number; readonly group: number }
  | {
      readonly kind: 'pad';
      readonly row: number;
      readonly entry: number;
      readonly column: number;
      readonly previous: number;
      readonly bridged: number;
    }
  | {
      readonly kind: 'emit';
      readonly row: number;
      readonly entry: number;
      readonly column: number;
      readonly previous: number;
      readonly bridged: number;
    }
  | { readonly kind: 'row-end'; readonly row: number }
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'word'; readonly word: number }
  | { readonly kind: 'starts' }
  | { readonly kind: 'align'; readonly row: number }
  | { readonly kind: MultiplyKind; readonly row: number; readonly chunk: number }
  | { readonly kind: 'reduce'; readonly row: number; readonly chunk: number };

/** The phases of one chunk, in order. scan0 adds the neighbour's sum, scan1 the one two lanes away. */
type MultiplyKind = 'load' | 'sum' | 'scan0' | 'scan1' | 'columns' | 'gather' | 'product';

export interface MackoTrace extends Trace<MackoStep> {
  readonly window: Matrix;
  readonly params: MackoParams;
  readonly encoded: MackoEncoded;
  /** per entry: its column, its row, and whether it is padding */
  readonly columnOf: Uint32Array;
  readonly rowOf: Uint32Array;
  readonly isPadding: Uint8Array;
  /** per non-zero, in row-major order: its entry */
  readonly entryOf: Uint32Array;
  /** per step: entries stored so far, and row starts known so far */
  readonly storedEntries: Uint32Array;
  readonly knownRows: Uint32Array;
}

/** The story of one window, from the same encoder that fills the GPU's buffers. O(entries). */
export function trace(m: Matrix, params: MackoParams): MackoTrace {
  const encoded = finish(encodeSteps(m, params));
  const entries = entryCount(encoded);
  const columnOf = new Uint32Array(entries);
  const rowOf = new Uint32Array(entries);
  const isPadding = new Uint8Array(entries);
  const builder = new TraceBuilder<MackoStep>();
  const x = traceVector(m.cols);

  builder.chapter('scan', 'Scan');
  scan(m, encoded, builder, { columnOf, rowOf, isPadding });
  builder.chapter('pack', 'Pack');
  pack(encoded, builder);
  builder.chapter('align', 'Align');
  for (let row = 0; row < m.rows; row++) {
    if (encoded.indptr[row] < encoded.indptr[row + 1]) builder.step({ kind: 'align', row });
  }
  if (entries === 0) builder.step({ kind: 'starts' });
  builder.chapter('multiply', 'Multiply');
  multiply(encoded, x, columnOf, builder);

  const { steps, chapters } = builder;
  const storedEntries = new Uint32Array(steps.length + 1);
  const knownRows = new Uint32Array(steps.length + 1);
  steps.forEach(({ detail }, i) => {
    storedEntries[i + 1] = detail.kind === 'pad' || detail.kind === 'emit' ? detail.entry + 1 : storedEntries[i];
    knownRows[i + 1] = detail.kind === 'row-end' ? detail.row + 1 : knownRows[i];
  });
  return {
    format: 'macko',
    window: m,
    params,
    encoded,
    x,
    chapters,
    steps,
    columnOf,
    rowOf,
    isPadding,
    entryOf: Uint32Array.from(columnOf.keys()).filter((entry) => isPadding[entry] === 0),
    storedEntries,
    knownRows,
  };
}

function scan(
  m: Matrix,
  encoded: MackoEncoded,
  builder: TraceBuilder<MackoStep>,
  notes: { columnOf: Uint32Array; rowOf: Uint32Array; isPadding: Uint8Array },
): void {
  const { deltaBits } = encoded;
  const isI4 = encoded.valueType === 'i4';
  const reach = reachOf(deltaBits);
  const words = new Uint32Array(encoded.deltas.length);
  const buffer = rowBuffer(m.cols);
  let entry = 0;
  /** Entry `entry` is written: its value, and its delta in the current word. */
  const stores = (): readonly Effect[] => {
    const word = Math.floor((entry * deltaBits) / 32);
    words[word] |= storedDelta(encoded, entry) << ((entry * deltaBits) % 32);
    return [
      { kind: 'store', array: 'deltas', index: word, value: words[word] },
      ...entryEffects(encoded, entry, entry === entryCount(encoded) - 1),
    ];
  };
  /** The first entry of a group stores its scale before anything else. */
  const startGroup = (row: number): void => {
    const group = entry / Q4_GROUP;
    if (!isI4 || !Number.isInteger(group)) return;
    const value = encoded.scales[group];
    builder.step({ kind: 'group-scale', row, group }, [{ kind: 'store', array: 'scales', index: group, value }]);
  };
  for (let row = 0; row < m.rows; row++) {
    const n = m.readRow(row, buffer);
    if (encoded.valueType === 'i8') {
      builder.step({ kind: 'row-start', row }, [
        { kind: 'store', array: 'scales', index: row, value: encoded.scales[row] },
      ]);
    }
    let previous = -1;
    for (let i = 0; i < n; i++) {
      const column = buffer.columns[i];
      let bridged = 0;
      while (column - previous - bridged > reach) {
        startGroup(row);
        bridged += reach;
        notes.columnOf[entry] = previous + bridged;
        notes.rowOf[entry] = row;
        notes.isPadding[entry] = 1;
        builder.step({ kind: 'pad', row, entry, column, previous, bridged }, stores());
        entry++;
      }
      startGroup(row);
      notes.columnOf[entry] = column;
      notes.rowOf[entry] = row;
      builder.step({ kind: 'emit', row, entry, column, previous, bridged }, [
        { kind: 'visit', row, col: column },
        ...stores(),
      ]);
      entry++;
      previous = column;
    }
    builder.step({ kind: 'row-end', row }, [{ kind: 'store', array: 'indptr', index: row + 1, value: entry }]);
  }
}

function pack(encoded: MackoEncoded, builder: TraceBuilder<MackoStep>): void {
  const bytes = Math.ceil((entryCount(encoded) * encoded.deltaBits) / 8);
  for (let byte = 0; byte < bytes; byte++) {
    builder.step({ kind: 'byte', byte });
    if (byte % 4 === 3 || byte === bytes - 1) builder.step({ kind: 'word', word: byte >> 2 });
  }
  builder.step({ kind: 'starts' });
}

function multiply(
  encoded: MackoEncoded,
  x: Float32Array,
  columnOf: Uint32Array,
  builder: TraceBuilder<MackoStep>,
): void {
  for (let row = 0; row < encoded.rows; row++) {
    const start = encoded.indptr[row];
    const end = encoded.indptr[row + 1];
    let chunk = alignedStart(start);
    if (start === end) {
      builder.step({ kind: 'reduce', row, chunk });
      continue;
    }
    for (; chunk < end; chunk += CHUNK) {
      for (const kind of ['load', 'sum', 'scan0', 'scan1', 'columns', 'gather'] as const)
        builder.step({ kind, row, chunk });
      const effects: Effect[] = [];
      for (let i = Math.max(start, chunk); i < Math.min(end, chunk + CHUNK); i++) {
        effects.push({ kind: 'accumulate', row, value: entryValue(encoded, row, i) * x[columnOf[i]] });
      }
      builder.step({ kind: 'product', row, chunk }, effects);
    }
    builder.step({ kind: 'reduce', row, chunk: chunk - CHUNK });
  }
}

/** Where a subgroup begins to read a row: the start of the group of 8 that holds the row's first entry. */
export function alignedStart(start: number): number {
  return Math.floor(start / GROUP) * GROUP;
}
