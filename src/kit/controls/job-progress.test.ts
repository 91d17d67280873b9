import { createElement } from 'react';
import { expect, it } from 'vitest';
import { visibleText } from '../../../test/markup.ts';
import { JobProgress, progressText } from './JobProgress.tsx';

it('counts steps that can be counted, shows rows and bytes as a share, and never shows 0 %', () => {
  const output = (done: number, total: number): string => progressText({ done, total }).replace('\u202f', ' ');
  expect([output(0, 10), output(10, 10), output(0, 1), output(0, 0)]).toEqual(['1 of 10', '10 of 10', '', '']);
  expect([output(0, 4096), output(2048, 4096), output(1.5, 18.25)]).toEqual(['', '50 %', '8 %']);
  expect([output(6.99, 7), output(9, 0), output(1, 1000), output(5, 1000)]).toEqual(['7 of 7', '', '', '1 %']);
  expect([output(999, 1000), output(1001, 1000)]).toEqual(['100 %', '100 %']);
  const job = {
    id: 1,
    title: 'Counting',
    progress: { what: 'rows', done: 3, total: 7 },
    remainingMs: 3001,
    cancelling: false,
  };
  const shown = (runningJob: typeof job) =>
    visibleText(createElement(JobProgress, { job: runningJob, onCancel: () => {} }));
  expect(shown(job)).toBe('Counting 4 of 7cancel\nrows, about 4\u202fs left');
  expect(shown({ ...job, remainingMs: null as never, cancelling: true })).toBe('Counting 4 of 7cancelling\nrows');
});
