import { expect, it } from 'vitest';
import { progressText } from './JobProgress.tsx';

it('steps that can be counted are counted, rows and bytes are a share, and 0 % is never said', () => {
  const said = (done: number, total: number): string => progressText({ done, total }).replace('\u202f', ' ');
  expect(said(0, 10)).toBe('1 of 10');
  expect(said(10, 10)).toBe('10 of 10');
  expect(said(0, 1)).toBe('');
  expect(said(0, 0)).toBe('');
  expect(said(0, 4096)).toBe('');
  expect(said(2048, 4096)).toBe('50 %');
  expect(said(1.5, 18.25)).toBe('8 %');
});
