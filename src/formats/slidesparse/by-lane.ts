import { EMPTY_NIBBLE } from './group-table.ts';
import { nibbleAt, type SlideSparseEncoded } from './layout.ts';

/** Windows (four columns, of which two values are kept) that 32 lanes process together: each lane four pairs. */
export const BLOCK = 256;
const LANES = 32;
/** Neighbouring windows that a lane processes at a time. */
const TOGETHER = 2;

/** Bytes of `metadataByLane`. */
export function metadataByLaneBytes(e: SlideSparseEncoded): number {
  return e.rows * Math.ceil(e.windowsPerRow / BLOCK) * LANES * 4;
}

/** Index, within a block, of the window whose nibble is the j-th in a lane's word. */
function windowOfLane(lane: number, j: number): number {
  return (Math.floor(j / TOGETHER) * LANES + lane) * TOGETHER + (j % TOGETHER);
}

/**
 * The metadata in the order in which a kernel's lanes read it: word `lane` of a block holds the nibbles of its windows
 * 2 lane, 2 lane + 1, then those 64, 128 and 192 further on, low first. Rows are rounded up to whole blocks of 256
 * windows, that is 32 words. Only a kernel reads this layout, which the format does not store. O(windows).
 */
export function metadataByLane(e: SlideSparseEncoded): Uint32Array {
  const blocks = Math.ceil(e.windowsPerRow / BLOCK);
  const words = new Uint32Array(e.rows * blocks * LANES);
  let at = 0;
  for (let row = 0; row < e.rows; row++) {
    for (let block = 0; block < blocks; block++) {
      for (let lane = 0; lane < LANES; lane++) {
        let word = 0;
        for (let j = 0; j < BLOCK / LANES; j++) {
          const window = block * BLOCK + windowOfLane(lane, j);
          word |= (window < e.windowsPerRow ? nibbleAt(e, row, window) : EMPTY_NIBBLE) << (4 * j);
        }
        words[at++] = word;
      }
    }
  }
  return words;
}
