// Every kernel exercise on a GPU: its solution is correct, and its start text compiles but gives wrong outputs.

import { describe, expect, it } from 'vitest';
import { draftHost, endOf, messagesIn, sparseMatrix } from '../test/draft-host.ts';
import { scheduled } from '../../../test/scheduled.ts';
import { threadPace } from '../../../src/core/pace.ts';
import { ServiceJob } from '../../../src/engine/bridge/service-job.ts';
import { runDraft } from '../page/service/drafts/run-draft.ts';
import type { DraftEvent } from '../page/service/drafts/draft-types.ts';
import { type Exercise, exercises } from './index.ts';

const { draftMatrices: _, ...host } = draftHost(sparseMatrix(40, 90));

/** Runs `code` as the kernel of an exercise on all matrices on which drafts are tried, and returns the events. */
async function outcome({ kernel, params }: Exercise, code: string): Promise<readonly DraftEvent[]> {
  const received: DraftEvent[] = [];
  const typed = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]),
  );
  const files = { [`${kernel}.wgsl`]: code };
  await runDraft(
    host,
    { kernel, params: typed, files, overrides: {}, sizes: {}, time: true },
    new ServiceJob(threadPace, () => {}),
    (event) => void received.push(event),
  );
  return received;
}

describe.each(exercises.map((exercise) => [exercise.title, exercise] as const))('exercise %s', (_title, exercise) => {
  it('has a solution that is correct on every matrix', async () => {
    const solved = await outcome(exercise, exercise.solution);
    expect(messagesIn(solved)).toEqual([]);
    expect(endOf(solved)).toMatch(/^true The draft is right on all \d{2} matrices\./);
  });

  scheduled(
    'a software GPU compiles each text for seconds',
    'the test of every solution here, and labs/workbench/page/service/drafts/run-draft.gpu.test.ts, where a wrong draft gets its wrong outputs',
    'starts with a text that compiles, and reports what is wrong with it',
    async () => {
      const unsolved = await outcome(exercise, exercise.start);
      expect(messagesIn(unsolved)).toEqual([]);
      expect(endOf(unsolved)).toMatch(/^false Wrong, so not timed: on a matrix, \d+ of 40 outputs are wrong/);
    },
  );
});
