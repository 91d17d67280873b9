import { expect, it } from 'vitest';
import { sourceNote } from './FigureSource.tsx';

type FigureSource = Parameters<typeof sourceNote>[0];

const timed = (isOtherMatrix: boolean) => ({
  measuredNs: 1,
  figures: { measured: isOtherMatrix ? { isOtherMatrix } : {} },
});
const note = (rows: readonly object[], sampledRows?: number): string =>
  sourceNote({ model: null, rows, summary: { sampledRows }, visibleDevice: {} } as unknown as FigureSource);

it('states whether sizes were counted, and on which matrices times were measured', () => {
  expect(note([{ measuredNs: null }])).toBe('Sizes exact.');
  expect(note([{ measuredNs: null }], 64)).toBe('Sizes computed.');
  expect(note([timed(false)])).toBe('Sizes exact; times measured uncached.');
  expect(note([timed(false), timed(true)], 64)).toBe('Sizes computed; times measured on random matrices, uncached.');
});
