// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { fakeSession, settle } from '../../test/fake-engine.ts';
import { cleanup, fakeApp, renderInApp } from '../../test/page.ts';
import type { App } from './app-context.ts';
import { useJob, useMatrixJob } from './use-job.ts';

afterEach(cleanup);

interface Call {
  readonly width: number;
  readonly generation: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
  readonly answer: () => Promise<void>;
  readonly fail: () => Promise<void>;
}

let calls: Call[] = [];

/** Counts a matrix with a width that the test can change. */
function Counted({ manual = false }: { readonly manual?: boolean }) {
  const [width, setWidth] = useState(8);
  const job = useMatrixJob(
    ['Counting', width],
    ({ generation, signal, onProgress }) =>
      new Promise<{ readonly generation: number; readonly text: string }>((resolve, reject) => {
        calls.push({
          width,
          generation,
          signal,
          onProgress: (done) => onProgress({ what: 'rows', done, total: 4 }),
          answer: () => act(async () => (resolve({ generation, text: `of ${width} in ${generation}` }), settle())),
          fail: () => act(async () => (reject(new Error('rows: found none')), settle())),
        });
      }),
    { manual },
  );
  return (
    <div>
      <p data-testid="answer">{job.data?.text ?? 'none'}</p>
      <p data-testid="latest">{job.latest?.text ?? 'none'}</p>
      <p data-testid="job">{job.job ? `${job.job.title} ${job.job.progress?.done ?? 0}` : 'rests'}</p>
      <p role="alert">{job.error}</p>
      <button type="button" onClick={() => setWidth(16)}>
        wider
      </button>
      <button type="button" onClick={job.start}>
        start
      </button>
    </div>
  );
}

function text(id: string): string | null {
  return screen.getByTestId(id).textContent;
}

async function page(): Promise<App & ReturnType<typeof fakeSession>> {
  calls = [];
  const page = fakeSession();
  await page.session.start();
  return { ...fakeApp(), ...page };
}

it('shows progress, then the answer; the latest answer stays until the next one arrives', async () => {
  const app = await page();
  renderInApp(<Counted />, app);
  expect(text('job')).toBe('Counting 0');
  act(() => calls[0].onProgress(3));
  expect(text('job')).toBe('Counting 3');
  await calls[0].answer();
  expect([text('answer'), text('latest'), text('job')]).toEqual(['of 8 in 1', 'of 8 in 1', 'rests']);
  fireEvent.click(screen.getByText('wider'));
  expect([text('answer'), text('latest')]).toEqual(['none', 'of 8 in 1']);
  await calls[1].answer();
  expect([text('answer'), text('latest')]).toEqual(['of 16 in 1', 'of 16 in 1']);
});

it('an answer survives a remount of its component, and is requested again for another matrix', async () => {
  const app = await page();
  const { unmount } = renderInApp(<Counted />, app);
  await calls[0].answer();
  unmount();
  renderInApp(<Counted />, app);
  expect(text('answer')).toBe('of 8 in 1');
  expect(calls).toHaveLength(1);
  await act(async () => {
    await app.session.openExample('wide');
    await settle();
  });
  expect([text('answer'), text('latest')]).toEqual(['none', 'none']);
  expect(calls.map(({ generation }) => generation)).toEqual([1, 2]);
  await calls[1].answer();
  expect(text('answer')).toBe('of 8 in 2');
});

it('a new key cancels the job of the old key, and a failed job can be started again', async () => {
  const app = await page();
  renderInApp(<Counted />, app);
  fireEvent.click(screen.getByText('wider'));
  expect(calls.flatMap(({ width, signal }) => [width, signal.aborted])).toEqual([8, true, 16, false]);
  await calls[0].answer();
  expect(text('latest')).toBe('none');
  await calls[1].fail();
  expect(screen.getByRole('alert').textContent).toBe('rows: found none.');
  fireEvent.click(screen.getByText('start'));
  expect(screen.getByRole('alert').textContent).toBe('');
  await calls[2].answer();
  expect(text('answer')).toBe('of 16 in 1');
});

it('reports an immediate failure, even before its key has settled', async () => {
  const app = await page();
  function Settling() {
    const job = useJob<string>(['Settling'], () => Promise.reject(new Error('rows: found none')), { settleMs: 1e6 });
    return (
      <button type="button" onClick={job.start}>
        {job.error ?? 'nothing'}
      </button>
    );
  }
  renderInApp(<Settling />, app);
  await act(async () => {
    fireEvent.click(screen.getByText('nothing'));
    await settle();
  });
  expect(screen.getByText('rows: found none.')).toBeTruthy();
});

it('a manual job does not start before the user starts it', async () => {
  const app = await page();
  renderInApp(<Counted manual />, app);
  expect(calls).toHaveLength(0);
  fireEvent.click(screen.getByText('start'));
  expect(calls).toHaveLength(1);
});

it('shows the result of the request that the start made', async () => {
  const app = await page();
  function Any() {
    const job = useJob<string>(['Any'], null);
    return (
      <button type="button" onClick={() => job.startWith(async ({ generation }) => `by hand, of ${generation}`)}>
        {job.data ?? 'nothing'}
      </button>
    );
  }
  renderInApp(<Any />, app);
  await act(async () => {
    fireEvent.click(screen.getByText('nothing'));
    await settle();
  });
  expect(screen.getByText('by hand, of 0')).toBeTruthy();
});
