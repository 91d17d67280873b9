import { countText } from '../../../core/story/words.ts';
import type { BenchReport } from '../../../core/report.ts';
import {
  type GroupBytes,
  modelBytes,
  type ModelBytes,
  type ModelStorage,
  type ModelFormat,
} from '../../../theory/models/model-bytes.ts';
import { matricesOf, type ModelShape, shapeGroups } from '../../../theory/models/model-shape.ts';
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
import { type Device, isBound } from '../../../state/devices/device.ts';

/** A time that was measured, or predicted from bytes and a read speed. */
export interface SourcedTime {
  readonly ns: number;
  readonly from: 'measured' | 'bytes';
}

/** A shape of the model with all that is known about it; times and bytes are of a single matrix. */
export interface ShapeLine extends GroupBytes {
  readonly measured: MeasuredShape | null;
  readonly denseTime: SourcedTime | null;
  readonly storedTime: SourcedTime | null;
  /** what reading the format's bytes takes, or an empty dispatch, whichever is longer */
  readonly limitNs: number | null;
  /** why the format has no measured time although it was tried */
  readonly refusal: string | null;
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
  /** of all matrices; null if any has no time */
  readonly dense: SourcedTime | null;
  readonly stored: SourcedTime | null;
  readonly limitNs: number | null;
  /** shapes with both of their times measured */
  readonly measuredShapes: number;
  /** an empty dispatch takes longer than reading some of its matrices: bytes alone are not the limit */
  readonly isByDispatch: boolean;
  /** 10^9 bytes per second, and whether it was measured here */
  readonly deviceSpeed: DeviceSpeed | null;
}

/** Read speed and dispatch time that bound a token from below. */
export interface DeviceSpeed {
  readonly GBps: number;
  /** of an empty dispatch; 0 if unknown */
  readonly dispatchNs: number;
  readonly from: 'measured' | 'published';
  readonly device: string;
}

/** The read speed and the dispatch time of a device; null if unknown. */
export function deviceSpeedOf(device: Device): DeviceSpeed | null {
  const { roofs, name } = device;
  if (!roofs) return null;
  const { readGBps, dispatchNs } = roofs;
  return { GBps: readGBps, dispatchNs, from: isBound(device) ? 'published' : 'measured', device: name };
}

/** A stored model: closed forms, measured times, else predictions from bytes. Null without a closed form. */
export function modelView(
  model: ModelShape,
  storage: ModelStorage,
  reports: readonly BenchReport[],
  query: DensityQuery,
  deviceSpeed: DeviceSpeed | null,
): ModelView | null {
  const bytes = modelBytes(model, storage);
  if (!bytes) return null;
  const found = bytes.groups.map(({ group }) => measuredShape(reports, group, query));
  const byBytes = (bytesRead: number): SourcedTime | null =>
    deviceSpeed && query.tokens === 1
      ? { ns: Math.max(bytesRead / deviceSpeed.GBps, deviceSpeed.dispatchNs), from: 'bytes' }
      : null;
  const lines = bytes.groups.map((one, i): ShapeLine => {
    const measured = found[i];
    const { keptDense } = one.group;
    const row = keptDense ? measured?.dense : measured?.stored;
    return {
      ...one,
      measured,
      denseTime: sourcedTimeOf(measured?.dense?.medianNs) ?? byBytes(one.dense),
      storedTime: sourcedTimeOf(row?.medianNs) ?? byBytes(one.stored),
      limitNs: byBytes(one.stored)?.ns ?? null,
      refusal: keptDense ? null : query.able ? (measured?.refusal ?? null) : 'no kernel for this many tokens',
    };
  });
  const limits = lines.map(({ limitNs, group }) => (limitNs === null ? null : { ns: limitNs * group.active }));
  return {
    model,
    storage,
    tokens: query.tokens,
    device: query.device,
    bytes,
    lines,
    matrices: matricesOf(model, storage.fusion).reduce((sum, { active }) => sum + active, 0),
    dense: inSum(lines.map((line) => [line.denseTime, line.group.active])),
    stored: inSum(lines.map((line) => [line.storedTime, line.group.active])),
    limitNs: limits.every((limit) => limit !== null) ? limits.reduce((sum, { ns }) => sum + ns, 0) : null,
    measuredShapes: lines.filter((line) => line.denseTime?.from === 'measured' && line.storedTime?.from === 'measured')
      .length,
    isByDispatch:
      deviceSpeed !== null && lines.some(({ stored }) => stored / deviceSpeed.GBps < deviceSpeed.dispatchNs),
    deviceSpeed,
  };
}

function sourcedTimeOf(ns: number | null | undefined): SourcedTime | null {
  return ns === null || ns === undefined ? null : { ns, from: 'measured' };
}

/** The sum of times, weighted by how many of their matrices a token uses; null if one is unknown, measured if all are. */
function inSum(times: readonly (readonly [SourcedTime | null, number])[]): SourcedTime | null {
  let ns = 0;
  let from: SourcedTime['from'] = 'measured';
  for (const [taken, count] of times) {
    if (!taken) return null;
    ns += taken.ns * count;
    if (taken.from === 'bytes') from = 'bytes';
  }
  return { ns, from };
}

/** Upper bound on tokens per second, from the time of the matrices alone for this many tokens. */
function tokensPerSecond(taken: Pick<SourcedTime, 'ns'>, tokens = 1): number {
  return (tokens * 1e9) / taken.ns;
}

/** A point on the curve over density. */
export interface CurvePoint {
  readonly density: number;
  readonly tokensPerSecond: number;
}

/** Tokens per second at every density at which all shapes were measured, ascending. O(reports × densities). */
export function measuredCurve(
  model: ModelShape,
  stored: ModelFormat,
  reports: readonly BenchReport[],
  query: ShapeQuery,
): readonly CurvePoint[] {
  const [first, ...others] = shapeGroups(model, stored).filter(({ keptDense }) => !keptDense);
  if (!first) return [];
  const near = (at: number, list: readonly number[]): boolean => list.some((d) => Math.abs(d - at) < 0.004);
  const lists = others.map((group) => measuredDensities(reports, group, query));
  const densities = measuredDensities(reports, first, query).filter((d) => lists.every((list) => near(d, list)));
  const rounded = [...new Set(densities.map((d) => Math.round(d * 100) / 100))];
  return rounded.flatMap((density) => {
    const at = modelView(model, { ...stored, density }, reports, { ...query, density }, null);
    return at?.stored?.from === 'measured'
      ? [{ density, tokensPerSecond: tokensPerSecond(at.stored, query.tokens) }]
      : [];
  });
}

/** A figure with a name that is unique in its list. */
export type Fact = readonly [name: string, value: string];

/** The cost of a token in figures. `format` is the format's title: dense itself is not listed twice. */
export function tokenFacts(
  { bytes: sizes, matrices, dense, stored, limitNs, deviceSpeed, isByDispatch }: ModelView,
  format: string,
): readonly Fact[] {
  const other = isDense(format) ? null : stored;
  return [
    ['matrices', countText(matrices)],
    ['read, dense', exactModelSize(sizes.readDense)],
    ...(isDense(format) ? [] : [[`read, ${format}`, exactModelSize(sizes.readStored)] as const]),
    ...(dense ? [['time, dense', sourcedTimeText(dense)] as const] : []),
    ...(other ? [[`time, ${format}`, sourcedTimeText(other)] as const] : []),
    ...(limitNs === null || stored?.from === 'bytes' ? [] : [[limitText(isByDispatch), time(limitNs)] as const]),
    ...(deviceSpeed
      ? [
          [
            `read speed${deviceSpeed.from === 'measured' ? '' : `, ${deviceSpeed.device}`}`,
            bandwidth(deviceSpeed.GBps),
          ] as const,
        ]
      : []),
  ];
}

/** What limits the time of a model. */
export function limitText(isByDispatch: boolean): string {
  return `limit by bytes${isByDispatch ? ' and dispatches' : ''}`;
}

/** A time in words, marked if it is predicted. */
export function sourcedTimeText(sourced: SourcedTime | null): string {
  return sourced ? `${sourced.from === 'bytes' ? '≈ ' : ''}${time(sourced.ns)}` : '–';
}

function isDense(title: string): boolean {
  return title === referenceFormat.title;
}
