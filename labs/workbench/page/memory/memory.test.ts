// The picture of a kernel's memory loads by cache line, and the loads recorded from a run.

import { describe, expect, it } from 'vitest';
import { siteOf } from '../../test/access-site.ts';
import type { ByteClass } from '../../../../src/core/encoded/ledger.ts';
import { type AccessTrace, type ArrayLoads, arrayLoads } from '../../theory/access-steps.ts';
import type { MemoryAnswer } from '../service/drafts/draft-types.ts';
import type { VisibleBinding } from '../../../../src/engine/kernel-reading/kernel-reading-types.ts';
import { lanePicture } from './lane-picture.ts';
import {
  truncationText,
  elementsText,
  firstSubgroup,
  arrayColor,
  loadsFrom,
  chosenArray,
  loadPicture,
  loadWords,
  workgroupsOf,
} from './recorded-loads.ts';

const binding = (name: string, byteClass: ByteClass | null) => ({ name, buffer: name, byteClass }) as VisibleBinding;

describe('the picture of a memory load', () => {
  it('has a row for each touched cache line, in the order of the array', () => {
    expect(lanePicture('storage', 8, [17, -1, 1, 16])).toEqual({
      space: 'storage',
      lanes: 4,
      rows: [
        { at: 0, words: [2, 3] },
        { at: 128, words: [0, 1, 2, 3] },
      ],
      links: [
        { lane: 0, row: 1, word: 2, words: 2, byte: 136 },
        { lane: 2, row: 0, word: 2, words: 2, byte: 8 },
        { lane: 3, row: 1, word: 0, words: 2, byte: 128 },
      ],
    });
  });

  it('has, for workgroup memory, a row for each turn of the banks; lanes at the same word share a turn', () => {
    const { rows, links } = lanePicture('workgroup', 4, [0, 32, 0, 33]);
    expect(rows).toEqual([
      { at: 1, words: [0, 1] },
      { at: 2, words: [0] },
    ]);
    expect(links.map(({ row }) => row)).toEqual([0, 1, 0, 0]);
  });
});

describe('the recorded loads of a workgroup', () => {
  const sites = [siteOf('x'), siteOf('values', { elementBytes: 2 }), siteOf('y', { writes: true })];
  // The accesses of each lane, as 'site:element'.
  const touched = ['0:0 1:0 0:64 2:0', '0:1 1:1', '0:2', ''].map((lane) =>
    [...lane.matchAll(/(\d+):(\d+)/g)].map(([, site, element]) => [Number(site), Number(element)]),
  );
  const max = 4;
  const trace: AccessTrace = {
    sites,
    lanes: 4,
    max,
    counts: Uint32Array.from(touched, ({ length }) => length),
    siteOf: Uint32Array.from({ length: 16 }, (_, i) => touched[i >> 2][i & 3]?.[0] ?? 0),
    elements: Uint32Array.from({ length: 16 }, (_, i) => touched[i >> 2][i & 3]?.[1] ?? 0),
  };
  const answer: MemoryAnswer = {
    generation: 1,
    kernel: 'a/b',
    pass: 0,
    passes: 1,
    workgroup: 2,
    workgroups: 7,
    subgroup: 2,
    subgroups: 2,
    arrays: arrayLoads(trace, 2),
    trace,
  };
  const sentence = (array: ArrayLoads | null): string =>
    loadWords(answer, array).reduce((text, part) => text + part.text, '');

  it('show the cost of the loads of the chosen array, or of x', () => {
    const { arrays } = answer;
    expect([arrays.map(({ name }) => name), chosenArray(arrays, '')?.name]).toEqual([['x', 'values'], 'x']);
    expect(chosenArray(arrays, 'values')?.name).toBe('values');
    expect([chosenArray(arrays.slice(1), 'gone')?.name, chosenArray([], 'x')]).toEqual(['values', null]);
    expect(sentence(arrays[0])).toBe(
      'Workgroup 2: its loads of x touch 1.5 lines of 128 bytes for every 2 lanes, and use 4\u202f% of the bytes.',
    );
    expect(sentence({ ...arrays[0], space: 'workgroup' })).toMatch(
      /^Workgroup 2: its loads of x take 1\.5 turns of 128 bytes for every 2 lanes,/,
    );
    expect(sentence(null)).toBe('Workgroup 2 loads nothing.');
    expect(sentence({ ...arrays[0], transactions: null })).toBe(
      'Workgroup 2 loads from x 3 times; its element size is unknown.',
    );
  });

  it('contain the loads of each subgroup in order, without stores, each with a picture', () => {
    const loads = loadsFrom(answer, 0, 'x');
    expect(loads.map(({ elements }) => elements.join(' '))).toEqual(['0 1', '64 -1']);
    expect([loadsFrom(answer, 1, 'values'), loadsFrom(answer, 0, 'y')]).toEqual([[], []]);
    expect(loadPicture(sites[0], loads[1])).toMatchObject({
      lanes: 2,
      rows: [{ at: 256, words: [0] }],
      links: [{ lane: 0, byte: 256 }],
    });
    const [halves] = loadsFrom(answer, 0, 'values');
    expect(loadPicture(sites[1], halves)?.rows).toEqual([{ at: 0, words: [0] }]);
    expect(loadPicture({ ...sites[1], elementBytes: null }, halves)).toBeNull();
    expect([elementsText(sites[0], 256, 1), elementsText(sites[1], 4, 1)]).toEqual(['x[64]', 'values[2 to 3]']);
    expect(elementsText(siteOf('x', { elementBytes: 16 }), 32, 4)).toBe('x[2]');
  });

  it('are shown first for the first subgroup that loads from the array', () => {
    const late = { subgroup: 1, trace: { ...trace, counts: Uint32Array.of(0, 2, 1, 0) } };
    expect(['x', 'values', 'y'].map((name) => firstSubgroup(late, name))).toEqual([1, 1, 0]);
    expect(firstSubgroup({ ...late, trace: { ...trace, counts: Uint32Array.of(0, 0, 1, 0) } }, 'x')).toBe(2);
  });

  it('include a message if a lane made too many accesses', () => {
    expect(truncationText(answer)).toBeNull();
    expect(truncationText({ trace: { ...trace, counts: Uint32Array.of(3, 9000) } })).toBe(
      'The first 4 accesses a lane are recorded; the busiest made 9\u202f000.',
    );
  });

  it('use the number of workgroups of the dispatch, and the colours of its buffers', () => {
    expect(workgroupsOf({ workgroups: [12, 3, 1] })).toBe(36);
    const bindings = [binding('values', 'values'), binding('x', null), binding('fill', 'padding')];
    const colors = ['values', 'x', 'fill', 'shared'].map((name) => arrayColor({ bindings }, name));
    expect(colors).toEqual(['values', 'x', 'x', 'x']);
  });
});
