// Compare for whole models: bytes, what is counted, imported measurements and export.

import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { H200_LLAMA_2_7B, modelReport } from '../test/model-reports.ts';
import { expect, scheduled, SparseScope, test } from './fixtures.ts';
import { axeViolationsInThemes } from './axe-violations.ts';

/** Shows Compare for a model. */
async function openModel(page: Page, more = '', model = 'llama-2-7b'): Promise<void> {
  await new SparseScope(page).go(`#2/compare?model=${model}&prune=magnitude:0.5&a=macko&b=dense${more}`);
  await expect(table(page)).toBeVisible();
}

const answer = (page: Page): Locator => page.getByRole('main').getByRole('heading', { level: 2 }).first();
const table = (page: Page): Locator => page.getByRole('table', { name: /^All formats for / });
const row = (page: Page, name: string): Locator =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });
const cell = (page: Page, name: string, column: string): Locator => row(page, name).locator(`td[data-col="${column}"]`);
const fits = (page: Page, name: string): Locator => cell(page, name, 'fits').getByRole('img');
const selectionButton = (page: Page, name: RegExp): Locator =>
  page.getByRole('region', { name: 'Selection' }).getByRole('button', { name });

/** Imports measurements from another GPU. */
async function importRuns(page: Page): Promise<void> {
  await page.goto('./#2/measure?src=generated:uniform&shape=64x64&density=0.5&x.fold=runs');
  const fileChooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const buffer = Buffer.from(JSON.stringify(H200_LLAMA_2_7B.map((args) => modelReport(...args))));
  await (await fileChooser).setFiles({ name: 'h200.json', mimeType: 'application/json', buffer });
  await expect(page.getByRole('main')).toContainText('This browser keeps 1 result');
}

test(
  'a model shows its bytes at once, and no speed without a measurement; the page lets the user choose what is counted',
  scheduled(
    'a second look at a model in Compare',
    'src/pages/compare/rows/model-rows.test.ts, src/pages/compare/model/model-view.test.ts, and the model and card that are ranked in e2e/tasks.spec.ts',
  ),
  async ({ page }) => {
    await test.step('a model shows its bytes at once, and no speed without a measurement', async () => {
      await openModel(page, '&x.head=yes');
      await expect(answer(page)).toContainText(/In MACKO Llama-2-7B takes 8\.5\sGB instead of 13\.5/);
      await expect(answer(page)).not.toContainText(/tokens a second/);
      await expect(cell(page, 'dense i4', 'needs')).toHaveText('no pruning');
      await expect(cell(page, 'MACKO f16, 4-bit', 'needs')).toHaveText('50\u202f% left');
      await expect(cell(page, 'MACKO f16, 4-bit', 'measured')).toHaveText('–');
      await expect(fits(page, 'MACKO f16, 4-bit')).toHaveAccessibleName('12, 16, 24 GB');
      await expect(cell(page, 'SlideSparse f16, 2:4', 'same')).toHaveText('never');

      await selectionButton(page, /^Device:/).click();
      await page.getByRole('dialog', { name: 'Device' }).getByRole('button', { name: 'GeForce RTX 4090' }).click();
      await expect(answer(page)).toContainText(/and writes at most \d+ tokens a second instead of \d+\./);
      await expect(answer(page)).toContainText(/it takes \d\.\d\sGB and writes at most \d+\./);
      await expect(cell(page, 'MACKO f16, 4-bit', 'measured')).toHaveText('–');
    });
    await test.step('lm_head, fused matrices and a context are choices of the page, in its address', async () => {
      await openModel(page, '&x.few=yes&x.fold=counted');
      const macko = cell(page, 'MACKO f16, 4-bit', 'bytes');
      await expect(macko).toHaveText('8.6');
      await page.getByRole('checkbox', { name: 'prune lm_head too' }).click();
      await expect(macko).toHaveText('8.5');
      await expect(page).toHaveURL(/x\.head=yes/);
      await page.getByRole('checkbox', { name: /^q, k, v as one matrix/ }).click();
      await expect(page).toHaveURL(/x\.fused=yes/);

      await expect(fits(page, 'dense i8')).toHaveAccessibleName('8, 12, 16, 24 GB');
      await page.getByRole('combobox', { name: 'Context, in tokens' }).selectOption('8\u202f192');
      await expect(page).toHaveURL(/x\.context=8192/);
      await expect(fits(page, 'dense i8')).toHaveAccessibleName('12, 16, 24 GB');
      await expect(page.getByRole('region', { name: 'how it is counted' })).toContainText('tokens of it add');
    });
  },
);

test(
  'the selection bar changes pruning, model and layer; SlideSparse asks for its pattern',
  scheduled(
    'one of three tests of the same page',
    'src/pages/compare/rows/model-rows.test.ts and src/state/error-messages.test.ts',
  ),
  async ({ page }) => {
    await openModel(page, '', 'llama-3.1-8b');
    await expect(answer(page)).toContainText(/Llama-3\.1-8B takes 10\.8\sGB instead of 16\.1/);
    await row(page, 'SlideSparse f16, 2:4').getByRole('button', { name: '2 of every 4' }).click();
    await expect(page).toHaveURL(/prune=n-of-m:2:4/);
    await expect(cell(page, 'MACKO f16, 4-bit', 'needs')).toHaveText('2 of every 4');
    await expect(answer(page)).toContainText('In SlideSparse Llama-3.1-8B takes 10.0\u202fGB');

    await page.goto('./#2/compare?model=llama-3.1-8b&layer=3&prune=magnitude:0.5&a=macko&b=dense');
    await expect(answer(page)).toContainText('A layer of Llama-3.1-8B takes');
    await expect(page.getByRole('checkbox', { name: /lm_head/ })).toHaveCount(0);
  },
);

test(
  'EC-SpMV is encoded for one matrix per shape on request, and formats for activations show their bytes',
  scheduled(
    'encodes for many seconds',
    'src/pages/compare/rows/model-rows.test.ts: rows of a model have the bytes from encoding a matrix of each shape',
  ),
  async ({ page }) => {
    await openModel(page, '&prune=magnitude:0.1', '256-512-2-4-4-64-1000:tiny');
    await page.getByRole('button', { name: 'compute its size for one matrix per shape' }).click();
    await expect(row(page, 'EC-SpMV f16, 8-bit')).toHaveAttribute('data-state', 'known', { timeout: 120_000 });
    await page.getByRole('row').filter({ hasText: 'TwELL' }).getByRole('button', { name: /^show/ }).first().click();
    await expect(page).toHaveURL(/a=twell/);
    await expect(page.getByRole('table', { name: /^All formats on this matrix/ })).toBeVisible();
  },
);

test(
  'measurements give tokens per second, and can be exported',
  scheduled(
    'four page loads',
    'src/pages/compare/model/model-view.test.ts, and e2e/benchmark.spec.ts for what is imported',
  ),
  async ({ page }) => {
    await importRuns(page);
    await openModel(page, '&x.head=yes&x.fold=counted');
    await expect(answer(page)).toContainText(/; its matrices alone would allow 284 tokens a second instead of 268\./);
    await expect(answer(page)).toContainText('speed not measured');
    await expect(cell(page, 'MACKO f16, 4-bit', 'measured')).toContainText('284');
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the table as JSON' }).click();
    const saved: unknown = JSON.parse(await readFile(await (await started).path(), 'utf8'));
    expect(saved).toMatchObject({ left: 0.5, device: 'NVIDIA H200, imported', model: { name: 'Llama-2-7B' } });
  },
);

test.describe('at 1440 and 390 px', () => {
  test.use({ reducedMotion: 'reduce' });

  test(
    'a model passes axe and fits the width, with and without times',
    scheduled('axe takes seconds for each state of the page', 'e2e/axe.spec.ts, which has Compare'),
    async ({ page }) => {
      const expectNothing = async (): Promise<void> => {
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 844 });
          expect(await axeViolationsInThemes(page), `at ${width} px`).toEqual([]);
          await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        }
      };
      await openModel(page);
      await expectNothing();
      await importRuns(page);
      await openModel(page);
      await expect(answer(page)).toContainText('tokens a second');
      await expectNothing();
    },
  );
});
