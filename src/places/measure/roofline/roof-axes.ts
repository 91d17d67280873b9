import { largest, smallest } from '../../../core/number/statistics.ts';
import { ARITHMETICS } from '../../../core/report.ts';
import { ridge, roofAt, type trail } from '../../../theory/roofline/roofs.ts';
import { type Axis, powersBetween } from '../../../kit/charts/axis.ts';
import type { Roofline } from './use-roofline.ts';

/** Points further below the roof are shown as an arrow at the bottom of the chart. */
const DEEPEST = 16;

/** Log axes that fit every kernel, the ridge and the trail; points too far down are clamped. */
export function axesOf(
  { device: { roofs }, shown, measured }: Roofline,
  trails: ReturnType<typeof trail>,
): { readonly x: Axis; readonly y: Axis } {
  const ridges = ARITHMETICS.flatMap((kind) => ridge(roofs, kind) ?? []);
  const all = [...shown, ...measured];
  const places = [...all.map((p) => p.flopPerByte), ...trails.map((p) => p.flopPerByte)];
  const left = smallest(
    places.map((p) => p / 2),
    0.15,
  );
  const right = largest(
    [...places, ...ridges].map((p) => p * 2),
    100,
  );
  const top = largest(
    [...all.map((p) => p.roofGflops), ...Object.values(roofs.peakGMAps).map((peak) => 2 * peak)],
    roofAt(roofs, 'f32', right),
  );
  const deepest = smallest(
    all.map((p) => Math.max(p.gflops, p.roofGflops / DEEPEST)),
    roofAt(roofs, 'f32', left),
  );
  const low = Math.min(roofAt(roofs, 'f32', left), deepest) / 1.6;
  const xDomain = [left, right] as const;
  const yDomain = [low / 1000, (top / 1000) * 2] as const;
  return {
    x: { scale: 'log', domain: xDomain, ticks: ticksBetween(xDomain), text: plain, title: 'flop per byte read' },
    y: {
      scale: 'log',
      domain: yDomain,
      ticks: powersBetween(yDomain[0], yDomain[1]),
      text: plain,
      title: 'Useful arithmetic, Tflop/s',
    },
  };
}

function ticksBetween([low, high]: readonly [number, number]): readonly number[] {
  return powersBetween(low / 10, high).flatMap((power) =>
    [1, 2, 5].map((n) => n * power).filter((tick) => tick >= low && tick <= high),
  );
}

function plain(value: number): string {
  return String(Number(value.toPrecision(3)));
}
