// The job that requests two texts from the worker: it continues after a lost device, and updates the page's text.

import { expect, it } from 'vitest';
import { WRITE_REQUEST } from '../../test/fake-imported.ts';
import { oneJob } from '../../../../test/jobs.ts';
import { DeviceLostError } from '../../../../src/gpu/index.ts';
import type { OnWriteEvent, WriteRequest, WritingResult } from '../service/types.ts';
import { writingJob, type WritingState } from './use-writing.ts';

const MODEL = { id: 'brought:Tiny-1a2b', url: 'brought:Tiny-1a2b' };
const HALF = { way: 'magnitude', density: 0.5 } as const;
const REQUEST: WriteRequest = { ...WRITE_REQUEST, model: MODEL, pruning: HALF, prompt: '', count: 4 };
const WRITTEN = { ended: false, where: 'cpu' } as WritingResult;

/** Returns a job whose service loses its device after two tokens, in each of the first `losses` calls. */
function writingWith(losses: number) {
  let calls = 0;
  const denseTexts: (readonly string[] | undefined)[] = [];
  const job = oneJob<WritingState & { readonly request: WriteRequest }>();
  const host: Parameters<typeof writingJob>[0] = {
    service: {
      write: async (_watch, _request, onEvent: OnWriteEvent) => {
        const isLost = ++calls <= losses;
        await onEvent({ kind: 'begin', prompt: [] });
        denseTexts.push(job.state().data?.text.dense);
        await onEvent({ kind: 'written', tokens: ['a', ' b'] });
        if (isLost) throw new DeviceLostError('the device was lost');
        await onEvent({ kind: 'written', tokens: [' c', ' d'] });
        return WRITTEN;
      },
    },
    recorded: async () => null,
  };
  /** Returns the dense text, the progress and the error at the end. */
  const outcome = () => {
    const { data, job: running, error } = job.state();
    return { dense: data?.text.dense, running, error };
  };
  return { job, host, seen: denseTexts, calls: () => calls, outcome };
}

it.each([true, false])(
  'the job writes once more after a lost device, and its text stays visible (live: %s)',
  async (live) => {
    const { job, host, seen: denseTexts, calls, outcome } = writingWith(1);
    await job.start(writingJob(host, REQUEST, live));
    expect([calls(), denseTexts]).toEqual([2, [[], ['a', ' b']]]);
    expect(outcome()).toEqual({ dense: ['a', ' b', ' c', ' d'], running: null, error: null });
  },
);

it('the job reports a device that is lost a second time, and keeps the text so far', async () => {
  const { job, host, calls, outcome } = writingWith(Number.POSITIVE_INFINITY);
  await job.start(writingJob(host, REQUEST, false));
  expect(calls()).toBe(2);
  expect(outcome()).toEqual({
    dense: ['a', ' b'],
    running: null,
    error: 'Job failed: the device was lost; run again, and close other programs that use the GPU if that fails too.',
  });
});

it('the job keeps the dense text if only the pruning changes, and begins with no text if it is written live', async () => {
  const { job, host, seen } = writingWith(0);
  await job.at('half').start(writingJob(host, REQUEST, false));
  const other: WriteRequest = { ...REQUEST, pruning: { way: 'magnitude', density: 0.3 } };
  const next = job.at('less');
  await next.start(async (watch, parts) => {
    seen.push(parts.lastOfAnyKey?.text.dense);
    return writingJob(host, other, false)(watch, { ...parts, update: (part) => seen.push(part.text.dense) });
  });
  expect(seen.slice(1, 3)).toEqual(Array(2).fill(['a', ' b', ' c', ' d']));
  seen.length = 0;
  await next.start((watch, parts) =>
    writingJob(host, other, true)(watch, { ...parts, update: (part) => seen.push(part.text.dense) }),
  );
  expect(seen[0]).toEqual([]);
});
