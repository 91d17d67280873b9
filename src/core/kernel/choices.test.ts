import { describe, expect, test } from 'vitest';
import { type Choice, type Chosen, type Race, searchChoices, startOf } from './choices.ts';

const shares: Choice = { kind: 'range', name: 'shares', start: 4096, min: 256, max: 32768 };
const lanes: Choice = { kind: 'one-of', name: 'lanes', start: 1024, values: [512, 768, 1024] };

/** A race with known times for each setting, which records all that ran. */
function raceBy(timeOf: (setting: Chosen) => number): { readonly race: Race; readonly triedSettings: string[] } {
  const triedSettings: string[] = [];
  return {
    triedSettings,
    async race(settings) {
      triedSettings.push(...settings.slice(1).map((s) => JSON.stringify(s)));
      const times = settings.map(timeOf);
      return [...times.keys()].toSorted((a, b) => times[a] - times[b]);
    },
  };
}

/** The time on a device that runs `atOnce` shares at once: they run in batches, each of which costs `copy` as well. */
const batchedTime =
  (atOnce: number, copy: number) =>
  ({ shares: n }: Chosen): number =>
    Math.ceil(n / atOnce) * (1e6 / n + copy);

describe('searchChoices', () => {
  test.each([
    [132 * 32, 1],
    [40 * 32, 1],
    [10 * 32, 4],
    [128 * 32, 1],
  ])(
    'searchChoices is at most 7 %% slower than the best setting if the device runs %i shares at once',
    async (atOnce, copy) => {
      const timeOf = batchedTime(atOnce, copy);
      const chosenSetting = await searchChoices([shares], raceBy(timeOf).race);
      expect(timeOf(chosenSetting)).toBeLessThan(1.07 * timeOf({ shares: atOnce }));
    },
  );

  test('searches one choice after the other, and tries no setting twice', async () => {
    const { race, triedSettings } = raceBy((s) => Math.abs(s.shares - 4224) + Math.abs(s.lanes - 512));
    expect(await searchChoices([shares, lanes], race)).toEqual({ shares: 4224, lanes: 512 });
    expect(new Set(triedSettings).size).toBe(triedSettings.length);
    expect(triedSettings.length).toBeLessThan(30);
  });

  test('tries combinations with values that were second best alone, most promising first', async () => {
    const early: Choice = { kind: 'one-of', name: 'early steps', start: 2, values: [2, 3, 4] };
    // Alone neither three steps nor 512 lanes are the best; together they are.
    const times: Readonly<Record<string, number>> = {
      '2,1024': 10.2,
      '3,1024': 10.1,
      '4,1024': 10,
      '4,768': 12,
      '4,512': 10.6,
      '2,512': 10.5,
      '3,512': 9.7,
      '2,768': 11,
      '3,768': 11,
    };
    const { race, triedSettings } = raceBy((s) => times[`${s['early steps']},${s.lanes}`]);
    expect(await searchChoices([early, lanes], race)).toEqual({ 'early steps': 3, lanes: 512 });
    expect(new Set(triedSettings).size).toBe(triedSettings.length);
    expect(triedSettings).toHaveLength(8);
    // Three steps are the second best, so lanes are tried with them as well.
    expect(triedSettings.slice(0, 6).map((s) => Object.values(JSON.parse(s)).join())).toEqual(
      '3,1024 4,1024 4,512 4,768 3,512 3,768'.split(' '),
    );
  });

  test('tries the settings that a race left out again at the end', async () => {
    const triedSettings: string[] = [];
    const segments: Choice = { kind: 'one-of', name: 'segments', start: 1, values: [1, 2] };
    // Only the start runs in the first race: time was up.
    const race: Race = async (settings) => {
      triedSettings.push(...settings.slice(1).map((s) => `${s.lanes} ${s.segments}`));
      return [0];
    };
    expect(await searchChoices([lanes, segments], race)).toEqual({ lanes: 1024, segments: 1 });
    expect(triedSettings).toEqual(['512 1', '768 1', '1024 2', '512 2', '768 2']);
  });

  test('returns the start if no setting is faster, and an empty setting without choices', async () => {
    const stay: Race = async () => [0];
    expect(await searchChoices([shares, lanes], stay)).toEqual(startOf([shares, lanes]));
    expect(await searchChoices([], stay)).toEqual({});
  });

  test('tries no setting outside the range of a choice', async () => {
    const { race, triedSettings } = raceBy((s) => 1e6 / s.shares);
    expect(await searchChoices([shares], race)).toEqual({ shares: 32768 });
    expect(triedSettings.every((s) => JSON.parse(s).shares <= 32768 && JSON.parse(s).shares >= 256)).toBe(true);
  });
});
