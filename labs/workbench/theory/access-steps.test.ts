// Grouping of recorded memory accesses into steps of a subgroup, with their cache lines and bank conflicts.

import { describe, expect, it } from 'vitest';
import { siteOf } from '../test/access-site.ts';
import { type AccessSite, accessSteps, type AccessTrace, activeSubgroups, arrayLoads } from './access-steps.ts';

const site = (change: Partial<AccessSite> = {}): AccessSite => siteOf('x', change);

/** Lanes by the elements that they touch, all at one site. */
function trace(lanes: readonly (readonly number[])[], at: AccessSite): AccessTrace {
  const max = lanes.reduce((longest, { length }) => Math.max(longest, length), 1);
  const elements = new Uint32Array(lanes.length * max);
  for (const [lane, touched] of lanes.entries()) elements.set(touched, lane * max);
  return {
    sites: [at],
    lanes: lanes.length,
    max,
    counts: Uint32Array.from(lanes, ({ length }) => length),
    siteOf: new Uint32Array(lanes.length * max),
    elements,
  };
}

describe('steps of a subgroup', () => {
  it('group the n-th accesses of all lanes at one site, and count cache lines of 128 bytes', () => {
    const lanes = [[0, 32], [1, 100], [2], [64, 33]];
    const steps = accessSteps(trace(lanes, site()), 0, 4);
    expect(steps.map(({ elements, transactions }) => ({ elements, transactions }))).toEqual([
      { elements: [0, 1, 2, 64], transactions: 2 },
      { elements: [32, 100, -1, 33], transactions: 2 },
    ]);
  });

  it('count two lines for an element that crosses a line, and none for elements of unknown size', () => {
    expect(accessSteps(trace([[10]], site({ elementBytes: 12 })), 0, 4)[0].transactions).toBe(2);
    expect(accessSteps(trace([[10]], site({ elementBytes: null })), 0, 4)[0].transactions).toBeNull();
  });

  it('count the turns of the fullest of 32 banks of workgroup memory; lanes at the same word share a turn', () => {
    const shared = site({ space: 'workgroup', buffer: null });
    const costs = [
      [[0], [32], [64], [1]],
      [[0], [0], [0], [0]],
      [[0], [1], [2], [3]],
    ].map((lanes) => accessSteps(trace(lanes, shared), 0, 4)[0].transactions);
    expect(costs).toEqual([3, 1, 1]);
  });

  it('belong to one subgroup, of which the last may have fewer lanes', () => {
    const lanes = [[0], [1], [2], [3], [4]];
    expect(accessSteps(trace(lanes, site()), 1, 4)[0].elements).toEqual([4, -1, -1, -1]);
    expect(() => accessSteps(trace(lanes, site()), 2, 4)).toThrow('subgroup: found 2, expected one of 2');
  });
});

describe('loads of a workgroup by array', () => {
  it('add up the requests of all its subgroups, counting bytes that several lanes request once', () => {
    const steps = trace([[0, 32], [1], [1], [], [64], []], site());
    expect(activeSubgroups(steps, 2)).toBe(3);
    expect(arrayLoads(steps, 2)).toEqual([
      { name: 'x', space: 'storage', elementBytes: 4, loads: 4, requestedLanes: 5, transactions: 4, usedBytes: 20 },
    ]);
    expect(arrayLoads(trace([[7], [7]], site()), 2)).toMatchObject([
      { loads: 1, requestedLanes: 2, transactions: 1, usedBytes: 4 },
    ]);
  });

  it('omit writes, have no cost for elements of unknown size, and are empty without accesses', () => {
    expect(arrayLoads(trace([[0, 1]], site({ writes: true })), 1)).toEqual([]);
    expect(arrayLoads(trace([[0, 1]], site({ elementBytes: null })), 1)).toMatchObject([
      { loads: 2, requestedLanes: 2, transactions: null, usedBytes: null },
    ]);
    expect([activeSubgroups(trace([[], []], site()), 2), arrayLoads(trace([[], []], site()), 2)]).toEqual([0, []]);
  });
});
