import { type AnyFormat, distinctOptions, type ParamField } from '../../core/format.ts';
import { type Job, withReport } from '../../core/job.ts';
import type { Matrix } from '../../core/matrix/index.ts';
import type { MatrixStatistics, StatisticsRequest } from '../../core/statistics/matrix-statistics.ts';
import type { Encodings } from './encodings.ts';
import type { BestEncoding, FormatVerdict, Params } from './verdict-types.ts';

// Verdicts of formats on a matrix: the bytes that each needs, by statistics, or by encoding if statistics do not decide.

/** What the statistics of a matrix have to count so that each of these formats can give its verdict on it. */
export function statisticsRequest(formats: readonly AnyFormat[]): StatisticsRequest {
  const union = (countsOf: (format: AnyFormat) => readonly number[] | undefined): readonly number[] =>
    [...new Set(formats.flatMap((format) => countsOf(format) ?? []))].toSorted((a, b) => a - b);
  return { groups: union(({ comparison }) => comparison.groups), blocks: union(({ comparison }) => comparison.blocks) };
}

/** A format's verdict on a matrix with statistics `s`. `digest`: counts from its encoding; empty before it exists. */
export function verdictOf(
  format: AnyFormat,
  s: MatrixStatistics,
  params: Params,
  digest: Readonly<Record<string, number>>,
): FormatVerdict {
  const { comparison } = format;
  const size = comparison.size(s, params);
  return {
    why: size === 'refused' ? (comparison.whyRefused?.(s, params) ?? null) : comparison.why(s, params, digest),
    size,
    best: smallestByFormula(format, s, params),
    bytesOncePruned: size === 'refused' ? (comparison.sizeOncePruned?.(s, params) ?? null) : null,
    notes: comparison.notes?.(s) ?? [],
    marks: comparison.marks?.(s, params) ?? [],
  };
}

/** Every usable combination of the format's choices; value type and numeric parameters stay as in `params`. */
export function combinations(format: AnyFormat, params: Params): readonly Params[] {
  let sets: Params[] = [params];
  for (const [name, field] of Object.entries(format.params) as [string, ParamField<unknown>][]) {
    // Another value type rounds the values, so its bytes are not compared.
    if (field.kind !== 'choice' || name === 'valueType') continue;
    sets = sets.flatMap((set) => distinctOptions(field).map(({ value }) => ({ ...set, [name]: value })));
  }
  return sets.filter((set) => (format.unusable?.(set) ?? null) === null);
}

/** The combination with the fewest bytes by closed forms, on a tie `params` or the first; null if undecided. */
function smallestByFormula(format: AnyFormat, s: MatrixStatistics, params: Params): FormatVerdict['best'] {
  const current = format.comparison.size(s, params);
  if (current === 'open') return null;
  let best = current === 'refused' ? null : { params, bytes: current };
  for (const candidate of combinations(format, params)) {
    const bytes = format.comparison.size(s, candidate);
    if (typeof bytes === 'number' && (best === null || bytes < best.bytes)) best = { params: candidate, bytes };
  }
  return best;
}

/**
 * The parameters with the fewest bytes, and these bytes from encoding the matrix: with the best parameters by closed
 * forms, or, if these do not decide, with `params` and each of the format's candidates. null if the format cannot store
 * the matrix. Throws CancelledError.
 */
export async function findBest(
  format: AnyFormat,
  m: Matrix,
  s: MatrixStatistics,
  params: Params,
  job: Job,
  encodings: Encodings,
): Promise<BestEncoding | null> {
  const isOpen = format.comparison.size(s, params) === 'open';
  const byFormula = smallestByFormula(format, s, params);
  const candidates = isOpen
    ? [params, ...(format.comparison.candidates?.(s, params) ?? [])]
    : byFormula
      ? [byFormula.params]
      : [];
  let best: BestEncoding | null = null;
  let tried = 0;
  for (const [i, candidate] of candidates.entries()) {
    if (!format.admits(m, candidate).ok) continue;
    const count = candidates.length;
    const candidateJob = withReport(job, ({ what, done, total }) =>
      job.report({ what: `${what}, ${i + 1} of ${count}`, done: i * total + done, total: count * total }),
    );
    const bytes = await encodings.bytes(format, candidate, candidateJob);
    tried++;
    if (best === null || bytes < best.bytes) best = { params: candidate, bytes, tried: 0 };
  }
  return best && { ...best, tried };
}
