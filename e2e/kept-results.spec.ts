// Results of runs are saved: after a closed page, without storage, and after a reload.

import type { Page } from '@playwright/test';
import { expect, scheduled, test } from './fixtures.ts';
import { axeViolationsInTestAll } from './axe-violations-in-test-all.ts';
import { setHidden } from './at-once.ts';

const keptResults = (page: Page) => page.getByRole('region', { name: 'Kept results' });

/** Chooses the CPU, and the number of rounds of the next run. */
async function chooseCpu(page: Page, rounds: number): Promise<void> {
  await page.getByRole('radio', { name: 'CPU' }).check();
  await page.getByRole('textbox', { name: 'rounds' }).fill(String(rounds));
}

test(
  'a page that is closed during a run restores the finished rounds, with a message',
  scheduled(
    'a run has to be interrupted in time',
    'src/state/session/saved-runs.test.ts, a run that was in progress when the page was left is listed with the rounds that it had measured',
  ),
  async ({ app, page }) => {
    await app.openBenchmark('src=generated:uniform&shape=40x56&density=0.3&seed=4');
    await chooseCpu(page, 200);
    await app.runButton.click();
    // Waits until the stored record has rounds, and hides the page in the same frame, so that the run waits and is left unfinished.
    await page.waitForFunction(() => {
      if (!sessionStorage.getItem('sparsescope.running')?.includes('samplesNs')) return false;
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
      return true;
    });
    await page.reload();
    await expect(page.getByRole('alert').filter({ hasText: 'The page was left' })).toHaveText(
      /^The page was left during a run; kept: .+, \d+ of \d+ (formats|rounds)\.$/,
    );
    await expect(page.getByRole('main')).toContainText(/warm · not finished/);
    await expect(keptResults(page)).toContainText('This browser keeps 1 result');
    await page.reload();
    await expect(app.kernels.getByRole('table').first()).toBeVisible();
    await expect(page.getByText('The page was left')).toHaveCount(0);
  },
);

test(
  'a browser without storage can measure, and a message states that results are not saved',
  scheduled('one sentence of the page', 'src/state/session/saved-runs.test.ts, a browser that blocks storage'),
  async ({ app, page }) => {
    await page.addInitScript(() => {
      const denyAccess = (): never => {
        throw new DOMException('Access is denied.', 'SecurityError');
      };
      IDBFactory.prototype.open = denyAccess;
      Storage.prototype.getItem = denyAccess;
      Storage.prototype.setItem = denyAccess;
    });
    await app.openBenchmark('src=generated:uniform&shape=40x56&density=0.3&seed=4');
    await chooseCpu(page, 2);
    await app.run();
    await expect(keptResults(page).getByRole('alert')).toHaveText(
      'This browser cannot save results (it answered: Access is denied): save them as files.',
    );
    await expect(app.kernels.getByRole('table').first()).toBeVisible();
  },
);

test(
  'a run waits while its tab is hidden; a reload restores page, matrix and results, until they are cleared',
  scheduled(
    'four page loads',
    'src/state/session/saved-runs.test.ts, results outlive the page, src/core/bench/rounds.test.ts, wait while the page is hidden, and the run that waits in e2e/access.spec.ts',
  ),
  async ({ app, page }) => {
    await app.openBenchmark('src=generated:uniform&shape=40x56&density=0.3&seed=4');
    await test.step('a run in a hidden tab waits, says so in the title, and continues when it is visible', async () => {
      await chooseCpu(page, 2);
      await setHidden(page, true);
      await app.runButton.click();
      await expect(page).toHaveTitle('Paused while hidden · Measure · SparseScope');
      await expect(page.getByText('waiting because the page is hidden')).toBeVisible();
      await expect(app.kernels.getByRole('table')).toHaveCount(0);
      await setHidden(page, false);
      await expect(page).toHaveTitle('Measure · SparseScope');
      await app.runEnds();
      await expect(app.kernels.getByRole('table').first()).toBeVisible();
    });
    await test.step('a reload brings back view, matrix and results, until they are cleared', async () => {
      await expect(keptResults(page)).toContainText(/^This browser keeps 1 result, \d[\d\s]+B/);
      await page.reload();
      await expect(app.kernels.getByRole('table').first()).toBeVisible();
      await expect(page).toHaveURL(/#2\/measure\?src=generated:uniform&shape=40x56/);
      await expect(page.getByRole('main')).toContainText('40 × 56');
      await expect(keptResults(page)).toContainText('This browser keeps 1 result');

      await keptResults(page).getByRole('button', { name: 'clear' }).click();
      const dialog = page.getByRole('dialog', { name: 'Clear 1 result?' });
      expect(await axeViolationsInTestAll(page, { within: 'dialog' })).toEqual([]);
      await dialog.getByRole('button', { name: 'Keep' }).click();
      await expect(keptResults(page)).toContainText('1 result');
      await keptResults(page).getByRole('button', { name: 'clear' }).click();
      await dialog.getByRole('button', { name: 'Clear' }).click();
      await expect(keptResults(page)).toHaveCount(0);
      await expect(app.kernels.getByRole('table')).toHaveCount(0);
      await page.reload();
      await expect(app.runButton).toHaveText(/^Run /);
      await expect(app.kernels.getByRole('table')).toHaveCount(0);
    });
  },
);
