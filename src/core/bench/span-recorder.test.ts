import { expect, test } from 'vitest';
import type { Job, Progress } from '../job.ts';
import { SpanRecorder } from './span-recorder.ts';

const recordingJob: Job & { readonly seen: Progress[] } = {
  seen: [],
  report(progress) {
    this.seen.push(progress);
  },
  cancelled: false,
};

test('records foreground work in order, one span for each task, and background work beside it', async () => {
  let ms = 100;
  const timeline = new SpanRecorder(() => ms);
  const job = timeline.foreground(recordingJob);
  job.report({ what: 'encode dense: rows', done: 0, total: 2 });
  ms = 110;
  job.report({ what: 'encode dense: checksums', done: 1, total: 2 });
  let end = (): void => {};
  const background = timeline.background('encode MACKO', new Promise<void>((resolve) => (end = resolve)));
  ms = 130;
  job.report({ what: 'verify', done: 0, total: 1 });
  ms = 150;
  end();
  await background;
  ms = 165.4;
  expect(timeline.spans).toEqual([
    { what: 'encode dense', fromMs: 0, toMs: 30 },
    { what: 'encode MACKO', fromMs: 10, toMs: 50, beside: true },
    { what: 'verify', fromMs: 30, toMs: 65 },
  ]);
  expect(recordingJob.seen.map(({ what }) => what)).toEqual([
    'encode dense: rows',
    'encode dense: checksums',
    'verify',
  ]);
});

test('ends the span of background work that fails when it fails', async () => {
  let ms = 0;
  const timeline = new SpanRecorder(() => ms);
  const failing = timeline.background('encode', Promise.reject(new Error('no memory')));
  ms = 5;
  await expect(failing).rejects.toThrow('no memory');
  ms = 9;
  expect(timeline.spans).toEqual([{ what: 'encode', fromMs: 0, toMs: 5, beside: true }]);
});
