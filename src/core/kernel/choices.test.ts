import { describe, expect, test } from 'vitest';
import { type Choice, type Chosen, searchChoices, startOf } from './choices.ts';

const shares: Choice = { kind: 'range', name: 'shares', start: 4096, least: 256, most: 32768 };
const lanes: Choice = { kind: 'one-of', name: 'lanes', start: 1024, values: [512, 768, 1024] };

/** A race that knows what each setting takes, and remembers all that ran. */
function raceBy(timeOf: (setting: Chosen) => number): {
  readonly race: (settings: readonly Chosen[]) => Promise<number>;
  readonly seen: string[];
} {
  const seen: string[] = [];
  return {
    seen,
    async race(settings) {
      seen.push(...settings.slice(1).map((s) => JSON.stringify(s)));
      const times = settings.map(timeOf);
      return times.indexOf(Math.min(...times)); // bounded: the settings of one race
    },
  };
}

/** Shares run in turns of as many as the device has room for, and every turn costs what it copies. */
const inTurns =
  (room: number, copy: number) =>
  ({ shares: n }: Chosen): number =>
    Math.ceil(n / room) * (1e6 / n + copy);

describe('searchChoices', () => {
  test.each([
    [132 * 32, 1],
    [40 * 32, 1],
    [10 * 32, 4],
    [128 * 32, 1],
  ])('fills a device with room for %i shares within 7 %%', async (room, copy) => {
    const timeOf = inTurns(room, copy);
    const found = await searchChoices([shares], raceBy(timeOf).race);
    expect(timeOf(found)).toBeLessThan(1.07 * timeOf({ shares: room }));
  });

  test('takes one choice after the other, and no setting twice', async () => {
    const { race, seen } = raceBy((s) => Math.abs(s.shares - 4224) + Math.abs(s.lanes - 512));
    expect(await searchChoices([shares, lanes], race)).toEqual({ shares: 4224, lanes: 512 });
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeLessThan(30);
  });

  test('looks at a few values again beside what the others have become', async () => {
    const early: Choice = { kind: 'one-of', name: 'early steps', start: 2, values: [2, 3] };
    // Three steps pay with few lanes alone, which pay with three steps or without.
    const times: Readonly<Record<string, number>> = {
      '2,1024': 10,
      '3,1024': 11,
      '2,768': 10.5,
      '3,768': 12,
      '2,512': 9,
      '3,512': 8,
    };
    const { race, seen } = raceBy((s) => times[`${s['early steps']},${s.lanes}`]);
    expect(await searchChoices([early, lanes], race)).toEqual({ 'early steps': 3, lanes: 512 });
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('keeps the start where nothing beats it, and has nothing to do without choices', async () => {
    const stay = async (): Promise<number> => 0;
    expect(await searchChoices([shares, lanes], stay)).toEqual(startOf([shares, lanes]));
    expect(await searchChoices([], stay)).toEqual({});
  });

  test('stays inside the range', async () => {
    const { race, seen } = raceBy((s) => -s.shares);
    expect(await searchChoices([shares], race)).toEqual({ shares: 32768 });
    expect(seen.every((s) => JSON.parse(s).shares <= 32768 && JSON.parse(s).shares >= 256)).toBe(true);
  });
});
