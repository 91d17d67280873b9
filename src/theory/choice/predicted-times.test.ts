import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Shape } from '../../core/format.ts';
import { fullDeviceReports, type Recording } from '../../core/reports/recording.ts';
import { predictedTime, timedFormats, type TimedShape } from './predicted-times.ts';

const FOLDER = new URL('../../../public/recordings/', import.meta.url);

/** The times of a delivered recording. */
const recorded = (id: string) =>
  timedFormats(fullDeviceReports(JSON.parse(readFileSync(new URL(`${id}.json`, FOLDER), 'utf8')) as Recording));

/** Times of a shape: pairs of density and ns. */
const shape = (rows: number, cols: number, ...times: readonly (readonly [number, number])[]): TimedShape => ({
  rows,
  cols,
  times: times.map(([density, ns]) => ({ density, ns, spread: 0.01 })),
});

/** The predicted time of a format whose time depends on the density. */
const timeOf = (shapes: readonly TimedShape[], size: Shape, density: number) =>
  predictedTime(shapes, size, density, false);

it('a time that was measured is returned unchanged, also for a density that a random matrix missed slightly', () => {
  const shapes = [shape(64, 64, [0.1, 40], [0.5003, 100])];
  expect(timeOf(shapes, { rows: 64, cols: 64 }, 0.5)).toEqual({
    ns: 100,
    spread: 0.01,
    from: 'measured',
  });
});

it('between densities and between sizes a time is interpolated linearly', () => {
  const shapes = [shape(64, 64, [0.2, 40], [0.4, 60]), shape(128, 128, [0.2, 100], [0.4, 140])];
  expect(timeOf(shapes, { rows: 64, cols: 64 }, 0.3)?.ns).toBeCloseTo(50, 9);
  // Halfway in cells: 4096 and 16384.
  expect(timeOf(shapes, { rows: 80, cols: 128 }, 0.3)).toMatchObject({
    ns: expect.closeTo(85, 9),
    from: 'interpolated',
  });
});

it('far from all measured densities or sizes there is no time', () => {
  const shapes = [shape(64, 64, [0.2, 40], [0.4, 60])];
  const square = { rows: 64, cols: 64 };
  expect(timeOf(shapes, square, 0.5)?.from).toBe('extrapolated');
  expect(timeOf(shapes, square, 0.51)).toBeNull();
  expect(timeOf(shapes, square, 0.1)).toBeNull();
  // One size does not tell how a time grows, and neither do two that are almost equal.
  expect(timeOf(shapes, { rows: 128, cols: 64 }, 0.3)).toBeNull();
  const sizes = [...shapes, shape(32, 64, [0.2, 30], [0.4, 40])];
  expect(timeOf(sizes, { rows: 64 * 16, cols: 64 }, 0.3)?.from).toBe('extrapolated');
  expect(timeOf(sizes, { rows: 64 * 17, cols: 64 }, 0.3)).toBeNull();
  expect(timeOf([], square, 0.3)).toBeNull();
});

it.each(['h200@2026-11-26', 'h100@2026-11-26'])(
  'of the times of %s, each predicted from the others, 9 of 10 are within the stated spread',
  (id) => {
    const errors: { readonly error: number; readonly spread: number; readonly text: string }[] = [];
    for (const { format, params, shapes } of recorded(id)) {
      for (const heldOut of shapes) {
        const others = shapes.filter((other) => other !== heldOut);
        for (const { density, ns } of heldOut.times) {
          const found = predictedTime(others, heldOut, density, format === 'dense');
          if (!found) continue;
          const error = found.ns / ns - 1;
          const place = `${heldOut.rows}x${heldOut.cols} at ${density.toFixed(2)}`;
          const text = `${format} ${JSON.stringify(params)} ${place}, ${found.from}: ${(100 * error).toFixed(1)} %`;
          errors.push({ error: Math.abs(error), spread: found.spread, text });
        }
      }
    }
    const outside = errors.filter(({ error, spread }) => error > spread).map(({ text }) => text);
    expect(errors.length).toBeGreaterThan(60);
    expect(outside.length, outside.join('\n')).toBeLessThanOrEqual(errors.length / 10);
  },
);
