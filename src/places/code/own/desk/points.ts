import type { CsrMatrix } from '../../../../core/matrix/index.ts';
import { shortestF32 } from '../../../../core/number/index.ts';
import type { Run } from '../../../../own/asking.ts';
import { asStored, valueTypeOf } from '../../../../own/decoded.ts';
import { ownersOf } from '../../../../own/story/owners.ts';
import type { Problem } from './desk-state.ts';

/**
 * What a matrix that does not come back points at: the element from which decode made the first wrong cell, or that it
 * never read, and the line that stored it. Null where nothing is wrong, or no store is known. O(elements + reads).
 */
export function pointOf(run: Run, matrix: CsrMatrix): Problem | null {
  const { puts } = run.decoding;
  const expected = cellsOf(asStored(matrix, valueTypeOf(run.chosen.arrays)));
  const owners = ownersOf(run);
  for (let i = 0; i < puts.rows.length; i++) {
    const [row, column] = [puts.rows[i], puts.columns[i]];
    const value = expected.get(`${row},${column}`) ?? 0;
    if (Object.is(value, puts.values[i])) continue;
    // A right value in the wrong place was read with its index, a wrong value in the right place by itself.
    const isPlace = !expected.has(`${row},${column}`);
    const read = owners.readBefore(i);
    const blamed = read.find(([array]) => (classOf(run, array) === 'values') !== isPlace) ?? read.at(-1);
    if (!blamed) return null;
    const from = elementText(run, blamed);
    return pointAt(run, blamed, `From ${from} decode makes row ${row}, column ${column}.`);
  }
  return outside(run) ?? unread(run);
}

/** What was read before decode left the matrix. */
function outside(run: Run): Problem | null {
  const { reads, puts, outside: call } = run.decoding;
  if (call === null || !reads) return null;
  const read = Array.from(reads.at, (at, i) => [reads.array[i], at] as const).filter(
    (_, i) => reads.before[i] === puts.rows.length,
  );
  const blamed = read.find(([array]) => classOf(run, array) === 'indices') ?? read.at(-1);
  return blamed ? pointAt(run, blamed, `From ${elementText(run, blamed)} decode makes ${call}.`) : null;
}

/** The first element that decode never read. */
function unread(run: Run): Problem | null {
  const { reads } = run.decoding;
  if (!reads || reads.at.length === 0) return null;
  const read = new Set(Array.from(reads.at, (at, i) => `${reads.array[i]}/${at}`));
  const last = reads.at.length - 1;
  const isPadded = paddingOf(run);
  for (const [array, { elements }] of run.encoding.arrays.entries()) {
    for (let at = 0; at < elements.length; at++) {
      if (read.has(`${array}/${at}`) || isPadded(array, at)) continue;
      const lastRead = elementText(run, [reads.array[last], reads.at[last]]);
      const name = elementText(run, [array, at]);
      return pointAt(run, [array, at], `${name} is never read; the last read was ${lastRead}.`);
    }
  }
  return null;
}

function pointAt(
  { encoding: { stores } }: Run,
  [array, at]: readonly [number, number],
  sentence: string,
): Problem | null {
  for (let i = (stores?.at.length ?? 0) - 1; i >= 0; i--) {
    if (stores && stores.array[i] === array && stores.at[i] === at) return { sentence, line: stores.line[i] };
  }
  return null;
}

function paddingOf({ encoding: { stores } }: Run): (array: number, at: number) => boolean {
  const pads = new Set<string>();
  for (let i = 0; i < (stores?.at.length ?? 0); i++) {
    if (stores && stores.isPadding[i] === 1) pads.add(`${stores.array[i]}/${stores.at[i]}`);
  }
  return (array, at) => pads.has(`${array}/${at}`);
}

function classOf({ encoding }: Run, array: number): string {
  return encoding.arrays[array].array.byteClass;
}

function elementText({ encoding }: Run, [array, at]: readonly [number, number]): string {
  const { array: own, elements } = encoding.arrays[array];
  const value = own.type.kind === 'float' ? shortestF32(elements[at]) : String(elements[at]);
  return `${own.name}[${at}] = ${value}`;
}

function cellsOf({ rows, indptr, indices, data }: CsrMatrix): ReadonlyMap<string, number> {
  const cells = new Map<string, number>();
  for (let r = 0; r < rows; r++) {
    for (let i = indptr[r]; i < indptr[r + 1]; i++) cells.set(`${r},${indices[i]}`, data[i]);
  }
  return cells;
}
