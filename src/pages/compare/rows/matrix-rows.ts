import { BYTE_CLASSES, sizeOf, type StorageLedger } from '../../../core/encoded/ledger.ts';
import { resolvedParams } from '../../../core/format.ts';
import { capitalised } from '../../../core/text/words.ts';
import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import type { FormatVerdict } from '../../../engine/matrix/verdict-types.ts';
import {
  type Catalog,
  type EncodingState,
  type FormatParams,
  placementOf,
  type FormatChoice,
  exampleInstead,
  type Remedy,
} from '../../../state/index.ts';
import { productBytes, timeBound } from '../../../kit/report/time-bound.ts';
import { expectedSize, expectedBytesByClass } from '../../../theory/expected-bytes.ts';
import { type BetterParams, type CompareRow, type Part, type RowFigures, UNKNOWN_ROW } from './compare-row.ts';
import type { RowMeasurement } from './measured-rows.ts';
import { bitsOf, changedText, type StoredVariant } from './stored-variants.ts';

/** What the rows of a matrix are computed from. */
export interface MatrixRowsInput {
  readonly variants: readonly StoredVariant[];
  readonly summary: MatrixSummary;
  readonly examples: Catalog['examples'];
  /** undefined until an encoding with these parameters is requested */
  readonly encodingOf: (stored: FormatChoice) => EncodingState | undefined;
  /** the verdict on the format from the matrix's statistics; null while they are counted */
  readonly verdictOf: (variant: StoredVariant) => FormatVerdict | null;
  /** the parameters with the fewest bytes, if the user has requested that search */
  readonly bestOf: (variant: StoredVariant) => { readonly params: FormatParams; readonly bytes: number } | null;
  /** times on the shown device, and verifications here, by the key of the row */
  readonly measurements: ReadonlyMap<string, RowMeasurement>;
  readonly verifications: ReadonlyMap<string, RowMeasurement>;
  /** of the shown device; null if unknown, and if bytes do not limit the time */
  readonly readGBps: number | null;
  /** of that device, for y = A x; 0 if unknown */
  readonly dispatchNs: number;
  readonly tokens: number;
}

/** The rows of Compare's table for a matrix: bytes by encoding, statistics or closed form, and times. */
export function matrixRows(input: MatrixRowsInput): readonly CompareRow[] {
  return input.variants.map((variant) => {
    const { measurements, verifications, readGBps, dispatchNs, tokens } = input;
    const sizeData =
      input.summary.sampledRows === undefined ? sizeByEncoding(variant, input) : sizeByClosedForm(variant, input);
    const { bytes = null, state } = sizeData;
    const measurement = measurements.get(variant.key);
    const benchRow = measurement?.timedRow.row;
    const timedRow = measurement && benchRow?.medianNs ? measurement.timedRow : null;
    const movedBytes = productBytes(timedRow, bytes, { ...input.summary, tokens });
    return {
      ...variant,
      ...UNKNOWN_ROW,
      minNs:
        state === 'refused' || readGBps === null ? null : (timeBound(movedBytes, { readGBps, dispatchNs })?.ns ?? null),
      // The times of a rejected row are from another matrix.
      measuredNs: state !== 'refused' && benchRow?.verified.ok ? benchRow.medianNs : null,
      ...sizeData,
      figures: {
        ...NO_FIGURES,
        ...sizeData.figures,
        verification: verifications.get(variant.key) ?? measurement ?? null,
        measurement: measurement ?? null,
      },
    };
  });
}

/** The data on a row besides its times. */
type SizeData = Partial<Omit<CompareRow, 'figures'>> & { readonly figures?: Partial<RowFigures> };

const NO_FIGURES: RowFigures = { encodeMs: null, verification: null, measurement: null, isSound: null };

/** A row from its encoding or, until there is one, from statistics. */
function sizeByEncoding(variant: StoredVariant, input: MatrixRowsInput): SizeData {
  const { summary } = input;
  const encoding = input.encodingOf(variant.stored);
  const verdict = input.verdictOf(variant);
  const size = verdict?.size ?? null;
  const job = encoding?.kind === 'running' ? encoding.job : null;
  if (encoding?.kind === 'ready') {
    const { ledger, support, encodeMs, violations } = encoding.summary;
    if (!support.ok) {
      const remedy: Remedy | null = support.prune
        ? { kind: 'prune', ...support.prune }
        : exampleInstead(variant.format, input.summary.source, input.examples);
      return {
        state: 'refused',
        bytes: verdict?.bytesOncePruned ?? null,
        // Statistics cover the whole matrix, while the encoder stops at the first misfit.
        why: (verdict?.size === 'refused' ? verdict.why : null) ?? support.reason,
        remedy,
        bestParams: betterOf(variant, verdict, null, input),
      };
    }
    const bytes = ledger && sizeOf(ledger);
    return {
      state: 'known',
      bytes,
      parts: ledger && partsOf(ledger, summary.nnz, bitsOf(variant.stored.params)),
      why: [verdict?.why ?? [], support.notes.map(({ says }) => `${says}.`)].flat().join(' ') || null,
      bestParams: betterOf(variant, verdict, bytes, input),
      figures: { encodeMs, isSound: violations.length === 0 },
    };
  }
  if (encoding?.kind === 'failed') return { state: 'failed', why: encoding.reason };
  if (encoding?.kind === 'cancelled') return { state: 'failed', why: 'Its encoding was cancelled.' };
  if (typeof size === 'number') {
    return {
      state: 'known',
      bytes: size,
      why: verdict?.why ?? null,
      bestParams: betterOf(variant, verdict, size, input),
      job,
    };
  }
  return { job };
}

/** A row from closed forms, for a matrix with only some rows generated. */
function sizeByClosedForm(variant: StoredVariant, input: MatrixRowsInput): SizeData {
  const { rows, cols, density, source } = input.summary;
  const encoding = input.encodingOf(variant.stored);
  if (encoding?.kind === 'ready' || encoding?.kind === 'running') return sizeByEncoding(variant, input);
  const shape = { rows, cols };
  const { format, stored } = variant;
  const params = resolvedParams(format.params, stored.params, shape);
  const bytes = expectedSize(format, params, density, shape, placementOf(source));
  if (bytes === 'refused') {
    const pattern = format.requiredPruning?.(params);
    return {
      state: 'refused',
      why: pattern
        ? `Needs at most ${pattern.kept} weights in every ${pattern.group}.`
        : 'For activations, not weights.',
      remedy: pattern ? { kind: 'prune', ...pattern } : exampleInstead(format, input.summary.source, input.examples),
    };
  }
  const parts = expectedBytesByClass({ format, params }, density, shape);
  if (bytes === null || parts === null) {
    return { state: 'open', why: 'Its size depends on the matrix.' };
  }
  const reason = format.expectedReason?.(density, params, shape).text ?? null;
  return {
    state: 'known',
    bytes,
    isExpected: true,
    parts: BYTE_CLASSES.map((role) => ({ role, bytes: parts[role] })),
    why: reason && `${capitalised(reason)}.`,
  };
}

/** The bytes of an encoding by purpose; zeros that are stored like other cells are padding. */
export function partsOf(
  ledger: Pick<StorageLedger, 'totalBits' | 'totalBytes' | 'entries'>,
  nnz: number,
  valueBits: number,
): readonly Part[] {
  const { totalBits, totalBytes } = ledger;
  const zeros = Math.max(0, totalBits.values - nnz * valueBits);
  const padding = totalBits.padding + zeros - 8 * (totalBytes - sizeOf(ledger));
  const bits = { ...totalBits, values: totalBits.values - zeros, padding };
  return BYTE_CLASSES.map((role) => ({ role, bytes: bits[role] / 8 }));
}

/** Parameters with fewer bytes than the current ones, or with which the format can store the matrix at all. */
function betterOf(
  variant: StoredVariant,
  verdict: FormatVerdict | null,
  currentBytes: number | null,
  { bestOf, summary }: MatrixRowsInput,
): BetterParams | null {
  const best = bestOf(variant) ?? (verdict?.best as ReturnType<MatrixRowsInput['bestOf']> | undefined) ?? null;
  if (best === null || (currentBytes !== null && best.bytes >= currentBytes)) return null;
  const { format, stored } = variant;
  const label = changedText(format, resolvedParams(format.params, stored.params, summary), best.params);
  return label === '' ? null : { stored: { format: format.id, params: best.params }, label, bytes: best.bytes };
}
