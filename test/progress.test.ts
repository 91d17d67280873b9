import { expect, it } from 'vitest';
import type { Steps } from '../src/core/job.ts';
import { overviewSteps } from '../src/engine/matrix/overview.ts';
import { previewSteps } from '../src/engine/matrix/preview.ts';
import { generateSteps } from '../src/generate/generate.ts';
import { pruneSteps, pruneRowsSteps } from '../src/generate/prune.ts';
import { uniformMatrix } from './matrices.ts';

it('the progress of encoding never decreases, and never exceeds the total', () => {
  const matrix = uniformMatrix(1500, 2100, 0.05, 3);
  const full = uniformMatrix(1500, 2100, 0.9, 3);
  const all: readonly (readonly [string, Steps<unknown>])[] = [
    ['preview', previewSteps(matrix)],
    ['overview', overviewSteps(matrix)],
    ['pruning by magnitude', pruneSteps(full, 0.3)],
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
