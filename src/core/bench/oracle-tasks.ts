import { type EncodedMatrix, namedArrays } from '../encoded/encoded.ts';
import type { AnyFormat } from '../format.ts';
import { type PartSharing, SPMV_PARTS, spmvPart, type SpmvWithBound } from '../oracle.ts';
import type { TaskKind } from '../tasks.ts';

/** Rows of an encoded matrix, and the vectors that they are multiplied with. */
interface EncodedPart {
  readonly encoded: EncodedMatrix;
  readonly xs: readonly Float32Array[];
}

/** Copies the rows [from, to) of an encoding in which each row has equally many elements of every array. */
export function rowsOfEncoded<E extends EncodedMatrix>(encoded: E, from: number, to: number): E {
  const { rows } = encoded;
  const parts = [...namedArrays(encoded)].map(([name, array]) => {
    const perRow = array.length / rows;
    return [name, array.slice(from * perRow, to * perRow)] as const;
  });
  return { ...encoded, ...Object.fromEntries(parts), rows: to - from };
}

/** How `rowsOfEncoded` of an encoding are sent to other threads; undefined if its rows are not equally long. */
export function partSharing(format: string, encoded: EncodedMatrix): PartSharing | undefined {
  if ([...namedArrays(encoded).values()].some(({ length }) => length % encoded.rows !== 0)) return undefined;
  return {
    shared: { bytes: 0, copy: () => ({ formatId: format }) },
    send({ xs, from, to }) {
      const part = rowsOfEncoded(encoded, from, to);
      const transfer = [...namedArrays(part).values()].map(({ buffer }) => buffer as ArrayBuffer);
      return { input: { encoded: part, xs } satisfies EncodedPart, transfer };
    },
  };
}

/** The task by which other threads compute parts of the oracle, y = A x in f64, for matrices in these formats. */
export function oracleTasks(
  formats: readonly Pick<AnyFormat, 'id' | 'decode'>[],
): TaskKind<{ readonly formatId: string }, EncodedPart, readonly SpmvWithBound[]> {
  return {
    name: SPMV_PARTS,
    open({ formatId }) {
      const format = formats.find(({ id }) => id === formatId);
      if (!format) throw new RangeError(`reference: found '${formatId}', expected a format`);
      return ({ encoded, xs }) => spmvPart(format.decode(encoded), { xs, from: 0, to: encoded.rows });
    },
    transferred: (parts) =>
      parts.flatMap((part) => [part.y, part.magnitude, part.entries].map(({ buffer }) => buffer as ArrayBuffer)),
  };
}
