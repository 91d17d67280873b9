import { MINIATURE_COLUMNS, type Miniature } from '../../core/comparison/comparison.ts';
import type { Admission } from '../../core/encoded/admission.ts';
import { FormatError } from '../../core/errors.ts';
import type { AnyFormat } from '../../core/format.ts';
import { finish } from '../../core/job.ts';
import { denseMatrix, type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { pruneToPatternSteps } from '../../core/matrix/prune-pattern.ts';

/**
 * How the beginning of the first row would lie in memory if the format held it: those columns alone, which is often little
 * enough, pruned where the refusal asks for it. null where the format does not hold even that. O(cols).
 */
export function refusedMiniature(
  format: AnyFormat,
  m: Matrix,
  params: Readonly<Record<string, unknown>>,
  refusal: Extract<Admission, { readonly ok: false }>,
): Miniature | null {
  if (m.rows === 0) return null;
  const columns = Math.min(m.cols, MINIATURE_COLUMNS);
  const buffer = rowBuffer(m.cols);
  const n = m.readRow(0, buffer);
  const cells = new Float32Array(columns);
  for (let i = 0; i < n && buffer.columns[i] < columns; i++) cells[buffer.columns[i]] = buffer.values[i];
  const beginning = denseMatrix(1, columns, cells);
  const { prune } = refusal;
  const held = prune ? finish(pruneToPatternSteps(beginning, prune.kept, prune.group)) : beginning;
  if (!format.admits(held, params).ok) return null;
  try {
    return format.comparison.miniature(format.encode(held, params));
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}
