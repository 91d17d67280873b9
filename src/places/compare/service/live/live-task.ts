import { SparseScopeError } from '../../../../core/errors.ts';
import { type AnyFormat, type EncodedMatrix, namedArrays } from '../../../../core/format.ts';
import type { Matrix } from '../../../../core/matrix/index.ts';
import { pruneToPatternSteps } from '../../../../core/matrix/prune-pattern.ts';
import { RepeatedRows } from '../../../../core/matrix/repeated-rows.ts';
import { finish } from '../../../../core/job.ts';
import type { TaskKind } from '../../../../core/tasks.ts';
import { Band } from './band.ts';

/** The base from which matrices of all densities are made. */
export type LiveShape = Readonly<Record<'rows' | 'cols' | 'seed', number>>;

/** One format at one density. */
export interface LiveInput {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly density: number;
}

/** At most `kept` entries per `group` columns. */
export interface LivePattern {
  readonly kept: number;
  readonly group: number;
}

/** The encoded matrix, or why there is none. */
export type LiveOutput =
  | {
      readonly ok: true;
      readonly encoded: EncodedMatrix;
      readonly encodeMs: number;
      /** the pattern it was pruned to first, if the format requires one */
      readonly pattern: LivePattern | null;
    }
  | { readonly ok: false; readonly reason: string };

/** The distinct rows at a density, pruned to a pattern if the format requires one. */
export function liveBand(band: Band, density: number, pattern: LivePattern | null): Matrix {
  const at = band.at(density);
  return pattern ? finish(pruneToPatternSteps(at, pattern.kept, pattern.group)) : at;
}

/** Makes the matrix of a density and encodes it in a format, on the calling thread. */
export function liveEncoder(
  formats: readonly AnyFormat[],
  { rows, cols, seed }: LiveShape,
): (input: LiveInput) => LiveOutput {
  const band = new Band(rows, cols, seed);
  return ({ format: id, params, density }) => {
    const format = formats.find((one) => one.id === id);
    if (!format)
      throw new RangeError(`format: found '${id}', expected one of ${formats.map((one) => one.id).join(', ')}`);
    try {
      let pattern: LivePattern | null = null;
      let made = liveBand(band, density, null);
      const admission = format.admits(made, params);
      if (!admission.ok) {
        if (!admission.prune) return { ok: false, reason: admission.reason };
        pattern = { ...admission.prune };
        made = liveBand(band, density, pattern);
      }
      const start = performance.now();
      const encoded = encodeRepeated(format, made, rows, params);
      return { ok: true, encoded, encodeMs: performance.now() - start, pattern };
    } catch (error) {
      if (error instanceof SparseScopeError) return { ok: false, reason: error.message };
      throw error;
    }
  };
}

/**
 * How many copies of the distinct rows are encoded before the arrays are repeated: one if every row ends at a word
 * boundary, otherwise enough that entries of any number of bits fill whole words.
 */
const ENCODED_RUNS = [1, 8];

/** A matrix that repeats these rows; a format that can encodes only a part of it, and repeats its arrays. */
function encodeRepeated(
  format: AnyFormat,
  band: Matrix,
  rows: number,
  params: Readonly<Record<string, unknown>>,
): EncodedMatrix {
  for (const runs of format.repeat ? ENCODED_RUNS : []) {
    const part = runs * band.rows;
    if (rows % part !== 0 || rows === part) continue;
    const encoded: EncodedMatrix = format.encode(new RepeatedRows(band, part), params);
    const whole: EncodedMatrix | null | undefined = format.repeat?.(encoded, rows / part);
    if (whole) return whole;
  }
  return format.encode(new RepeatedRows(band, rows), params);
}

/** `liveEncoder` as a task for other threads, each of which makes the base once. */
export function liveTasks(formats: readonly AnyFormat[]): TaskKind<LiveShape, LiveInput, LiveOutput> {
  return {
    name: 'live/encode',
    open: (shape) => liveEncoder(formats, shape),
    transferred: (output) => (output.ok ? buffersOf(output.encoded) : []),
  };
}

function buffersOf(encoded: EncodedMatrix): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { buffer } of namedArrays(encoded).values()) if (buffer instanceof ArrayBuffer) buffers.add(buffer);
  return [...buffers];
}
