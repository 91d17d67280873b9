import { countText } from '../../../core/text/words.ts';
import type { BenchReport } from '../../../core/report.ts';
import {
  type GroupBytes,
  modelBytes,
  type ModelBytes,
  type ModelStorage,
  type ModelFormat,
} from '../../../theory/models/model-bytes.ts';
import {
  kernelStarts,
  matricesOf,
  type ModelShape,
  type ShapeGroup,
  shapeGroups,
  startsOf,
} from '../../../theory/models/model-shape.ts';
import {
  type ShapeQuery,
  type MeasuredShape,
  measuredDensities,
  measuredShape,
  type DensityQuery,
} from '../../../kit/report/measured-shapes.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { time } from '../../../kit/words/quantity.ts';
import { bandwidth } from '../../../kit/words/rates.ts';
import { exactModelSize } from '../../../kit/words/model-sizes.ts';
import { type DeviceBounds, tokenBoundNs } from '../../../kit/report/time-bound.ts';
import { type Device, hasOnlyBounds } from '../../../state/index.ts';

/**
 * A time, measured or predicted. The predicted time is that of reading the bytes at the device's read speed, or of
 * starting the kernels if that is longer.
 */
export interface SourcedTime {
  readonly ns: number;
  readonly from: 'measured' | 'predicted';
}

/** A shape of the model with all that is known about it; times and bytes are of a single matrix. */
export interface ShapeLine extends GroupBytes {
  readonly measurement: MeasuredShape | null;
  readonly denseTime: SourcedTime | null;
  readonly storedTime: SourcedTime | null;
  /** the time to read the format's bytes */
  readonly limitNs: number | null;
  /** why the format has no measured time: it was rejected, or has no kernel; else null */
  readonly rejection: string | null;
}

/** A model stored in one format, as Compare shows it: bytes, measured or predicted times, and their limit. */
export interface ModelView {
  readonly model: ModelShape;
  readonly storage: ModelStorage;
  readonly tokens: number;
  readonly device: string;
  readonly bytes: ModelBytes;
  readonly lines: readonly ShapeLine[];
  /** number of matrices that a token is multiplied by */
  readonly matrices: number;
  /** time of all matrices, dense and stored; null if the time of any is unknown */
  readonly denseTime: SourcedTime | null;
  readonly storedTime: SourcedTime | null;
  readonly limitNs: number | null;
  /** shapes with both of their times measured */
  readonly measuredShapes: number;
  /** kernels that a token starts, which no limit counts */
  readonly starts: number;
  readonly deviceSpeed: DeviceSpeed | null;
}

/** Read speed and dispatch time of a device, which bound the time of a token from below, and where they are from. */
export interface DeviceSpeed extends DeviceBounds {
  readonly from: 'measured' | 'published'; // published: in a data sheet, or entered by the user
}

/** The read speed and the dispatch time of a device; null if unknown. */
export function deviceSpeedOf(device: Device): DeviceSpeed | null {
  return device.roofs && { ...device.roofs, from: hasOnlyBounds(device) ? 'published' : 'measured' };
}

/** A stored model: bytes by the format's closed form, times as measured, else predicted. Null without a closed form. */
export function modelView(
  model: ModelShape,
  storage: ModelStorage,
  reports: readonly BenchReport[],
  query: DensityQuery,
  deviceSpeed: DeviceSpeed | null,
): ModelView | null {
  const bytes = modelBytes(model, storage);
  if (!bytes) return null;
  // The speed that bounds the times. With several tokens, arithmetic needs time too, so bytes alone predict no time.
  const boundSpeed = query.tokens === 1 ? deviceSpeed : null;
  const predictedTime = (bytesRead: number, { parts, active }: ShapeGroup): SourcedTime | null => {
    if (boundSpeed === null) return null;
    const starts = parts.reduce((sum, matrix) => sum + startsOf(matrix), 0);
    return {
      ns: Math.max(bytesRead / boundSpeed.readGBps, (boundSpeed.dispatchNs * starts) / active),
      from: 'predicted',
    };
  };
  const lines = bytes.groups.map((groupBytes): ShapeLine => {
    const { group, dense, stored } = groupBytes;
    const measurement = measuredShape(reports, group, query);
    const row = group.keptDense ? measurement?.dense : measurement?.stored;
    return {
      ...groupBytes,
      measurement,
      denseTime: sourcedTimeOf(measurement?.dense?.medianNs) ?? predictedTime(dense, group),
      storedTime: sourcedTimeOf(row?.medianNs) ?? predictedTime(stored, group),
      limitNs: tokenBoundNs(stored, boundSpeed),
      rejection: group.keptDense
        ? null
        : query.hasKernel
          ? (measurement?.rejection ?? null)
          : 'no kernel for this many tokens',
    };
  });
  return {
    model,
    storage,
    tokens: query.tokens,
    device: query.device,
    bytes,
    lines,
    matrices: matricesOf(model, storage.fusion).reduce((sum, { active }) => sum + active, 0),
    denseTime: weightedSum(lines.map((line) => [line.denseTime, line.group.active])),
    storedTime: weightedSum(lines.map((line) => [line.storedTime, line.group.active])),
    limitNs: tokenBoundNs(bytes.readStored, boundSpeed),
    measuredShapes: lines.filter((line) => line.denseTime?.from === 'measured' && line.storedTime?.from === 'measured')
      .length,
    starts: kernelStarts(model, storage.fusion),
    deviceSpeed,
  };
}

/** A measured time; null if there is none. */
function sourcedTimeOf(ns: number | null | undefined): SourcedTime | null {
  return ns === null || ns === undefined ? null : { ns, from: 'measured' };
}

/** The sum of times, each multiplied by its count; null if one is unknown, measured if all are. */
function weightedSum(times: readonly (readonly [SourcedTime | null, number])[]): SourcedTime | null {
  let ns = 0;
  let from: SourcedTime['from'] = 'measured';
  for (const [sourced, count] of times) {
    if (!sourced) return null;
    ns += sourced.ns * count;
    if (sourced.from === 'predicted') from = 'predicted';
  }
  return { ns, from };
}

/** Largest difference of densities that count as the same: random matrices miss the requested density by less. */
const SAME_DENSITY = 0.004;

/**
 * Tokens per second, by the time of the matrices alone, at every density at which all shapes were measured, ascending.
 * O(reports × densities).
 */
export function measuredCurve(
  model: ModelShape,
  modelFormat: ModelFormat,
  reports: readonly BenchReport[],
  query: ShapeQuery,
) {
  const [firstGroup, ...otherGroups] = shapeGroups(model, modelFormat).filter(({ keptDense }) => !keptDense);
  if (!firstGroup) return [];
  const contains = (densities: readonly number[], density: number): boolean =>
    densities.some((d) => Math.abs(d - density) < SAME_DENSITY);
  const densitiesOfOthers = otherGroups.map((group) => measuredDensities(reports, group, query));
  const commonDensities = measuredDensities(reports, firstGroup, query).filter((density) =>
    densitiesOfOthers.every((densities) => contains(densities, density)),
  );
  const roundedDensities = [...new Set(commonDensities.map((d) => Math.round(d * 100) / 100))];
  return roundedDensities.flatMap((density) => {
    const storedTime = modelView(model, { ...modelFormat, density }, reports, { ...query, density }, null)?.storedTime;
    return storedTime?.from === 'measured' ? [{ density, tokensPerSecond: (query.tokens * 1e9) / storedTime.ns }] : [];
  });
}

/** A figure with a name that is unique in its list. */
export type Fact = readonly [name: string, value: string];

/** The cost of a token in figures. `title`: of the format; if it is dense, its figures are listed once. */
export function tokenFacts(view: ModelView, title: string): readonly Fact[] {
  const { bytes, matrices, denseTime, storedTime, limitNs, deviceSpeed, starts, device } = view;
  const isDense = title === referenceFormat.title;
  const readSpeed = deviceSpeed?.from === 'published' ? `read speed, ${device}` : 'read speed';
  return [
    ['matrices', countText(matrices)],
    ['read, dense', exactModelSize(bytes.readDense)],
    ...(isDense ? [] : [[`read, ${title}`, exactModelSize(bytes.readStored)] as const]),
    ...(denseTime ? [['time, dense', sourcedTimeText(denseTime)] as const] : []),
    ...(storedTime && !isDense ? [[`time, ${title}`, sourcedTimeText(storedTime)] as const] : []),
    ...(limitNs === null || (storedTime?.from === 'predicted' && time(storedTime.ns) === time(limitNs))
      ? []
      : [['limit by bytes', time(limitNs)] as const]),
    ...(deviceSpeed ? [[readSpeed, bandwidth(deviceSpeed.readGBps)] as const] : []),
    ...(deviceSpeed && deviceSpeed.dispatchNs > 0 && view.tokens === 1
      ? [['starting kernels, not in the limit', `${countText(starts)} × ${time(deviceSpeed.dispatchNs)}`] as const]
      : []),
  ];
}

/** A time as text, marked if it is predicted. */
export function sourcedTimeText(sourced: SourcedTime | null): string {
  return sourced ? `${sourced.from === 'predicted' ? '≈ ' : ''}${time(sourced.ns)}` : '–';
}
