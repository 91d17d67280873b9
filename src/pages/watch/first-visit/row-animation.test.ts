import { describe, expect, it } from 'vitest';
import {
  eased,
  FLIGHT_MS,
  flightOf,
  layoutOf,
  trailOpacity,
  instantAt,
  MAX_COLUMNS,
  slowMotion,
  toneOf,
  flightPath,
} from './row-animation.ts';

describe('the layout of the moving row', () => {
  it.each([
    [1344, MAX_COLUMNS],
    [960, 32],
    [700, 23],
    [358, 11],
    [20, 1],
  ])('fits its columns in %d px', (width, columns) => {
    const layout = layoutOf(width, 84);
    expect(layout.columns).toBe(columns);
    expect((layout.columns - 1) * layout.pitch + layout.cell).toBeLessThanOrEqual(width + 1e-9);
    expect(layout.height).toBeGreaterThan(layout.arrayY + layout.cell);
  });
});

describe('a weight on its way', () => {
  const layout = layoutOf(1344, 84);

  it('leaves its cell once the cell was read, and arrives after its flight', () => {
    const leaves = (8 / layout.columns) * 3000;
    expect(flightOf(layout, 7, leaves, 3000)).toBe(0);
    expect(flightOf(layout, 7, leaves + FLIGHT_MS / 2, 3000)).toBeCloseTo(0.5);
    expect(flightOf(layout, 7, leaves + FLIGHT_MS, 3000)).toBe(1);
    expect(flightOf(layout, 7, Number.POSITIVE_INFINITY, 3000)).toBe(1);
  });

  it('leaves a trace that fades once it has arrived', () => {
    const leaves = (8 / layout.columns) * 3000;
    expect(
      [0, 1, FLIGHT_MS, FLIGHT_MS + 150, FLIGHT_MS + 300].map((ms) => trailOpacity(layout, 7, leaves + ms, 3000)),
    ).toEqual([0, 1, 1, expect.closeTo(0.5), 0]);
  });

  it('is the darker the larger it is', () => {
    expect([0, 0.5, 1, 2].map(toneOf)).toEqual([0.35, 0.675, 1, 1]);
  });

  it('goes from the middle of its cell to the middle of its slot', () => {
    const whole = flightPath(layout, 7, 3, 1);
    expect(whole).toHaveLength(4);
    expect(whole[0]).toEqual([7 * layout.pitch + layout.cell / 2, layout.rowY + layout.cell / 2]);
    expect(whole[3][0]).toBeCloseTo(3 * layout.pitch + layout.cell / 2);
    expect(whole[3][1]).toBeCloseTo(layout.arrayY + layout.cell / 2);
    const begun = flightPath(layout, 7, 3, 0);
    expect([begun[3], [0, 0.5, 1].map(eased)]).toEqual([begun[0], [0, 0.5, 1]]);
  });
});

describe('the runs of the animation', () => {
  it('the runs are two, then the picture rests at its end', () => {
    const run = 3000 + FLIGHT_MS + 1800;
    expect(instantAt(0, 3000)).toEqual({ ms: 0, isOver: false });
    expect(instantAt(run + 100, 3000)).toEqual({ ms: 100, isOver: false });
    expect(instantAt(2 * run - 1800, 3000)).toEqual({ ms: Number.POSITIVE_INFINITY, isOver: true });
    expect(instantAt(run - 1800, 3000, 1).isOver).toBe(true);
  });

  it.each([
    [30_068, 100_000, 3006.8],
    [500_000, 5000, 2500],
    [12_000_000, 200, 2400],
    [900, 5_000_000, 4500],
  ])('slow down %d ns by a round factor, %d, to about three seconds', (ns, by, ms) => {
    expect(slowMotion(ns)).toEqual({ by, readMs: expect.closeTo(ms) as number });
  });

  it('have no slow motion without a time', () => {
    expect(slowMotion(null)).toBeNull();
  });
});
