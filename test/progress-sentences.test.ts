import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { Steps } from '../src/core/job.ts';
import { overviewSteps } from '../src/engine/matrix/overview.ts';
import { previewSteps } from '../src/engine/matrix/preview.ts';
import { generateSteps } from '../src/generate/generate.ts';
import { pruneByMagnitudeSteps } from '../src/generate/prune.ts';
import { pruneRowsSteps } from '../src/generate/prune-rows.ts';
import { JobProgress } from '../src/kit/controls/JobProgress.tsx';
import { shownText } from './markup.ts';
import { uniformMatrix } from './matrices.ts';
import { number, percent, Read } from './sentences.ts';

/* The law for sentences, for what is said while something takes long. */

it('a job says which step it is at, or what share is done, and about how long the rest takes, rounded up', () => {
  const read = new Read();
  for (const [done, total] of [
    [0, 7],
    [3, 7],
    [6.99, 7],
    [7, 7],
    [0, 1],
    [1, 1000],
    [500, 1000],
    [999, 1000],
    [9, 0],
  ]) {
    for (const leftMs of [null, 1, 400, 3001, 9999, 10_001, 47_000, 89_000, 91_000, 3_000_000]) {
      const job = { id: 1, title: 'Counting', progress: { what: 'rows', done, total }, leftMs, cancelling: false };
      const [head, what] = shownText(createElement(JobProgress, { job, onCancel: () => {} })).split('\n');
      const share = total === 0 ? 0 : done / total;
      const where = `${done} of ${total}, ${leftMs} ms`;
      // Without a total, of a single step, and before half a per cent, nothing is known but that it goes on.
      const isSteps = total > 1 && total <= 100;
      const rule = isSteps
        ? 'Counting {step} of {steps} cancel'
        : share < 0.005
          ? 'Counting cancel'
          : 'Counting {share} cancel';
      const now = Math.min(Math.floor(done) + 1, total);
      const facts = { share: { ...percent(share), digits: 1 }, step: number(now), steps: number(total) };
      read.sentence(head.replace(/(?<=[%\d])(?=cancel)/, ' '), rule, facts, where);
      if (leftMs === null) {
        expect(what).toBe('rows');
        continue;
      }
      const seconds = leftMs / 1000;
      const step = seconds < 10 ? 1 : seconds < 90 ? 5 : 60;
      const up = Math.ceil(seconds / step) * step;
      const unit = step === 60 ? 'min' : 's';
      const said = what.replace(`\u202f${unit} left`, ' left');
      read.sentence(said, 'rows, about {up} left', { up: number(step === 60 ? up / 60 : up) }, where);
    }
  }
  expect(read.met('Counting {share} cancel')).toBeGreaterThan(10);
  expect(read.met('Counting {step} of {steps} cancel')).toBeGreaterThan(10);
});

it('what is done never falls, nor does it pass the whole', () => {
  const matrix = uniformMatrix(1500, 2100, 0.05, 3);
  const full = uniformMatrix(1500, 2100, 0.9, 3);
  const all: readonly (readonly [string, Steps<unknown>])[] = [
    ['preview', previewSteps(matrix)],
    ['overview', overviewSteps(matrix)],
    ['pruning by magnitude', pruneByMagnitudeSteps(full, 0.3)],
    ['pruning in rows', pruneRowsSteps(full, 0.3)],
    ['generating', generateSteps({ pattern: 'uniform', rows: 1500, cols: 2100, density: 0.05, seed: 1 })],
  ];
  for (const [name, steps] of all) {
    let last = 0;
    let yields = 0;
    for (let step = steps.next(); !step.done; step = steps.next()) {
      const { done, total } = step.value;
      expect(done / total, name).toBeGreaterThanOrEqual(last);
      expect(done, name).toBeLessThanOrEqual(total);
      last = done / total;
      yields++;
    }
    expect(yields, name).toBeGreaterThan(1);
  }
});
