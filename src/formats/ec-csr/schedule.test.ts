import { describe, expect, test } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { generate } from '../../generate/generate.ts';
import { ecCsr } from './index.ts';
import { setInfos } from './layout.ts';
import { partialSums } from './partial-sums.ts';
import { closedSchedule, openSchedule, type Schedule } from './schedule.ts';

const NOWHERE = 0xffffffff;

const e = ecCsr.encode(
  generate({ pattern: 'shared-columns', rows: 300, cols: 500, density: 0.3, seed: 4, options: { groupRows: 5 } }),
  { ...defaultParams(ecCsr.params), lanes: 4 },
);
const infos = setInfos(e);

interface Task {
  readonly workgroup: number;
  /** set and block; undefined for what fills up */
  readonly blocks: readonly (readonly [number, number] | undefined)[];
  readonly places: readonly number[];
}

/** The tasks as the shader finds them: by the counts in the heads alone. */
function tasksOf({ words, places, workgroups }: Schedule): Task[] {
  const entry = (i: number): readonly number[] => [...words.subarray(4 * i, 4 * i + 4)];
  const tasks: Task[] = [];
  for (let w = 0; w < workgroups; w++) {
    const [first, of8, of4, of2] = entry(2 * w);
    const [of1, firstPlace] = entry(2 * w + 1);
    let at = first;
    let placeAt = firstPlace;
    for (const [count, perTask] of [
      [of8, 1],
      [of4, 2],
      [of2, 4],
      [of1, 8],
    ]) {
      for (let t = 0; t < count; t++, at += perTask, placeAt += 8) {
        const blocks = Array.from({ length: perTask }, (_, i) => {
          const [base, start, segments, set] = entry(at + i);
          expect(infos[set].granularity).toBe(8 / perTask);
          if (segments === 0) return undefined;
          const block = (base - infos[set].baseIndicesAt) / e.lanes;
          expect(start).toBe(e.blockPtr[infos[set].blockPtrAt + block]);
          const end = start + segments * e.lanes * infos[set].vectorSize;
          expect(end).toBe(e.blockPtr[infos[set].blockPtrAt + block + 1]);
          return [set, block] as const;
        });
        tasks.push({ workgroup: w, blocks, places: [...places.subarray(placeAt, placeAt + 8)] });
      }
    }
  }
  return tasks;
}

/** Matrix row and place of every block row. */
function sumsOf({ blocks, places }: Task): { row: number; at: number; place: number }[] {
  const perBlock = 8 / blocks.length;
  return places.flatMap((place, r) => {
    const ref = blocks[Math.floor(r / perBlock)];
    expect(place === NOWHERE).toBe(ref === undefined);
    if (!ref) return [];
    const at = infos[ref[0]].rowIndicesAt + ref[1] * perBlock + (r % perBlock);
    return [{ row: e.rowIndices[at], at, place }];
  });
}

describe.each([
  ['closed', closedSchedule],
  ['open', openSchedule],
])('the %s schedule', (_, make) => {
  test('has every block once', () => {
    const found = tasksOf(make(e)).flatMap((task) => task.blocks.filter((ref) => ref !== undefined).map(String));
    const expected = infos.flatMap((set, s) => Array.from({ length: set.blocks }, (__, b) => `${s},${b}`));
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(new Set(infos.map((set) => set.granularity)).size).toBeGreaterThan(1);
  });
});

test('the closed schedule has every row once, with places of its own for all its sums', () => {
  const schedule = closedSchedule(e);
  const { words, workgroups, mostSums } = schedule;
  const tasks = tasksOf(schedule);
  const rows = new Set<number>();
  for (let w = 0; w < workgroups; w++) {
    const [, , firstRow, count] = words.subarray(8 * w + 4, 8 * w + 8);
    const rowOfPlace = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      const [row, from, to] = words.subarray(4 * (firstRow + i), 4 * (firstRow + i) + 3);
      expect(rows.has(row)).toBe(false);
      rows.add(row);
      for (let place = from; place < to; place++) rowOfPlace.set(place, row);
    }
    const sums = tasks.filter((task) => task.workgroup === w).flatMap((task) => sumsOf(task));
    expect(sums.map(({ place }) => place).toSorted((a, b) => a - b)).toEqual(Array.from(sums.keys()));
    expect(sums.length).toBeLessThanOrEqual(mostSums);
    for (const { row, place } of sums) expect(rowOfPlace.get(place)).toBe(row);
  }
  expect(rows.size).toBe(e.rows);
});

test('the open schedule puts every sum where the pass over the rows looks for it', () => {
  const { places } = partialSums(e);
  for (const task of tasksOf(openSchedule(e))) {
    for (const { at, place } of sumsOf(task)) expect(place).toBe(places[at]);
  }
});
