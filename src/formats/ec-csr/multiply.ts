import { f16Table } from '../../core/number/index.ts';
import { type EcCsrEncoded, type SetInfo, infosOfSets } from './layout.ts';

/**
 * y = A x on the CPU: for each column of a block an element of x is read once, and multiplied with the column's G
 * values, one per row (`granularity`). Sums in f64, y in f32. Values of 0 (padding, or rounded to 0) are skipped, so
 * that they add 0 even where x is infinite. O(columns of all blocks × G).
 */
export function multiply(e: EcCsrEncoded, x: Float32Array, y: Float32Array): void {
  const sums = new Float64Array(e.rows);
  for (const set of infosOfSets(e)) multiplySet(e, set, x, sums);
  y.set(sums);
}

/** Adds the products of the blocks of a set to the sums of their rows. */
function multiplySet(e: EcCsrEncoded, set: SetInfo, x: Float32Array, sums: Float64Array): void {
  const { values, deltaIndices, baseIndices, blockPtr, rowIndices, lanes, vectorSize, deltaBits } = e;
  const { granularity, blocks, rowIndicesAt, blockPtrAt, baseIndicesAt, deltaWordAt, valuesAt } = set;
  const table = values instanceof Uint16Array ? f16Table() : null;
  const mask = 2 ** deltaBits - 1;
  const perWord = 32 / deltaBits;
  const rowSums = new Float64Array(granularity);
  for (let block = 0; block < blocks; block++) {
    const start = blockPtr[blockPtrAt + block];
    const perLane = (blockPtr[blockPtrAt + block + 1] - start) / lanes;
    const inVectors = perLane - (perLane % vectorSize);
    rowSums.fill(0);
    for (let lane = 0; lane < lanes; lane++) {
      let column = baseIndices[baseIndicesAt + block * lanes + lane];
      for (let i = 0, width = 0; i < perLane; i += width) {
        width = i < inVectors ? vectorSize : 1;
        const segment = start + i * lanes + lane * width;
        for (let position = segment; position < segment + width; position++) {
          const word = deltaIndices[deltaWordAt + Math.floor(position / perWord)];
          column += (word >>> ((position % perWord) * deltaBits)) & mask;
          const gathered = x[column];
          const first = valuesAt + position * granularity;
          for (let g = 0; g < granularity; g++) {
            const value = table === null ? values[first + g] : table[values[first + g]];
            if (value !== 0) rowSums[g] += value * gathered;
          }
        }
      }
    }
    const firstRow = rowIndicesAt + block * granularity;
    for (let g = 0; g < granularity; g++) sums[rowIndices[firstRow + g]] += rowSums[g];
  }
}
