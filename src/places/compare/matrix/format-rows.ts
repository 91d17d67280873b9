import type { ByteClass } from '../../../core/encoded/ledger.ts';
import { BYTE_CLASSES } from '../../../core/encoded/ledger.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import type { Miniature } from '../../../core/comparison/comparison.ts';
import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { type EncodingState, type FormatParams, paramFields, type RunningJob } from '../../../state/index.ts';
import type { MatrixSummary } from '../../../engine/matrix/types.ts';
import { specText } from '../../../generate/spec.ts';
import type { BestEncoding, FormatVerdict } from '../../../engine/matrix/verdicts.ts';
import { answeringReports } from '../../../kit/words/no-card.ts';
import { speedOf } from '../../../kit/words/speed-of.ts';

/** A row of the table: everything known about a format so far. */
export interface FormatRow {
  readonly format: AnyListedFormat;
  readonly params: FormatParams;
  /** 'f16 · 4 bits' */
  readonly detail: string;
  /**
   * waiting and running: not encoded yet. held: encoded. refused: the format cannot hold the matrix. failed: it could,
   * but encoding failed.
   */
  readonly state: 'waiting' | 'running' | 'held' | 'refused' | 'failed';
  /** bytes of the encoding; null until it is there */
  readonly bytes: number | null;
  /** bytes predicted from statistics before encoding; for a refused format, after its remedy */
  readonly expectedBytes: number | null;
  readonly classBits: Readonly<Record<ByteClass, number>> | null;
  readonly miniature: Miniature | null;
  readonly encodeMs: number | null;
  /** validation found no errors in the arrays */
  readonly isSound: boolean;
  readonly why: string | null;
  /** why it was refused or failed, one sentence */
  readonly reason: string | null;
  readonly prune: { readonly kept: number; readonly group: number } | null;
  /** parameters with fewer bytes, or, if refused, with which it holds the matrix; null if none are known */
  readonly better: { readonly params: FormatParams; readonly label: string; readonly bytes: number } | null;
  /** the smallest found by encoding; null until searched */
  readonly best: {
    readonly params: FormatParams;
    readonly label: string;
    readonly bytes: number;
    /** number of encodings tried */
    readonly tried: number;
  } | null;
  readonly measured: MeasuredRow | null;
  /** cancels its encoding */
  readonly job: RunningJob | null;
}

/** A run's result for a format with these parameters on this matrix. */
export interface MeasuredRow {
  readonly row: BenchRow;
  readonly speed: { readonly ratio: number; readonly p10: number; readonly p90: number } | null;
  /** share of the device's read speed, 0 to 1; null if that was not measured */
  readonly ofRead: number | null;
}

export interface RowSources {
  readonly formats: readonly AnyListedFormat[];
  readonly params: Readonly<Record<string, FormatParams>>;
  readonly encodings: Readonly<Record<string, EncodingState>>;
  readonly verdicts: Readonly<Record<string, FormatVerdict>>;
  readonly best: Readonly<Record<string, BestEncoding | null>>;
  readonly measured: ReadonlyMap<string, MeasuredRow>;
}

/** The rows of all formats, in registry order. */
export function formatRows({
  formats,
  params: all,
  encodings,
  verdicts,
  best,
  measured,
}: RowSources): readonly FormatRow[] {
  return formats.map((format) => {
    const params = all[format.id] ?? {};
    const encoding = encodings[format.id];
    const verdict = verdicts[format.id];
    const found = best[format.id];
    const ready = encoding?.kind === 'ready' ? encoding.summary : null;
    const admission = ready?.admission;
    const refusal = admission && !admission.ok ? admission : null;
    const proposal = verdict?.best ? { params: verdict.best.params as FormatParams, bytes: verdict.best.bytes } : null;
    const now = ready?.ledger?.totalBytes ?? null;
    const smaller = proposal && (refusal !== null || (now !== null && proposal.bytes < now)) ? proposal : null;
    return {
      format,
      params,
      detail: detailText(format, params),
      state: stateOf(encoding, refusal !== null),
      bytes: now,
      expectedBytes: typeof verdict?.size === 'number' ? verdict.size : (verdict?.onceHeld ?? smaller?.bytes ?? null),
      classBits: ready?.ledger?.totalBits ?? null,
      miniature: ready?.miniature ?? null,
      encodeMs: ready?.ledger ? ready.encodeMs : null,
      isSound: ready !== null && ready.violations.length === 0,
      why: refusal === null ? (verdict?.why ?? null) : null,
      reason: reasonOf(encoding, refusal?.reason ?? null, verdict?.why ?? null),
      prune: refusal?.prune ?? null,
      better: smaller && { ...smaller, label: changedText(format, params, smaller.params) },
      best: found
        ? {
            ...found,
            params: found.params as FormatParams,
            label: changedText(format, params, found.params as FormatParams),
          }
        : null,
      measured: measured.get(format.id) ?? null,
      job: encoding?.kind === 'running' ? encoding.job : null,
    };
  });
}

function stateOf(encoding: EncodingState | undefined, isRefused: boolean): FormatRow['state'] {
  switch (encoding?.kind) {
    case 'ready':
      return isRefused ? 'refused' : 'held';
    case 'running':
      return 'running';
    case 'failed':
    case 'cancelled':
      return 'failed';
    case 'waiting':
    case undefined:
      return 'waiting';
  }
}

/** The reason from statistics, which cover the whole matrix, rather than from the first misfit. */
function reasonOf(encoding: EncodingState | undefined, refused: string | null, why: string | null): string | null {
  if (refused !== null) return why ?? refused;
  if (encoding?.kind === 'failed') return encoding.reason;
  return encoding?.kind === 'cancelled' ? 'Its encoding was cancelled.' : null;
}

/** Parameters named in a row at most, besides the value type. */
const SHOWN_PARAMS = 3;

/** A format's parameters in brief: the value type, and the others if they are few or were changed. */
export function detailText(format: AnyListedFormat, params: FormatParams): string {
  const fields = paramFields(format.params).filter(([name]) => name !== 'valueType');
  const shown =
    fields.length <= SHOWN_PARAMS ? fields : fields.filter(([name, field]) => params[name] !== field.default);
  // Lines break between parameters, not within one.
  const words = shown
    .slice(0, SHOWN_PARAMS)
    .map(([name]) => optionText(format, name, params[name]).replaceAll(' ', '\u00a0'));
  return [String(params.valueType ?? ''), ...words].filter((word) => word !== '').join(' · ');
}

/** The parameters that differ, by name: 'index bits 16'. */
export function changedText(format: AnyListedFormat, before: FormatParams, after: FormatParams): string {
  return paramFields(format.params)
    .filter(([name]) => after[name] !== undefined && before[name] !== after[name])
    .map(([name, field]) => `${field.label} ${valueText(format, name, after[name])}`)
    .join(', ');
}

function valueText(format: AnyListedFormat, name: string, value: unknown): string {
  const field = paramFields(format.params).find(([key]) => key === name)?.[1];
  const option = field?.kind === 'choice' ? field.options.find((o) => o.value === value) : undefined;
  return option?.label ?? String(value);
}

function optionText(format: AnyListedFormat, name: string, value: unknown): string {
  const field = paramFields(format.params).find(([key]) => key === name)?.[1];
  const text = valueText(format, name, value);
  if (value === 'auto' && field) return `${field.label} ${text}`;
  const unit = field?.unit;
  return unit === undefined || text.includes(' ')
    ? text
    : `${text} ${Number(value) === 1 ? unit.replace(/s$/, '') : unit}`;
}

export const SORTS = ['bytes', 'format', 'bits', 'padding', 'encode', 'error', 'speed'] as const;
export type Sort = (typeof SORTS)[number];

/** The sort key of a row; null if unknown. */
function sortValue(row: FormatRow, sort: Sort, nnz: number): number | string | null {
  switch (sort) {
    case 'format':
      return row.format.title.toLowerCase();
    case 'bytes':
    case 'bits':
      return row.bytes === null ? row.expectedBytes : sort === 'bytes' ? row.bytes : (row.bytes * 8) / Math.max(1, nnz);
    case 'padding':
      return paddingShare(row);
    case 'encode':
      return row.encodeMs;
    case 'error':
      return row.measured?.row.verified.worstShare ?? null;
    case 'speed':
      return row.measured?.speed?.ratio ?? null;
  }
}

/** Padding as a share of the encoding's bytes, 0 to 1; null until it is there. */
export function paddingShare({ classBits }: FormatRow): number | null {
  if (classBits === null) return null;
  const all = BYTE_CLASSES.reduce((sum, byteClass) => sum + classBits[byteClass], 0);
  return all === 0 ? 0 : classBits.padding / all;
}

/** Rows in the requested order, then those with unknown values, then refused ones. */
export function sortedRows(
  rows: readonly FormatRow[],
  sort: Sort,
  descending: boolean,
  nnz: number,
): readonly FormatRow[] {
  const last = (row: FormatRow): number => (row.state === 'refused' || row.state === 'failed' ? 1 : 0);
  return rows.toSorted((a, b) => {
    if (last(a) !== last(b)) return last(a) - last(b);
    const [x, y] = [sortValue(a, sort, nnz), sortValue(b, sort, nnz)];
    if (x === null || y === null) return (x === null ? 1 : 0) - (y === null ? 1 : 0);
    const order = typeof x === 'string' ? x.localeCompare(String(y)) : x - Number(y);
    return descending ? -order : order;
  });
}

/** A report names the matrix on the stage as the page does, and a generated workload by its spec. */
type MeasuredMatrix = Pick<MatrixSummary, 'name' | 'rows' | 'cols' | 'nnz'> & Partial<Pick<MatrixSummary, 'source'>>;

/**
 * Per format, the fastest verified kernel, or a wrong one, of the newest run on this matrix with these parameters; of
 * software adapters only the verification, where no card has run it.
 */
export function measuredRows(
  reports: readonly Pick<BenchReport, 'environment' | 'workload' | 'rows' | 'readBandwidthGBps'>[],
  matrix: MeasuredMatrix,
  operation: string,
  params: Readonly<Record<string, FormatParams>>,
): ReadonlyMap<string, MeasuredRow> {
  const found = new Map<string, MeasuredRow>();
  const { source, name } = matrix;
  const names = source?.kind === 'generated' ? [name, specText(source.spec)] : [name];
  const inSoftware = reports.filter(({ environment }) => environment.isFallback);
  for (const { environment, workload, rows: all, readBandwidthGBps } of [...answeringReports(reports), ...inSoftware]) {
    const isThis =
      workload.operation === operation &&
      names.includes(workload.source) &&
      workload.rows === matrix.rows &&
      workload.cols === matrix.cols &&
      workload.nnz === matrix.nnz;
    if (!isThis) continue;
    const newer = new Set(found.keys());
    const rows = environment.isFallback ? all.map(untimed) : all;
    for (const row of rows) {
      if (row.draft) continue;
      const own = params[row.format] ?? {};
      if (newer.has(row.format) || !Object.entries(own).every(([name, value]) => row.params[name] === value)) continue;
      const before = found.get(row.format)?.row;
      if (before && (before.medianNs ?? Infinity) <= (row.medianNs ?? Infinity)) continue;
      const speed = speedOf(row);
      const ofRead = readBandwidthGBps !== null && row.GBps !== null ? row.GBps / readBandwidthGBps : null;
      found.set(row.format, { row, speed, ofRead });
    }
  }
  return found;
}

/** What a software adapter has verified, without its times: they answer no question about speed. */
function untimed(row: BenchRow): BenchRow {
  return { ...row, samplesNs: [], medianNs: null, p10Ns: null, p90Ns: null, GBps: null, vsDense: null };
}
