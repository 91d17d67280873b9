import { clip } from '../../core/bounds/quote.ts';
import { ReadError } from '../../core/errors.ts';
import { DeclaredSizeError } from '../archives/decompression-limit.ts';
import type { Symmetry } from '../coo.ts';
import { amount, checkDimensions, COMPLEX_ADVICE } from '../read-checks.ts';
import { quotedText, textOf } from './characters.ts';
import { LINE_FEED, quoted } from './text-lines.ts';

// Reads the header of a Matrix Market file: banner, comments and size line.

/** The contents of the banner and the size line of a Matrix Market file. */
export interface MtxHeader {
  readonly layout: 'coordinate' | 'array';
  readonly field: 'real' | 'integer' | 'pattern';
  /** hermitian is symmetric here, because complex values are rejected */
  readonly symmetry: Symmetry;
  readonly rows: number;
  readonly cols: number;
  /** entries that the file declares (coordinate), or values that the shape requires (array) */
  readonly entries: number;
}

/** The contents of the banner, the first line of a file. */
type MtxBanner = Pick<MtxHeader, 'layout' | 'field' | 'symmetry'>;

const PERCENT = '%';
const PERCENT_BYTE = 0x25;
/** Other names of fields: SciPy writes the second. */
const FIELD_ALIASES: ReadonlyMap<string, string> = new Map([
  ['double', 'real'],
  ['unsigned-integer', 'integer'],
]);
const BANNER = '%%MatrixMarket matrix';

/** Reads banner, comments and size line, block by block. */
export class MtxHeaderReader {
  /** null until the size line has been read */
  header: MtxHeader | null = null;
  /** lines read so far */
  line = 0;
  readonly #maxSize: number;
  #banner: MtxBanner | null = null;

  /** `maxSize`: the largest possible size of the file, against which the size line is checked */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** Continues with a block of whole lines and returns where the entries begin, or the end of the block. */
  feed(block: Uint8Array): number {
    let offset = 0;
    while (offset < block.length && this.header === null) {
      this.line++;
      // Most of a file may be empty lines.
      if (block[offset] === LINE_FEED && this.#banner !== null) {
        offset++;
        continue;
      }
      const end = block.indexOf(LINE_FEED, offset);
      this.#readLine(block.subarray(offset, end));
      offset = end + 1;
    }
    return offset;
  }

  /** The header after the last block. Throws ReadError if it is incomplete. */
  complete(): MtxHeader {
    if (this.header) return this.header;
    if (this.#banner === null) throw new ReadError(`line 1: found the end, expected '${BANNER} ...'`);
    throw new ReadError(`line ${this.line + 1}: found the end, expected the size line`);
  }

  #readLine(line: Uint8Array): void {
    // Most of a file may be comments: they are recognised without decoding them.
    if (this.#banner !== null && line[0] === PERCENT_BYTE) return;
    const text = textOf(line).trim();
    if (this.#banner === null) {
      this.#banner = parseBanner(text, line);
    } else if (text !== '' && !text.startsWith(PERCENT)) {
      this.header = { ...this.#banner, ...this.#parseSizes(text, this.#banner, line) };
    }
  }

  #parseSizes(
    text: string,
    { layout, field, symmetry }: MtxBanner,
    line: Uint8Array,
  ): Pick<MtxHeader, 'rows' | 'cols' | 'entries'> {
    const where = `line ${this.line}`;
    const words = text.split(/\s+/);
    const expected = layout === 'coordinate' ? 'rows, cols and entries' : 'rows and cols';
    if (words.length !== (layout === 'coordinate' ? 3 : 2) || words.some((w) => !/^\d+$/.test(w))) {
      throw new ReadError(`${where}: found ${quoted(line)}, expected ${expected} as whole numbers`);
    }
    const [rows, cols] = words.map(Number);
    // Messages contain the numbers as written, without leading zeros; many digits are shortened like any other text.
    const texts = words.map((word) => clip(word.replace(/^0+(?=\d)/, '')));
    checkDimensions(where, rows, cols, this.#maxSize, [texts[0], texts[1]]);
    if (symmetry !== 'general' && rows !== cols) {
      throw new ReadError(`${where}: found ${rows} × ${cols}, expected as many rows as cols in a ${symmetry} matrix`);
    }
    const entries =
      layout === 'coordinate' ? Number(words[2]) : Number(storedCells(BigInt(rows), BigInt(cols), symmetry));
    const entriesText = layout === 'coordinate' ? texts[2] : String(storedCells(BigInt(rows), BigInt(cols), symmetry));
    if (rows * cols === 0 && entries > 0) {
      throw new ReadError(
        `${where}: found ${amount(entriesText, 'entry', 'entries')} of a ${rows} × ${cols} matrix, expected 0`,
      );
    }
    // The shortest lines, with the line feed: '1' of an array, '1 1' of a pattern, '1 1 1' with a value.
    const bytesPerEntry = layout === 'array' ? 2 : field === 'pattern' ? 4 : 6;
    const max = Math.floor((this.#maxSize + 1) / bytesPerEntry);
    if (entries > max) {
      throw new DeclaredSizeError(
        `${where}: found ${amount(entriesText, 'entry', 'entries')}, expected at most ${max} in this file`,
      );
    }
    return { rows, cols, entries };
  }
}

/** Cells that an array file of this symmetry contains: all, the lower triangle, or the cells below the diagonal. */
function storedCells(rows: bigint, cols: bigint, symmetry: Symmetry): bigint {
  if (symmetry === 'general') return rows * cols;
  return symmetry === 'symmetric' ? (rows * (rows + 1n)) / 2n : (rows * (rows - 1n)) / 2n;
}

function parseBanner(text: string, line: Uint8Array): MtxBanner {
  const [mark, object, layout, fieldName, symmetryName, behind] = text.toLowerCase().split(/\s+/);
  if (mark !== '%%matrixmarket' && mark !== '%matrixmarket') {
    throw new ReadError(`line 1: found ${quoted(line)}, expected '${BANNER} ...'`);
  }
  if (object !== 'matrix') throw new ReadError(`line 1: found ${named('object', object)}, expected matrix`);
  if (layout !== 'coordinate' && layout !== 'array') {
    throw new ReadError(`line 1: found ${named('format', layout)}, expected coordinate or array`);
  }
  if (fieldName === 'complex') {
    throw new ReadError(`line 1: found complex values; ${COMPLEX_ADVICE}`);
  }
  const field = FIELD_ALIASES.get(fieldName) ?? fieldName;
  if (field !== 'real' && field !== 'integer' && field !== 'pattern') {
    throw new ReadError(`line 1: found ${named('field', fieldName)}, expected real, integer or pattern`);
  }
  const symmetry = symmetryName === 'hermitian' ? 'symmetric' : symmetryName;
  if (symmetry !== 'general' && symmetry !== 'symmetric' && symmetry !== 'skew-symmetric') {
    throw new ReadError(
      `line 1: found ${named('symmetry', symmetryName)}, expected general, symmetric, skew-symmetric or hermitian`,
    );
  }
  if (behind !== undefined) {
    throw new ReadError(`line 1: found ${quotedText(behind)} after the symmetry, expected the end of the line`);
  }
  if (field === 'pattern' && (layout === 'array' || symmetry === 'skew-symmetric')) {
    const impossible = layout === 'array' ? 'an array' : `a ${symmetry}`;
    throw new ReadError(`line 1: found ${impossible} pattern matrix, expected real or integer values`);
  }
  return { layout, field, symmetry };
}

function named(what: string, word: string | undefined): string {
  return word === undefined ? `no ${what}` : `the ${what} ${quotedText(word)}`;
}
