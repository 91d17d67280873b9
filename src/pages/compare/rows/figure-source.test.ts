import { expect, it } from 'vitest';
import { sourceNote } from './FigureSource.tsx';

type FigureSource = Parameters<typeof sourceNote>[0];

const rowOf = (isOtherMatrix: boolean) => ({
  measuredNs: 1,
  figures: { measurement: isOtherMatrix ? { isOtherMatrix } : {} },
});
const note = (rows: readonly object[], sampledRows?: number): string =>
  sourceNote({ model: null, rows, summary: { sampledRows }, visibleDevice: {} } as unknown as FigureSource);

it('states whether sizes were counted, and on which matrices times were measured', () => {
  expect(note([{ measuredNs: null }])).toBe('Sizes exact.');
  expect(note([{ measuredNs: null }], 64)).toBe('Sizes computed.');
  expect(note([rowOf(false)])).toBe('Sizes exact; times measured uncached.');
  expect(note([rowOf(false), rowOf(true)], 64)).toBe('Sizes computed; times measured on random matrices, uncached.');
});
