import { expect, it } from 'vitest';
import { CancelledError, ReadError } from '../../../../core/errors.ts';
import type { NetworkChoice, NetworkRequest, NetworkResult } from '../../service/network/types.ts';
import type { ServiceOf } from '../../../../engine/bridge/service.ts';
import type { explore } from '../../service/service.ts';
import { networkFields } from './fields.ts';
import { createNetworkRuns, FIRST_LOOK, type NetworkRuns, resultOf } from './network-runs.ts';

const choices = [0.5, 0.2, 0.1].map((density): NetworkChoice => ({
  format: 'a',
  params: {},
  pruning: { way: 'magnitude', density },
  layers: 'all',
  where: 'cpu',
}));

/** An engine whose choices are answered one by one, on the test's command. */
function manualEngine() {
  const asked: NetworkRequest[] = [];
  const cancelled: number[] = [];
  let answer: () => void = () => {};
  let fail: (error: Error) => void = () => {};
  const service: Pick<ServiceOf<typeof explore>, 'network'> = {
    async network({ signal, onProgress }, request, onResult) {
      const call = asked.push(request);
      signal?.addEventListener('abort', () => {
        cancelled.push(call);
        fail(new CancelledError());
      });
      for (const [index, choice] of request.choices.entries()) {
        onProgress?.({ what: 'images', done: 1, total: 2 });
        await new Promise<void>((resolve, reject) => {
          answer = resolve;
          fail = reject;
        });
        await onResult({ index, choice, kind: 'refused', reason: 'no' } satisfies NetworkResult);
      }
    },
  };
  const runs = createNetworkRuns({
    service,
    resolveUrl: (path) => `https://example.org/${path}`,
  });
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return {
    runs,
    asked,
    cancelled,
    async answerOne() {
      answer();
      await settle();
    },
    async fail(error: Error) {
      fail(error);
      await settle();
    },
    settle,
  };
}

const found = (runs: NetworkRuns): number => runs.store.getState().results.size;

it('runs 200 images until a person asks for more', () => {
  expect(networkFields(['a']).images.default).toBe(200);
});

it('keeps every result, and asks only for what is missing', async () => {
  const { runs, asked, answerOne } = manualEngine();
  const first = runs.run(choices.slice(0, 2), 100);
  expect(runs.store.getState().running?.progress).toMatchObject({
    what: '1 of 2 on 100 images: images',
    done: 0.5,
    total: 2,
  });
  await answerOne();
  expect(found(runs)).toBe(1);
  await answerOne();
  await first;
  expect(runs.store.getState().running).toBeNull();
  const second = runs.run(choices, 100);
  expect(asked.map((request) => request.choices.length)).toEqual([2, 1]);
  expect(asked[1].url).toBe('https://example.org/networks/digits.npz');
  await answerOne();
  await second;
  await runs.run(choices, 100);
  expect(asked).toHaveLength(2);
  expect(found(runs)).toBe(3);
});

it('has a first look at every network before one sees all images', async () => {
  const { runs, asked, answerOne } = manualEngine();
  const running = runs.run(choices.slice(0, 2), 4000);
  const at = (i: number) => resultOf(runs.store.getState().results, choices[i], 4000);
  expect([at(0), at(1)]).toEqual([undefined, undefined]);
  for (let i = 0; i < 2; i++) await answerOne();
  expect(asked.map(({ images }) => images)).toEqual([FIRST_LOOK, 4000]);
  expect([at(0)?.choice, at(1)?.choice]).toEqual(choices.slice(0, 2));
  expect(runs.store.getState().running?.progress?.what).toMatch(/^1 of 2 on 4000 images/);
  for (let i = 0; i < 2; i++) await answerOne();
  await running;
  expect(runs.store.getState().running).toBeNull();
  expect(found(runs)).toBe(4);
});

it('a newer run takes the place of one that goes on, whose results stay', async () => {
  const { runs, cancelled, answerOne } = manualEngine();
  const first = runs.run(choices, 100);
  await answerOne();
  const second = runs.run(choices, 100);
  await first;
  expect(cancelled).toEqual([1]);
  expect(runs.store.getState()).toMatchObject({ running: { cancelling: false }, error: null });
  await answerOne();
  await answerOne();
  await second;
  expect(found(runs)).toBe(3);
});

it('stays stopped when a person has cancelled, until it may go on', async () => {
  const { runs, answerOne, settle } = manualEngine();
  const running = runs.run(choices, 100);
  await answerOne();
  runs.cancel(true);
  await settle();
  await running;
  expect(runs.store.getState()).toMatchObject({ running: null, stopped: true, error: null });
  expect(found(runs)).toBe(1);
  runs.resume();
  expect(runs.store.getState().stopped).toBe(false);
});

it('says in a sentence why a run broke off', async () => {
  const { runs, fail } = manualEngine();
  const running = runs.run(choices, 100);
  await fail(new ReadError('digits.npz: found nothing, expected the file'));
  await running;
  expect(runs.store.getState()).toMatchObject({
    running: null,
    error: 'digits.npz: found nothing, expected the file.',
  });
});
