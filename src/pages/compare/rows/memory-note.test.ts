import { expect, it } from 'vitest';
import { defaultParams } from '../../../core/format.ts';
import { formats } from '../../../formats/registry.ts';
import type { FormatParams } from '../../../state/index.ts';
import { memoryNote } from './WorkerNotes.tsx';

const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));
const ask = (n: number, deviceMemory?: number): string | null =>
  memoryNote({ formats, params, matrix: { rows: n, cols: n, nnz: n * n * 0.5, density: 0.5 }, deviceMemory });

it('states the memory that a large matrix needs if the browser does not report its memory', () => {
  expect(ask(14_336)).toMatch(/^The matrix and its largest encoding, .+, need about 1\.\d\d\sGB of memory/);
});
it('is null for small ones, and if the worker knows the memory', () => {
  expect([ask(4096), ask(14_336, 8)]).toEqual([null, null]);
});
