import type { AnyListedFormat } from '../../core/format.ts';
import type { BenchReport } from '../../core/report.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import {
  type BenchForm,
  dayText,
  type Device,
  type FormatParams,
  paramFields,
  withOperation,
  withUsualOperation,
  FIRST_OPERATION,
} from '../../state/index.ts';
import { isTooSmall, type OwnTimes, type TimedTogether } from '../../story/frames.ts';
import { isNear, timedMatrixOf, timedPair, type TimedMatrix, type TimedPair } from '../report/matrix-times.ts';
import { deviceOfReport } from '../report/run-verdict.ts';
import { substituteOf } from '../words/ran-instead.ts';

/* The times of the reader's matrix that the last frame of a story shows, and the run that measures them. */

/** What the times are looked up for: the open matrix, the format of the story with its parameters, and dense. */
interface OwnQuery {
  readonly summary: MatrixSummary;
  readonly tokens: number;
  readonly format: AnyListedFormat;
  readonly params: FormatParams;
  readonly reference: AnyListedFormat;
}

/** Rows and columns of the larger matrix that is timed if the reader's is too small. */
const LARGER = 4096;

/**
 * Times of the open matrix: recorded for `device`, else from `measured`, the reports of this browser; and of the larger
 * matrix that `measured` has for it. O(reports x rows).
 */
export function ownTimesOf(query: OwnQuery, device: Device, measured: readonly BenchReport[]): OwnTimes {
  const { summary, tokens, format } = query;
  const matrix = timedMatrixOf(summary, tokens, format);
  const own = together(pairIn(query, device.reports, matrix), device.name) ?? together(pairIn(query, measured, matrix));
  const spec = isTooSmall(summary) ? largerSpec(summary, format, query.params) : null;
  const ofSpec = measured.filter(
    ({ workload }) => spec && workload.source.startsWith(`${spec.pattern}, `) && isNear(workload.density, spec.density),
  );
  const larger = spec && {
    ...matrix,
    rows: spec.rows,
    cols: spec.cols,
    nnz: Math.round(spec.density * spec.rows * spec.cols),
    density: spec.density,
    names: [],
    isEstimated: true,
  };
  return { device: device.name, own, larger: larger && together(pairIn(query, ofSpec, larger)) };
}

function pairIn(
  { format, params, reference }: OwnQuery,
  reports: readonly BenchReport[],
  matrix: TimedMatrix,
): TimedPair {
  const a = { format: format.id, params, spec: format.params };
  return timedPair(reports, matrix, a, { format: reference.id, params: defaultsOf(reference), spec: reference.params });
}

/** Both times if one report has them; `device`: default the report's own name of its device. */
function together({ a, b }: TimedPair, device?: string): TimedTogether | null {
  const [formatNs, denseNs] = [a?.row.medianNs, b?.row.medianNs];
  if (!a || !b || a.report !== b.report || !formatNs || !denseNs) return null;
  const { report } = a;
  const { rows, cols, density, source } = report.workload;
  return {
    rows,
    cols,
    density,
    source: patternText(source),
    device: substituteOf(report) ? 'a software GPU' : (device ?? deviceOfReport(report)),
    date: dayText(report.recorded?.date ?? report.createdAt),
    ...(substituteOf(report) && { isSoftware: true }),
    formatNs,
    denseNs,
  };
}

const PATTERN_TEXTS: Readonly<Record<string, string>> = {
  uniform: 'weights at random positions',
  'n-of-m': 'as many weights in every group',
};

/** The pattern of a generated matrix, as a clause. */
const patternText = (source: string): string => {
  const [pattern] = source.split(',');
  return PATTERN_TEXTS[pattern] ?? `pattern ${pattern}`;
};

export function defaultsOf({ params }: AnyListedFormat): FormatParams {
  return Object.fromEntries(paramFields(params).map(([name, field]) => [name, field.default]));
}

/** Generated like the open matrix, or at random positions if it was read, with its density; or as the format needs. */
export function largerSpec(
  { source, density }: Pick<MatrixSummary, 'source' | 'density'>,
  format: Pick<AnyListedFormat, 'group' | 'requiredPruning'>,
  params: FormatParams,
): GenerateSpec {
  const shape = { rows: LARGER, cols: LARGER, seed: 1 };
  const needed = format.requiredPruning?.(params);
  const pruned = source.kind === 'pruned' && source.pruning.way === 'n-of-m' ? source.pruning : undefined;
  const even = pruned ?? needed;
  if (even) return { ...shape, pattern: 'n-of-m', density: even.kept / even.group, options: { m: even.group } };
  if (source.kind === 'generated') return { ...shape, ...patternOf(source.spec), density };
  return { ...shape, pattern: format.group === 'activations' ? 'activations' : 'uniform', density };
}

const patternOf = ({ pattern, options }: GenerateSpec): Pick<GenerateSpec, 'pattern' | 'options'> => ({
  pattern,
  ...(options && { options }),
});

/** The form of a run that times the open matrix, or if that is too small the larger one, in the format and in dense. */
export function ownForm(form: BenchForm, { summary, tokens, format, params }: Omit<OwnQuery, 'reference'>): BenchForm {
  const usual = withUsualOperation(withOperation(form, FIRST_OPERATION), { tokens, group: format.group });
  const workload = isTooSmall(summary)
    ? ({ workload: 'generated', spec: largerSpec(summary, format, params) } as const)
    : ({ workload: 'stage' } as const);
  return { ...usual, ...workload, pair: true, memory: 'cold', where: 'gpu', variants: 'auto' };
}
