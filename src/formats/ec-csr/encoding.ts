import { declareEncoding } from '../../core/declared/declare.ts';
import type { DerivedMembers } from '../../core/declared/declarations.ts';
import type { Violations } from '../../core/encoded/violations.ts';
import type { Steps } from '../../core/job.ts';
import { lowerBound, type Matrix } from '../../core/matrix/index.ts';
import { counted, listText } from '../../core/text/words.ts';
import { comparison } from './comparison.ts';
import { type Extraction, extractSteps, PROGRESS } from './extract.ts';
import {
  arrays,
  baseBits,
  columnPosition,
  type EcCsrArray,
  type EcCsrEncoded,
  forEachColumn,
  SET_FIELDS,
  infosOfSets,
  setsTable,
  lengthsOf,
} from './layout.ts';
import { wordsPerUnit } from './overlap.ts';
import { type PackedBlock, VALUES_PER_STEP } from './pack.ts';
import { columnStep, deltasReason, type EcCsrParams, params } from './params.ts';
import { type StoragePlan, planSteps } from './storage-plan.ts';

/** Most memory for the rows as bit sets; the memory for merged rows is known only during the search. */
const MAX_BITS_BYTES = 2 ** 30;

/** How EC-CSR is encoded and checked (EC-SpMV paper, section 6), with blocks that `extract` finds (sections 4, 5). */
export function encodingOf(
  extract: (m: Matrix, p: EcCsrParams) => Steps<Extraction>,
): DerivedMembers<EcCsrEncoded, EcCsrParams> {
  return declareEncoding<EcCsrArray, EcCsrParams, EcCsrEncoded, StoragePlan>({
    id: 'ec-csr',
    params,
    arrays,
    *plan(m, p) {
      return yield* planSteps(m, p, yield* extract(m, p));
    },
    *encode(_, { sets, rowIndices, blockPtr, baseIndices, deltaIndices, values }, p, narrate, plan: StoragePlan) {
      const infos = infosOfSets({ sets: plan.setTable }); // a set: blocks with the same number of rows (granularity)
      const total = infos.reduce((sum, set) => sum + lengthsOf(set, p).values, 0);
      let reported = 0;
      for (const [s, { granularity, blocks }] of plan.packedSets.entries()) {
        let nnz = 0;
        let end = 0;
        let buffers = buffersFor(0, granularity, p);
        blockPtr.push(0);
        for (const block of blocks) {
          // Many blocks of a set are equally long.
          const { length } = block.columns;
          if (buffers.deltas.length !== length) buffers = buffersFor(length, granularity, p);
          rowIndices.pushAll(block.rows);
          fillColumns(block, buffers);
          baseIndices.pushAll(buffers.bases);
          deltaIndices.pushAll(buffers.deltas);
          nnz += fillValues(block, plan.matrix, buffers);
          values.pushAll(buffers.numbers);
          end += length;
          blockPtr.push(end);
          narrate?.(blockText(block), block.rows[0]); // a sentence for a story, and its row
          if (values.length - reported > VALUES_PER_STEP) {
            reported = values.length;
            const share = (PROGRESS.total - PROGRESS.extracted) * (reported / total);
            yield { what: 'laying out blocks', done: PROGRESS.extracted + Math.floor(share), total: PROGRESS.total };
          }
        }
        // The deltas of every set begin at a whole word of 32 bits.
        const perWord = 32 / p.deltaBits;
        deltaIndices.zeros((perWord - (deltaIndices.length % perWord)) % perWord);
        sets.pushAll(setsTable([{ ...infos[s], nnz }]));
        narrate?.(`The table of sets: ${counted(blocks.length, 'block')} of ${counted(granularity, 'row')}.`);
      }
      return { padding: plan.padding, sizes: plan.sizes };
    },
    decode({ sets, rowIndices, blockPtr, baseIndices, deltaIndices, values }, p, put) {
      for (const set of infosOfSets({ sets: sets as Uint32Array })) {
        const { granularity: G, blocks, rowIndicesAt, blockPtrAt, baseIndicesAt, deltaWordAt, valuesAt } = set;
        const deltasAt = (deltaWordAt * 32) / p.deltaBits;
        for (let b = 0; b < blocks; b++) {
          const start = blockPtr[blockPtrAt + b];
          const perLane = (blockPtr[blockPtrAt + b + 1] - start) / p.lanes;
          for (let lane = 0; lane < p.lanes; lane++) {
            let column = baseIndices[baseIndicesAt + b * p.lanes + lane];
            for (let i = 0; i < perLane; i++) {
              const position = start + columnPosition(p, perLane, lane, i);
              column += deltaIndices[deltasAt + position];
              for (let g = 0; g < G; g++)
                put(rowIndices[rowIndicesAt + b * G + g], column, values[valuesAt + position * G + g]);
            }
          }
        }
      }
    },
    // decode yields cells block by block, not in row-major order.
    order: 'any',
    refuses({ rows, cols }) {
      const bytes = rows * wordsPerUnit(cols) * 4;
      if (bytes <= MAX_BITS_BYTES) return null;
      const need = `${(bytes / 1e9).toFixed(2)} GB`;
      return {
        reason: `search for blocks: ${rows} × ${cols} cells need ${need} as bits, expected at most ${(MAX_BITS_BYTES / 1e9).toFixed(2)} GB`,
        remedy: 'Choose a part of the matrix.',
      };
    },
    listed: ['values', 'deltaIndices', 'baseIndices', 'rowIndices', 'blockPtr', 'sets'],
    rules: {
      sets: 'each begins where the previous one ends; non-zeros add up to nnz',
      rowIndices: 'below rows; no cell twice',
      blockPtr: 'from 0; blocks are multiples of a step', // of `columnStep` columns
      baseIndices: 'columns below cols; no cell twice',
      deltaIndices: 'columns below cols; no cell twice',
      values: 'no cell twice; at most nnz of them not 0',
    },
    checkLengths,
    check(e, v) {
      checkBlocks(e, v);
      if (v.found.length === 0) checkCells(e, v);
    },
    /** From delta bits, and the rows of the largest block found. O(sets). */
    sizeReason(e) {
      let granularity = 1;
      for (const set of infosOfSets(e)) if (set.blocks > 0) granularity = Math.max(granularity, set.granularity);
      return deltasReason(e.deltaBits, granularity);
    },
    comparison,
  });
}

/** The encoding without WebAssembly and other threads. */
export const encoding = encodingOf((m, p) => extractSteps(m, p));

/** Maximum number of columns that a text lists. */
const MAX_LISTED = 8;

/** A text about a block: which columns its rows share. */
function blockText({ rows: storedRows, columns, real }: PackedBlock): string {
  const rows = storedRows.toSorted();
  const realColumns = Array.from(columns).filter((_, c) => real[c] === 1);
  const paddingCount = columns.length - realColumns.length;
  const filled =
    paddingCount === 0
      ? ''
      : ` ${counted(paddingCount, 'more column')} only ${paddingCount === 1 ? 'fills' : 'fill'} its lanes.`;
  const listed = `column${realColumns.length === 1 ? '' : 's'} ${listText(realColumns.map((c) => `{column ${c}}`))}`;
  const shared = realColumns.length > MAX_LISTED ? counted(realColumns.length, 'column') : listed;
  if (rows.length === 1) return `Row {row ${rows[0]}} keeps a separate list: ${shared}.${filled}`;
  const isRun = rows.length > 2 && rows.every((row, g) => row === rows[0] + g);
  const rowNames = Array.from(rows, (row) => `{row ${row}}`);
  const rowText = isRun ? `${rowNames[0]} to ${rowNames[rowNames.length - 1]}` : listText(rowNames);
  return `Rows ${rowText} share ${shared}: one list for ${counted(rows.length * realColumns.length, 'weight')}.${filled}`;
}

/** The elements of one block in storage order; reused for all blocks of the same size. */
interface BlockBuffers {
  /** by column in the order of the matrix: its position in memory */
  readonly positions: Uint32Array;
  readonly bases: Uint32Array;
  readonly deltas: Uint32Array;
  readonly numbers: Float32Array;
}

/** Buffers for a block. Each of the L lanes has 1/L of its columns, in order; each is stored at its `columnPosition`. */
function buffersFor(columns: number, granularity: number, p: EcCsrParams): BlockBuffers {
  const perLane = columns / p.lanes;
  const positions = new Uint32Array(columns);
  for (let c = 0; c < columns; c++) positions[c] = columnPosition(p, perLane, Math.floor(c / perLane), c % perLane);
  const numbers = new Float32Array(columns * granularity);
  return { positions, bases: new Uint32Array(p.lanes), deltas: new Uint32Array(columns), numbers };
}

/** Fills in each lane's first column, and the distances to the others. The story quotes lines after `// step: NAME`. */
function fillColumns({ columns }: PackedBlock, { positions, bases, deltas }: BlockBuffers): void {
  const perLane = columns.length / bases.length;
  for (let lane = 0; lane < bases.length; lane++) {
    const first = lane * perLane;
    bases[lane] = columns[first];
    for (let c = first + 1; c < first + perLane; c++) {
      // step: delta
      deltas[positions[c]] = columns[c] - columns[c - 1];
    }
  }
}

/** Fills in a value per row for each column, 0 for padding. Returns how many are not padding. */
function fillValues(
  { rows, columns, real }: PackedBlock,
  { indptr, indices, data }: StoragePlan['matrix'],
  { positions, numbers }: BlockBuffers,
) {
  let nnz = 0;
  numbers.fill(0);
  for (let g = 0; g < rows.length; g++) {
    const start = indptr[rows[g]];
    const inRow = indices.subarray(start, indptr[rows[g] + 1]);
    let at = start + lowerBound(inRow, inRow.length, columns[0]);
    for (let c = 0; c < columns.length; c++) {
      if (real[c] === 0) continue;
      while (indices[at] < columns[c]) at++;
      // step: value
      numbers[positions[c] * rows.length + g] = data[at];
      nnz++;
    }
  }
  return nnz;
}

/** Arrays that consist of a part for every set. */
const PER_SET = ['rowIndices', 'blockPtr', 'baseIndices', 'deltaIndices', 'values'] as const;

/** Checks that the parts of sets follow each other, and add up to the arrays. */
function checkLengths(e: EcCsrEncoded, v: Violations): void {
  v.expect('sets', null, `sets beyond rows of ${SET_FIELDS} elements`, e.sets.length % SET_FIELDS, 0);
  if (v.found.length > 0) return;
  const end = { rowIndices: 0, blockPtr: 0, baseIndices: 0, deltaIndices: 0, values: 0 };
  let nnz = 0;
  for (const [s, set] of infosOfSets(e).entries()) {
    const starts = [set.rowIndicesAt, set.blockPtrAt, set.baseIndicesAt, set.deltaWordAt, set.valuesAt];
    starts.forEach((start, i) =>
      v.expect('sets', null, `start ${i} of set ${s}`, start, end[PER_SET[i]], 'the end of the previous set'),
    );
    const lengths = lengthsOf(set, e);
    for (const array of PER_SET) end[array] += lengths[array];
    nnz += set.nnz;
  }
  for (const array of PER_SET) {
    v.expect(array, null, array, e[array].length, end[array], 'elements of all sets');
  }
  v.expect('sets', null, 'sets', nnz, e.nnz, 'non-zeros of all sets');
  const bits = e.baseIndices.BYTES_PER_ELEMENT * 8;
  v.expect('baseIndices', null, 'bits of a base', bits, baseBits(e), `enough for ${e.cols} columns`);
}

/** Checks that the columns of every block are a positive multiple of `columnStep`, and that its rows exist. */
function checkBlocks(e: EcCsrEncoded, v: Violations): void {
  const multiple = columnStep(e);
  for (const set of infosOfSets(e)) {
    v.expect('blockPtr', set.blockPtrAt, `blockPtr[${set.blockPtrAt}]`, e.blockPtr[set.blockPtrAt], 0);
    for (let b = 0; b < set.blocks && !v.full; b++) {
      const index = set.blockPtrAt + b;
      const columns = e.blockPtr[index + 1] - e.blockPtr[index];
      if (columns > 0 && columns % multiple === 0) continue;
      v.add(
        'blockPtr',
        index + 1,
        `blockPtr[${index + 1}]: found a block of ${columns} columns, expected a positive multiple of ${multiple}`,
      );
    }
    const end = set.blockPtrAt + set.blocks;
    v.expect('blockPtr', end, `blockPtr[${end}]`, e.blockPtr[end], set.columns, 'columns of the set');
  }
  for (let i = 0; i < e.rowIndices.length && !v.full; i++) {
    if (e.rowIndices[i] >= e.rows) {
      v.add('rowIndices', i, `rowIndices[${i}]: found ${e.rowIndices[i]}, expected below ${e.rows}`);
    }
  }
}

/** Checks that columns are inside the matrix, that no cell is stored twice, and that at most nnz values are not 0. */
function checkCells(e: EcCsrEncoded, v: Violations): void {
  const words = Math.ceil(e.cols / 32);
  // A bit for each cell.
  const storedCells = new Uint32Array(e.rows * words);
  let nonZeros = 0;
  forEachColumn(e, (column, valuesAt, rowIndicesAt, granularity) => {
    if (v.full) return;
    if (column >= e.cols) {
      v.add('deltaIndices', null, `deltaIndices: found column ${column}, expected below ${e.cols}`);
      return;
    }
    for (let g = 0; g < granularity; g++) {
      if (e.values[valuesAt + g] === 0) continue;
      nonZeros++;
      const row = e.rowIndices[rowIndicesAt + g];
      const word = row * words + (column >>> 5);
      const bit = 1 << (column & 31);
      if ((storedCells[word] & bit) !== 0) {
        v.add(
          'values',
          valuesAt + g,
          `values[${valuesAt + g}]: row ${row}, column ${column} is stored twice, expected once`,
        );
      }
      storedCells[word] |= bit;
    }
  });
  if (v.found.length === 0 && nonZeros > e.nnz) {
    v.add('values', null, `values that are not 0: found ${nonZeros}, expected at most nnz = ${e.nnz}`);
  }
}
