import { nibbleAt, type SlideSparseEncoded } from './layout.ts';

/** Windows that 32 neighbouring lanes take together, eight each. */
export const BLOCK = 256;
const LANES = 32;
const EMPTY_NIBBLE = 0b0100;

/** Bytes of the metadata in the order of lanes. */
export function metadataByLaneBytes(e: SlideSparseEncoded): number {
  return e.rows * Math.ceil(e.windowsPerRow / BLOCK) * LANES * 4;
}

/**
 * The metadata in the order in which a kernel's lanes need it: word `lane` of a block holds the nibbles of its windows
 * lane, lane + 32 ... lane + 224, low first. Rows are rounded up to whole blocks of 256 windows, that is 32 words.
 * A layout of the format's metadata for one kernel, not another format: the values stay where they are. O(windows).
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
          const window = block * BLOCK + j * LANES + lane;
          word |= (window < e.windowsPerRow ? nibbleAt(e, row, window) : EMPTY_NIBBLE) << (4 * j);
        }
        words[at++] = word;
      }
    }
  }
  return words;
}
