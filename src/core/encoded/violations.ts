import { type EncodedMatrix, namedArrays } from './encoded.ts';
import { f16Value } from '../number/index.ts';
import { checksum } from './checksum.ts';

/** A broken rule of an encoded matrix: the array, the index in it, and a message with what was found and expected. */
export interface Violation {
  readonly array: string;
  readonly index: number | null;
  readonly message: string;
}

/** Number of violations after which a check stops: enough to see the kind of damage. */
export const MAX_VIOLATIONS = 20;

/** Collects the violations that a check finds, with messages 'what: found, expected'. */
export class Violations {
  readonly found: Violation[] = [];

  /** Whether MAX_VIOLATIONS have been found. */
  get full(): boolean {
    return this.found.length >= MAX_VIOLATIONS;
  }

  /** Records that `what`, in `array` at `index`, is not `expected`; `why` names the source of the expectation. */
  expect(array: string, index: number | null, what: string, found: number, expected: number, why = ''): void {
    if (found === expected) return;
    this.add(array, index, `${what}: found ${found}, expected ${why ? `${why} = ` : ''}${expected}`);
  }

  add(array: string, index: number | null, message: string): void {
    this.found.push({ array, index, message });
  }

  /**
   * Compares the checksum of every array with that at encoding, unless another check found a violation, which names a
   * position. O(bytes).
   */
  unchanged(e: EncodedMatrix): void {
    if (this.found.length > 0) return;
    for (const [name, array] of namedArrays(e)) {
      this.expect(name, null, `checksum of ${name}`, checksum(array), e.checksums[name], 'as encoded');
    }
  }

  /** Checks scales: of i8 rows, finite and above 0; of groups of i4 values, finite f16. O(scales). */
  scales(scales: Float32Array | Uint16Array): void {
    const isOfGroups = scales instanceof Uint16Array;
    for (let i = 0; i < scales.length && !this.full; i++) {
      const scale = isOfGroups ? f16Value(scales[i]) : scales[i];
      if (Number.isFinite(scale) && (isOfGroups || scale > 0)) continue;
      this.add('scales', i, `scales[${i}]: found ${scale}, expected a finite number${isOfGroups ? '' : ' above 0'}`);
    }
  }

  /** Checks that row offsets begin at 0, never descend, and end at `total`. O(rows). */
  offsets(array: string, offsets: Uint32Array, total: number, totalName: string): void {
    const rows = offsets.length - 1;
    this.expect(array, 0, `${array}[0]`, offsets[0], 0);
    for (let r = 0; r < rows && !this.full; r++) {
      if (offsets[r + 1] < offsets[r]) {
        this.add(
          array,
          r + 1,
          `${array}[${r + 1}]: found ${offsets[r + 1]}, expected at least ${array}[${r}] = ${offsets[r]}`,
        );
      }
    }
    this.expect(array, rows, `${array}[${rows}]`, offsets[rows], total, totalName);
  }

  /**
   * Checks that `count` column indices of a row, elements[start], elements[start + step] ..., ascend and are below
   * `cols`. O(count).
   */
  columns(
    array: string,
    elements: Uint16Array | Uint32Array,
    row: { readonly row: number; readonly start: number; readonly count: number; readonly step: number },
    cols: number,
  ): void {
    const { start, count, step } = row;
    let previous = -1;
    for (let i = 0; i < count; i++) {
      const index = start + i * step;
      const column = elements[index];
      if (column >= cols || column <= previous) {
        const expected = column >= cols ? `, expected below ${cols}` : ` after ${previous}, expected ascending columns`;
        this.add(array, index, `${array}[${index}] in row ${row.row}: found column ${column}${expected}`);
        if (this.full) return;
      }
      previous = column;
    }
  }
}
