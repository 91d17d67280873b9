import { sizeOf } from '../../../core/encoded/ledger.ts';
import { useMemo } from 'react';
import { type Roofs, TRAIL_TOKENS } from '../../../theory/roofline/roofs.ts';
import {
  type Device,
  REFERENCE_FORMAT,
  choiceA,
  encodingOf,
  type FormatParams,
  placementOf,
  type SessionState,
} from '../../../state/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { numberChoice, textChoice, useChoices } from '../../../kit/browser/choices.ts';
import type { VisibleDevice } from '../../../kit/devices/use-device.ts';
import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import { computes } from '../../../kit/report/operation-words.ts';
import type { FormatEstimate, RoofPoint, RooflineMatrix } from './roof-points.ts';
import {
  choiceOf,
  choiceOfFormat,
  chosenPoint,
  fastestOfFormats,
  keyOf,
  measuredPoints,
  predictedPoint,
  rooflineMatrices,
} from './roof-points.ts';
import type { MeasuredPair } from '../answer/use-measured.ts';
import { referenceValueType } from '../../../core/bench/cases.ts';
import { type AnyListedFormat, resolvedParams } from '../../../core/format.ts';
import { expectedSize } from '../../../theory/expected-bytes.ts';

/** The choices on the roofline, which the page's address stores. */
const ROOFLINE_CHOICES = {
  /** shape and non-zeros of a measured matrix, as `keyOf` writes them; '': the open matrix */
  matrix: textChoice(60),
  /** a format, its arithmetic and value type, as `choiceOf` writes them; '': format A of the page */
  format: textChoice(40),
  /** 0: the number in the selection bar */
  tokens: numberChoice(0, 65_536, 0, true),
};

/** The contents of the roofline. */
export type Roofline = ReturnType<typeof useRoofline>;

/** Properties of the roofline's components. */
export interface RooflineProps {
  readonly roofline: Roofline;
}

/**
 * The contents of the roofline: the device of the roofs, the matrix, its kernels as points, and the choices. `pair`: A
 * and B with their times on the page, which the roofline shows too.
 */
export function useRoofline(visibleDevice: VisibleDevice, pair: MeasuredPair | null) {
  const { formats } = useApp();
  const [chosen, choose] = useChoices(ROOFLINE_CHOICES);
  const pageTokens = useDocument((doc) => doc.tokens);
  const choiceOfA = useDocument((doc) => choiceOfFormat(doc.format, choiceA(doc).params));
  const choices = useMemo(
    () => ({ ...chosen, tokens: chosen.tokens || pageTokens, format: chosen.format || choiceOfA }),
    [chosen, pageTokens, choiceOfA],
  );
  const summary = useSession((s) => s.summary);
  const runs = useSession((s) => s.bench.runs);
  const encodings = useSession((s) => s.encodings);
  const params = useDocument((doc) => doc.params);
  const reports = useMemo(() => runs.flatMap((run) => run.reports), [runs]);
  const { device: timedDevice, devices } = visibleDevice;
  /** the device whose roofs are drawn: another one if the timed device's roofs are unknown */
  const device = useMemo((): RoofDevice => roofDevice(timedDevice, devices), [timedDevice, devices]);
  const matrices = useMemo((): readonly RooflineMatrix[] => {
    const measuredMatrices = rooflineMatrices([...timedDevice.reports, ...reports]);
    if (!summary) return measuredMatrices;
    const open = openRooflineMatrix(summary);
    return [open, ...measuredMatrices.filter(({ key }) => key !== keyOf(open))];
  }, [summary, timedDevice, reports]);
  const rooflineMatrix = matrices.find(({ key }) => key === choices.matrix) ?? matrices[0] ?? null;
  // Without non-zeros there is no arithmetic, and a log axis has no 0.
  const drawn = rooflineMatrix?.nnz === 0 ? null : rooflineMatrix;
  /** every kernel of every operation measured on this matrix, on the timed device */
  const measured = useMemo((): readonly RoofPoint[] => {
    const pairReports =
      pair === null || drawn?.key !== '' ? [] : pair.sides.flatMap(({ timedRow }) => timedRow?.report ?? []);
    return drawn === null ? [] : measuredPoints(timedDevice.reports, drawn, device.roofs, pairReports);
  }, [timedDevice, drawn, device, pair]);
  const expected = useMemo(() => {
    if (drawn === null) return [];
    const isOpenMatrix = drawn.key === '';
    return formats.map((format) =>
      expectedOf(format, params[format.id] ?? {}, drawn, isOpenMatrix ? encodings[format.id] : undefined),
    );
  }, [formats, params, drawn, encodings]);
  const { tokens } = choices;
  /** each format's fastest kernel with this many tokens, or its prediction; fastest first */
  const points = useMemo((): readonly RoofPoint[] => {
    if (drawn === null) return [];
    const operation = tokens === 1 ? 'spmv' : 'gemm';
    const predicted = expected.flat().flatMap((estimate) => {
      if (estimate === 'refused') return [];
      const format = formats.find(({ id }) => id === estimate.format);
      const canCompute = format && computes(format, operation, estimate.params, tokens);
      return canCompute ? predictedPoint(estimate, drawn, tokens, device.roofs) : [];
    });
    return fastestOfFormats([...measured, ...predicted], tokens, (point) =>
      hasPageParams(point, formats, params, drawn),
    );
  }, [measured, expected, drawn, tokens, device, formats, params]);
  const others = points.filter((p) => p.format !== REFERENCE_FORMAT || p.valueType !== null);
  const dense =
    points.find((p) => choiceOf(p) === REFERENCE_FORMAT && p.tokens !== null) ??
    points.find((p) => p.format === REFERENCE_FORMAT && p.tokens !== null) ??
    null;
  const fastest = others.find((p) => p.measured !== null) ?? (dense?.measured ? dense : others[0]) ?? dense;
  const point = chosenPoint(points, choices.format) ?? fastest ?? null;
  const storedBytes = point && drawn ? storedBytesOf(point, formats, drawn, encodings) : null;
  /** numbers of tokens on the slider: fixed ones, the current one, and measured ones */
  const stops = useMemo(() => {
    const counts = new Set([...TRAIL_TOKENS, tokens, ...measured.flatMap((p) => p.tokens ?? [])]);
    return [...counts].toSorted((a, b) => a - b);
  }, [measured, tokens]);
  /** ids of formats that cannot store the open matrix */
  const rejected: readonly string[] = formats.filter((_, i) => expected[i]?.includes('refused')).map(({ id }) => id);
  return {
    choices,
    choose,
    matrices,
    rooflineMatrix,
    device,
    measured,
    points,
    point,
    storedBytes,
    dense,
    stops,
    rejected,
  };
}

/** Whether a kernel ran with the parameters that its format has on the page, apart from the type of its values. */
function hasPageParams(
  { format: id, params: kernelParams }: RoofPoint,
  formats: readonly AnyListedFormat[],
  params: Readonly<Record<string, FormatParams>>,
  rooflineMatrix: RooflineMatrix,
): boolean {
  const format = formats.find((listed) => listed.id === id);
  if (!format) return false;
  const pageParams = resolvedParams(format.params, params[id] ?? {}, rooflineMatrix);
  return Object.entries(pageParams).every(
    ([name, value]) => name === 'valueType' || (kernelParams[name] ?? value) === value,
  );
}

/** Bytes of the arrays of a kernel's format: counted if the open matrix is encoded so, else by closed form; null: unknown. */
function storedBytesOf(
  { format: id, params }: RoofPoint,
  formats: readonly AnyListedFormat[],
  rooflineMatrix: RooflineMatrix,
  encodings: SessionState['encodings'],
): number | null {
  const format = formats.find((listed) => listed.id === id);
  if (!format) return null;
  const stored = { format: id, params: resolvedParams(format.params, params, rooflineMatrix) as FormatParams };
  const encoding = rooflineMatrix.key === '' ? encodingOf(encodings, stored) : undefined;
  const counted = encoding?.kind === 'ready' ? encoding.summary.ledger?.totalBytes : undefined;
  return counted ?? closedForm(format, stored.params, rooflineMatrix);
}

/** The open matrix of the roofline. */
function openRooflineMatrix({ name, rows, cols, nnz, source }: MatrixSummary): RooflineMatrix {
  return { key: '', title: name, rows, cols, nnz, placement: placementOf(source) };
}

/** Estimated bytes of a matrix in a format; empty if unknown. For dense in i4 also in f16, its reference, first. */
export function expectedOf(
  format: AnyListedFormat,
  params: Readonly<Record<string, unknown>>,
  rooflineMatrix: RooflineMatrix,
  encoding: SessionState['encodings'][string] | undefined,
): readonly (FormatEstimate | 'refused')[] {
  const { rows, cols, nnz } = rooflineMatrix;
  const isReference = format.id === REFERENCE_FORMAT;
  const multiplyAdds = isReference ? rows * cols : nnz;
  if (encoding?.kind === 'ready' && !encoding.summary.support.ok) return ['refused'];
  const counted = encoding?.kind === 'ready' && encoding.summary.ledger !== null ? encoding.summary : null;
  const chosen = counted?.params ?? resolvedParams(format.params, params, rooflineMatrix);
  const matrixBytes = (counted?.ledger && sizeOf(counted.ledger)) ?? closedForm(format, chosen, rooflineMatrix);
  if (matrixBytes === null) return [];
  const estimate = { format: format.id, params: chosen, matrixBytes, isCounted: counted !== null, multiplyAdds };
  const compared = isReference ? referenceValueType(format, chosen.valueType) : chosen.valueType;
  if (compared === chosen.valueType) return [estimate];
  const comparedParams = { ...chosen, valueType: compared };
  const comparedBytes = closedForm(format, comparedParams, rooflineMatrix);
  if (comparedBytes === null) return [estimate];
  return [{ ...estimate, params: comparedParams, matrixBytes: comparedBytes, isCounted: false }, estimate];
}

/** Bytes of a matrix by a format's closed form; null without one, or if the format probably cannot store it. */
function closedForm(
  format: AnyListedFormat,
  params: Readonly<Record<string, unknown>>,
  { rows, cols, nnz, placement }: RooflineMatrix,
): number | null {
  const shape = { rows, cols };
  const size = expectedSize(format, params, nnz / Math.max(1, rows * cols), shape, placement ?? 'independent');
  return size === 'refused' ? null : size;
}

/** The device whose roofs are drawn, and their source. */
export interface RoofDevice {
  readonly id: string;
  readonly name: string;
  readonly roofs: Roofs;
  /** origin of the roofs: the first three come with times of kernels; 'measured' is published by this project */
  readonly origin: 'measured here' | 'recorded' | 'report' | 'measured' | 'data sheet' | 'typed';
  readonly source: string;
}

/** The device with its roofs; if these are unknown, the first of the others with roofs. Throws Error without any. */
export function roofDevice(device: Device, others: readonly Device[]): RoofDevice {
  for (const candidate of [device, ...others]) {
    const { id, name, roofs, published, label } = candidate;
    if (roofs) return { id, name, roofs, origin: sourceOf(candidate), source: published?.source ?? label };
  }
  throw new Error(`roofs: found none of ${device.name} nor of ${others.length} others, expected those of one device`);
}

function sourceOf({ kind, published }: Device): RoofDevice['origin'] {
  switch (kind) {
    case 'this':
      return 'measured here';
    case 'published':
      return published?.by ?? 'data sheet';
    default:
      return kind;
  }
}

/** Whether kernels were timed on the device of the page: under the roofs of another device every time is a prediction. */
export function isTimed({ id, origin }: RoofDevice, pageDevice: Pick<Device, 'id'>): boolean {
  return id === pageDevice.id && (origin === 'measured here' || origin === 'recorded' || origin === 'report');
}
