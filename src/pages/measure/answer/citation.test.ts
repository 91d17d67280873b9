import { expect, test } from 'vitest';
import type { BenchReport } from '../../../core/report.ts';
import { citation } from './answer-words.ts';

const report = { createdAt: '2026-11-26T10:00:00.000Z', app: '0.1.0' } as BenchReport;

test('a citation has the answer, the report, the card, the day and the address', () => {
  expect(citation([{ text: 'It takes ' }, { text: '24.0 µs.' }], report, 'an H200', 'https://a.b/#2')).toBe(
    'It takes 24.0 µs. SparseScope 0.1.0, report of 2026-11-26T10:00:00.000Z, an H200, 26 November 2026. https://a.b/#2',
  );
});

test('a citation of a recording names the commit of its kernels', () => {
  const recorded = { id: 'h200', name: 'NVIDIA H200', date: '2026-11-26', driver: '1', commit: '589ceb84ffff' };
  expect(citation([{ text: 'Fast.' }], { ...report, recorded }, 'x', 'y')).toBe(
    'Fast. SparseScope 0.1.0, recording h200, commit 589ceb8, NVIDIA H200, 26 November 2026. y',
  );
});
