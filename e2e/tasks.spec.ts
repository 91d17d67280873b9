import type { Locator } from '@playwright/test';
import { mtx } from './files.ts';
import { expect, test } from './fixtures.ts';

/** What people come for, by the number of presses from the first screen that it takes at most. */
class Presses {
  count = 0;

  async on(target: Locator): Promise<void> {
    this.count++;
    await target.click();
  }
}

test('one press shows a format being built', async ({ app }) => {
  const presses = new Presses();
  await app.firstVisit();
  await presses.on(app.button('Watch how'));
  await app.ready();
  await expect.poll(() => app.step()).toBeGreaterThan(0);
  expect(presses.count).toBe(1);
});

test('one press shows TwELL on data that suit it', async ({ app, page }) => {
  const presses = new Presses();
  await app.firstVisit();
  await presses.on(page.getByRole('button', { name: 'TwELL packs tiles' }));
  await app.expectFormat('TwELL');
  await app.ready();
  await expect(app.button('Pause')).toBeVisible();
  expect(presses.count).toBe(1);
});

test('two presses set two formats side by side on the same rows', async ({ app, page }) => {
  const presses = new Presses();
  await app.firstVisit();
  await presses.on(page.getByRole('region', { name: 'Subject' }).getByRole('button', { name: /^B:/ }));
  await presses.on(
    page
      .getByRole('dialog', { name: 'B', exact: true })
      .getByRole('button', { name: /\bCSR\b/ })
      .first(),
  );
  await app.ready();
  await app.button('Next moment').click();
  await expect(app.narration).toContainText('CSR');
  await expect(app.narration).toContainText('MACKO');
  expect(presses.count).toBe(2);
});

test('two presses open a file of one’s own, and one more ranks the formats for it', async ({ app, page }) => {
  const presses = new Presses();
  await app.firstVisit();
  const asked = page.waitForEvent('filechooser');
  await presses.on(page.getByRole('button', { name: 'Open or generate a matrix' }));
  await presses.on(page.getByRole('dialog', { name: 'Weights' }).getByRole('button', { name: /^Open file/ }));
  await (
    await asked
  ).setFiles(
    mtx('mine.mtx', 24, 40, [
      [0, 3, 0.5],
      [7, 30, -0.25],
      [23, 39, 1],
    ]),
  );
  await expect(page.getByRole('region', { name: 'Subject' })).toContainText('mine');
  expect(presses.count).toBe(2);
  await presses.on(app.button('Compare'));
  await expect(page.getByRole('main').getByRole('table').first()).toContainText('MACKO');
  expect(presses.count).toBe(3);
});

test('two presses run the kernels on the open matrix', async ({ app, page }) => {
  const presses = new Presses();
  await app.firstVisit();
  await presses.on(app.button('Measure'));
  await presses.on(app.runButton);
  await expect(page.getByRole('main')).toContainText(/Software adapter: (\d+) of \1 kernels verified/, {
    timeout: 60_000,
  });
  expect(presses.count).toBe(2);
});

test('three presses present a chapter, and two save its pictures', async ({ app, page }) => {
  const presses = new Presses();
  await app.firstVisit();
  await presses.on(app.button('Watch how'));
  await presses.on(page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Multiply', exact: true }));
  await presses.on(app.button('Present'));
  await expect(page.getByRole('main', { name: 'Presentation' })).toBeVisible();
  expect(presses.count).toBe(3);
  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download');
  await presses.on(app.button('Export'));
  await presses.on(page.getByRole('dialog').getByRole('button', { name: 'Numbered PNGs' }));
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  expect(presses.count).toBe(5);
});
