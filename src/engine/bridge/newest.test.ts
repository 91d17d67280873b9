import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../core/errors.ts';
import { LatestOnly } from './latest-only.ts';

/** A request that a test answers. */
function request() {
  let answer: (value: string) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const promise = new Promise<string>((resolve, reject) => {
    answer = resolve;
    fail = reject;
  });
  return { promise, answer, fail };
}

describe('the newest of several requests', () => {
  it('cancels the one before, whose answer and error are ignored', async () => {
    const newest = new LatestOnly();
    const signals: AbortSignal[] = [];
    const requests = [request(), request(), request()];
    const requested = requests.map(({ promise }) =>
      newest.ask((signal) => {
        signals.push(signal);
        return promise;
      }),
    );
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    requests[0].answer('first');
    requests[1].fail(new RangeError('second'));
    requests[2].answer('third');
    await expect(requested[0]).rejects.toThrow(CancelledError);
    await expect(requested[1]).rejects.toThrow(CancelledError);
    expect(await requested[2]).toBe('third');
  });

  it('rejects with what it fails with, and with CancelledError once it is cancelled', async () => {
    const newest = new LatestOnly();
    await expect(newest.ask(() => Promise.reject(new RangeError('wrong')))).rejects.toThrow(RangeError);
    const { promise, answer } = request();
    const requested = newest.ask(() => promise);
    newest.cancel();
    answer('late');
    await expect(requested).rejects.toThrow(CancelledError);
    newest.cancel();
    expect(await newest.ask(async () => 'next')).toBe('next');
  });

  it('the newest of several requests is still the newest when it was cancelled, until another begins', () => {
    const newest = new LatestOnly();
    const first = newest.begin();
    newest.cancel();
    expect([first.isCurrent, first.signal.aborted]).toEqual([true, true]);
    const second = newest.begin();
    expect([first.isCurrent, second.isCurrent, second.signal.aborted]).toEqual([false, true, false]);
  });
});
