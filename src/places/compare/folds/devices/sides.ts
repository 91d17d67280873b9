import type { PublishedFigures } from '../../../../core/format.ts';
import type { Device } from '../../../../state/devices/device.ts';
import { isBound } from '../../../../state/devices/device.ts';
import { publishedId } from '../../../../state/devices/ids.ts';
import { crossings } from '../../curves/crossings.ts';
import { fastestAlong, type MeasuredSpeed, runsWithoutGap, speedAt } from '../../curves/measured-speeds.ts';
import type { Stretch } from '../../curves/winners.ts';

/** Where a speed comes from. bound: what bytes alone allow, the same on every device. */
export type SpeedOf = 'measured' | 'published' | 'bound';

/** A format on a device: its speed relative to dense by density. */
export interface SideLine {
  readonly format: string;
  readonly title: string;
  readonly by: SpeedOf;
  /** ascending in density, not empty */
  readonly points: readonly MeasuredSpeed[];
}

/** One of the devices side by side. */
export interface Side {
  readonly device: Device;
  /** 'H200', 'RTX 4090' */
  readonly name: string;
  /** f32 multiply-adds that it can do while it reads a byte; null where one of both is unknown */
  readonly perByte: number | null;
  /** those that rank its formats: measured ones; else published ones; else bounds. The fastest at most densities first */
  readonly lines: readonly SideLine[];
  /** next to published lines: what bytes allow */
  readonly bounds: readonly SideLine[];
  /** of its published lines */
  readonly figures: readonly PublishedFigures[];
  /** the fastest by density; dense where nothing is faster */
  readonly fastest: readonly Stretch<string>[];
}

export interface SideSources {
  /** of formats with their current parameters, measured on a device */
  readonly measuredOn: (device: Device) => readonly Omit<SideLine, 'by'>[];
  /** of formats with a closed form */
  readonly bounds: readonly Omit<SideLine, 'by'>[];
  /** speeds in the requested value type */
  readonly published: readonly {
    readonly format: string;
    readonly figures: PublishedFigures;
  }[];
  /** title of dense */
  readonly reference: string;
}

/** Makers and product lines, which tell no two devices of a list apart. */
const MAKERS = /\b(nvidia|amd|intel|apple|geforce|radeon|instinct|google)\b\s*/gi;

export function shortName({ name }: Pick<Device, 'name'>): string {
  return name.replaceAll(MAKERS, '').trim() || name;
}

/** A device with its lines. O(formats × points). */
export function sideOf(device: Device, { measuredOn, bounds, published, reference }: SideSources): Side {
  const by = (of: readonly Omit<SideLine, 'by'>[], kind: SpeedOf): readonly SideLine[] =>
    of.filter(({ points }) => points.length > 0).map((line) => ({ ...line, by: kind }));
  const own = isBound(device) ? [] : by(measuredOn(device), 'measured');
  const figures = published.filter(({ figures: { of, on } }) => {
    return of === 'speed' && on !== null && publishedId(on) === device.id;
  });
  const others = by(
    figures.map(({ format, figures: { title, points } }) => ({
      format,
      // 'cuSPARSE’s CSR with 32-bit indices' is 'cuSPARSE’s CSR' where there is little room.
      title: title.split(' with ')[0],
      points: points.map(({ density, value, low = value, high = value }) => {
        return { format, params: {}, density, ratio: value, p10: low, p90: high };
      }),
    })),
    'published',
  );
  const allowed = isBound(device) ? by(bounds, 'bound') : [];
  const lines = own.length > 0 ? own : others.length > 0 ? others : allowed;
  const { roofs } = device;
  const peak = roofs?.peakGMAps.f32;
  return {
    device,
    name: shortName(device),
    perByte: roofs && peak !== undefined && roofs.readGBps > 0 ? peak / roofs.readGBps : null,
    lines,
    bounds: lines === allowed ? [] : allowed,
    figures: lines === others ? figures.map((line) => line.figures) : [],
    fastest: fastestAlong(
      lines.map(({ title, points }) => ({ name: title, points })),
      reference,
    ),
  };
}

/** Where a line passes dense, which is 1 at every density. */
export interface Passing {
  /** densities at which it turns from faster to slower or back, ascending */
  readonly at: readonly number[];
  /** pairs of neighbouring measurements, too far apart to say where, between which it turns */
  readonly between: readonly (readonly [low: number, high: number])[];
  /** it is faster at the least density */
  readonly startsFaster: boolean;
  /** ends of what is known */
  readonly from: number;
  readonly to: number;
}

export function passing({ points }: Pick<SideLine, 'points'>): Passing {
  const at = turns(points, null);
  const runs = runsWithoutGap(points);
  const between = runs.slice(1).flatMap((run, i) => {
    const before = runs[i][runs[i].length - 1];
    return before.ratio > 1 === run[0].ratio > 1 ? [] : [[before.density, run[0].density] as const];
  });
  const [first] = points;
  return { at, between, startsFaster: first.ratio > 1, from: first.density, to: points[points.length - 1].density };
}

/** The densities at which two formats of a device change places, ascending. */
export function changesOfPlace(a: SideLine, b: SideLine): readonly number[] {
  return turns(a.points, b.points);
}

/** `b` null: dense. Nothing turns where one of both has a gap. */
function turns(a: readonly MeasuredSpeed[], b: readonly MeasuredSpeed[] | null): readonly number[] {
  const places = [...a, ...(b ?? [])].map(({ density }) => density).toSorted((x, y) => x - y);
  const of = (points: readonly MeasuredSpeed[]) => (density: number) => {
    const ratio = speedAt(points, density);
    return ratio === null ? Number.NaN : Math.log(ratio);
  };
  const [first, second] = [of(a), b === null ? () => 0 : of(b)];
  const runs: number[][] = [];
  for (const [i, place] of places.entries()) {
    const middle = (places[i - 1] + place) / 2;
    const isKnown = Number.isFinite(first(middle)) && Number.isFinite(second(middle));
    if (i === 0 || !isKnown) runs.push([]);
    runs[runs.length - 1].push(place);
  }
  return runs.flatMap((run) => crossings(first, second, run));
}

/** The line of a format; undefined where the device has none. */
export function lineOf({ lines }: Pick<Side, 'lines'>, format: string): SideLine | undefined {
  return lines.find((line) => line.format === format);
}

/**
 * The format that the sentence is about: `wanted` where any device has times of it, else the one that most have, else the
 * one with the highest bound; null without lines.
 */
export function formatAsked(sides: readonly Side[], wanted: string): string | null {
  const timed = sides.flatMap(({ lines }) => lines.filter(({ by }) => by !== 'bound'));
  if (timed.some(({ format }) => format === wanted)) return wanted;
  const counts = new Map<string, number>();
  for (const { format } of timed) counts.set(format, (counts.get(format) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most?.[0] ?? sides.find(({ lines }) => lines.length > 0)?.lines[0].format ?? null;
}
