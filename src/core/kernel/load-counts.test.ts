import { describe, expect, it } from 'vitest';
import { finish } from '../job.ts';
import { LoadCost, loadCountSteps, subgroupLoads } from './load-counts.ts';
import { ABSENT, type KernelLoads, LaneItems, type LoadedArray, neighbouringRows } from './loads.ts';

/** A kernel in which each subgroup makes one load of one array: the items of its lanes. */
function model(
  loads: readonly (readonly number[])[],
  { itemBytes = 4, ...array }: Partial<LoadedArray> & { readonly itemBytes?: number } = {},
): KernelLoads {
  const lanes = loads[0].length;
  const at = new LaneItems(lanes);
  return {
    arrays: [{ name: 'x', of: 'x', space: 'storage', bytes: 2 ** 20, ...array }],
    sites: [{ array: 0, itemBytes, elementBytes: itemBytes }],
    lanes,
    subgroupsPerWorkgroup: 1,
    ...neighbouringRows(loads.length, 1),
    walk(subgroup, take) {
      at.take = take;
      at.items.set(loads[subgroup]);
      at.load(0);
    },
  };
}

describe('what a load costs', () => {
  const linesOf = (items: readonly number[], itemBytes = 4): readonly number[] => {
    const cost = new LoadCost(model([items], { itemBytes }));
    return [cost.of(0, Int32Array.from(items)), cost.asked, cost.usedBytes];
  };

  it('is the lines of 128 bytes that its lanes touch, whatever their order', () => {
    expect(linesOf([0, 31, 1, 2])).toEqual([1, 4, 16]);
    expect(linesOf([31, 32, 0, 64])).toEqual([3, 4, 16]);
    expect(linesOf([7, 8, 0, 15], 16)).toEqual([2, 4, 64]);
  });

  it('counts bytes that several lanes ask for once, and ignores inactive lanes', () => {
    expect(linesOf([5, 5, 5, 6])).toEqual([1, 4, 8]);
    expect(linesOf([ABSENT, 5, ABSENT, 40])).toEqual([2, 2, 8]);
  });

  it('clamps what is past the end of the array to its last item', () => {
    const cost = new LoadCost(model([[0, 0]], { bytes: 256 }));
    expect(cost.of(0, Int32Array.of(1000, -3))).toBe(1);
    expect([cost.inside(0, 1000), cost.inside(0, -3), cost.inside(0, 7)]).toEqual([63, 63, 7]);
  });

  it('is, in workgroup memory, the words that the fullest of 32 banks has to serve; lanes at one word share it', () => {
    const turns = (items: readonly number[], itemBytes = 4): number =>
      new LoadCost(model([items], { space: 'workgroup', itemBytes })).of(0, Int32Array.from(items));
    expect(turns([0, 32, 64, 1])).toBe(3);
    expect(turns([7, 7, 7, 7])).toBe(1);
    expect(turns([0, 1, 2, 35])).toBe(1);
    expect(turns([0, 16, 1, 2], 8)).toBe(2);
  });
});

describe('what all loads of a kernel cost', () => {
  it('is counted by array: a histogram, lanes and bytes', () => {
    const steps = loadCountSteps(
      model([
        [0, 1],
        [0, 32],
        [0, ABSENT],
        [1, 99],
        [ABSENT, ABSENT],
      ]),
      'loads',
    );
    const [{ histogram, ...sums }] = finish(steps);
    expect([...histogram.subarray(0, 4)]).toEqual([0, 2, 2, 0]);
    expect(sums).toEqual({ loads: 4, asked: 7, cost: 6, usedBytes: 28 });
  });

  it('reports progress about every 10 ms', () => {
    const lanes = Array.from({ length: 128 }, (_, i) => 33 * i);
    const steps = [...loadCountSteps(model(Array.from({ length: 9000 }, () => lanes)), 'loads')];
    expect(steps.length).toBeGreaterThan(1);
    expect(steps[0]).toMatchObject({ what: 'loads', total: 9000 });
  });
});

describe('the loads of a subgroup', () => {
  it('are listed in order, items past the end as the last one, and the rest is counted', () => {
    const one = model(
      [
        [0, 1],
        [5, 2000],
      ],
      { bytes: 128 },
    );
    expect(subgroupLoads(one, 1, 8)).toEqual({
      total: 1,
      siteOf: Uint8Array.of(0),
      items: Int32Array.of(5, 31),
      costs: Uint8Array.of(1),
    });
    expect(subgroupLoads(one, 1, 0)).toMatchObject({ total: 1, costs: new Uint8Array(0) });
  });

  it('are refused if there is no such subgroup', () => {
    expect(() => subgroupLoads(model([[0]]), 1, 8)).toThrow('subgroup: found 1, expected a whole number below 1');
  });
});
