// The engine (the worker with the matrix) ends, throws or hangs: the page starts it again and opens the same matrix.

import type { Page, Worker } from '@playwright/test';
import { expect, scheduled, test } from './fixtures.ts';

// These tests cause errors: an error of the worker is also reported as an error of the page.
test.use({ bringsFaults: true });

async function engineOf(page: Page): Promise<Worker> {
  await expect.poll(() => page.workers().length).toBeGreaterThan(0);
  return page.workers()[0];
}

const alert = (page: Page) => page.getByRole('alert');

test(
  'an engine that ends is started again, with its matrix',
  scheduled(
    'however an engine ends, the same things are opened again',
    'an engine that stops responding in e2e/engine.spec.ts, and src/state/session/engine-death.test.ts',
  ),
  async ({ app, page }) => {
    await app.open(
      '#2/watch?src=generated:uniform&shape=50x50&density=0.3&seed=1&a=csr&a.indexBits=32&b=none&win=2,3,4,16&moment=5',
    );
    const engine = await engineOf(page);
    await engine.evaluate(() => self.close());
    await expect(alert(page)).toHaveText(
      'The engine stopped by itself; it was started again and uniform 50 × 50 was reopened.',
    );
    await app.expectStep(5);
    await expect(page).toHaveURL(/win=2,3,4,16&moment=5/);
    // The new engine works: it encodes another format, and opens another matrix.
    await app.chooseFormat('ELL');
    await expect(app.stage).toContainText('padding');
    await app.openExample('Planted blocks');
    await expect(page).toHaveURL(/src=example:/);
    await expect(alert(page)).toHaveCount(0);
  },
);

test(
  'an engine that ends while it generates does not leave the page waiting',
  scheduled(
    'a matrix of 81 million cells is generated',
    'src/state/session/engine-death.test.ts, while another matrix is opened',
  ),
  async ({ app, page }) => {
    await app.open();
    const engine = await engineOf(page);
    await page.evaluate(() => {
      location.hash = '#2/watch?src=generated:uniform&shape=9000x9000&density=0.5&seed=1&a=csr&a.indexBits=32&b=none';
    });
    await expect(page.getByText('Generating 9\u202f000 × 9\u202f000')).toBeVisible();
    await engine.evaluate(() => self.close());
    await expect(alert(page)).toContainText(
      /^The engine stopped by itself while generating 9\u202f000 × 9\u202f000; it was started again and .+ was reopened\.$/,
    );
    await expect(page.getByText('Generating 9\u202f000 × 9\u202f000', { exact: true })).toHaveCount(0);
    await app.ready();
  },
);

test(
  'an engine that throws is started again, with a file that was opened',
  scheduled(
    'however an engine ends, the same things are opened again',
    'src/state/session/engine-death.test.ts, brings back a file that the page still has',
  ),
  async ({ app, page }) => {
    await app.open();
    await app.openFile({
      name: 'mine.mtx',
      mimeType: 'text/plain',
      buffer: Buffer.from('%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1.5\n3 2 2\n'),
    });
    await expect(page).toHaveURL(/name=mine\.mtx/);
    const engine = await engineOf(page);
    await engine.evaluate(
      () =>
        void setTimeout(() => {
          throw new Error('boom');
        }),
    );
    await expect(alert(page)).toHaveText(
      'The engine failed (Uncaught Error: boom); it was started again and mine.mtx was reopened.',
    );
    await app.expectMatrix(/non-zeros\s*2/);
  },
);

test('an engine that stops responding is started again', async ({ app, page }) => {
  await page.clock.install();
  await app.open();
  const engine = await engineOf(page);
  await engine.evaluate(
    () =>
      void setTimeout(() => {
        // Waits forever; an endless loop would occupy a core that other tests need.
        const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
        Atomics.wait(new Int32Array(buffer), 0, 0);
      }),
  );
  // Advances the page's timers by a minute, in which the worker does not answer.
  await page.clock.runFor(60_000);
  await expect(alert(page)).toContainText(
    /^The engine did not answer for 24 seconds; it was started again and .+ was reopened\.$/,
  );
  await app.chooseFormat('ELL');
  await app.ready();
});
