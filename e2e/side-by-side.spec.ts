import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { sweepReport } from '../test/reports.ts';
import { expect, test } from './fixtures.ts';
import { objectionsInEither } from './objections.ts';

const SHAPE = '&x.rows=12288&x.cols=12288';

async function openSides(page: Page, side: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(
    `./#1/explore/density?src=generated:uniform&shape=64x64&density=0.5&fmt=macko${SHAPE}&x.side=${encodeURIComponent(side)}`,
  );
  await expect(table(page)).toBeVisible();
}

const fold = (page: Page) => page.getByRole('group').filter({ has: page.getByText(/^Side by side/) });
const table = (page: Page) => page.getByRole('table', { name: 'Devices side by side' });
const devices = (page: Page) => page.getByRole('group', { name: 'Devices side by side' }).getByRole('combobox');

/** MACKO on an H200, imported: it passes dense between 0.5 and 0.7. */
async function importCard(page: Page): Promise<void> {
  await page.goto('./#1/benchmark?src=generated:uniform&shape=96x128&density=0.3&seed=1&fmt=macko');
  const reports = Object.entries({ 0.1: 3.74, 0.3: 2.05, 0.5: 1.31, 0.7: 0.91 }).map(([density, ratio]) => {
    const report = sweepReport(Number(density), ratio);
    const rows = report.rows.map((row) =>
      row.format === 'macko' ? { ...row, params: { deltaBits: 4, valueType: 'f16' } } : row,
    );
    return { ...report, rows, peakGFMAps: 31_400 };
  });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import' }).click();
  const buffer = Buffer.from(JSON.stringify(reports));
  await (await chooser).setFiles({ name: 'h200.json', mimeType: 'application/json', buffer });
  await expect(page.getByRole('main')).toContainText('as fast as dense');
}

test('three devices are chosen by keyboard; sentence, strips, table and chart agree', async ({ page }) => {
  await importCard(page);
  await page.goto(`./#1/explore/density?src=generated:uniform&shape=64x64&density=0.5&fmt=macko${SHAPE}`);
  await page.getByText(/^Side by side/).focus();
  await page.keyboard.press('Enter');
  // What has times, then the cards with published speeds.
  await expect(devices(page)).toHaveCount(4);
  await page.getByRole('button', { name: 'Remove GeForce RTX 2080 SUPER' }).focus();
  await page.keyboard.press('Enter');
  await expect(devices(page)).toHaveCount(3);
  // Typing chooses in a list of devices, as in any list.
  await devices(page).nth(2).focus();
  await page.keyboard.type('NVIDIA A100');
  await expect(devices(page).nth(2)).toHaveValue('a100');
  await expect(page).toHaveURL(/x\.side=[^&]*rtx-4090[^&]*a100/);

  await expect(fold(page).getByRole('heading', { level: 2 })).toHaveText(
    /^On H200 MACKO passes dense below 0\.65; on RTX 4090, as published, below 0\.71; by bytes alone it passes dense below 0\.8\d\.$/,
  );
  const rows = table(page).getByRole('row');
  await expect(rows).toHaveCount(1 + 3);
  await expect(rows.nth(1)).toContainText(
    /NVIDIA H200measured.*MACKO to 0\.65, then dense.*below 0\.65.*1\.31×.*2\.05×.*3\.74×/,
  );
  await expect(rows.nth(2)).toContainText(/RTX 4090published.*1\.33×/);
  await expect(rows.nth(3)).toContainText(/A100.*at most, by bytes.*≤ 1\.\d+×/);
  await expect(
    page.getByRole('img', { name: /^NVIDIA H200: MACKO is the fastest from 0\.10 to 0\.65; dense/ }),
  ).toBeVisible();
  await expect(page.getByRole('img', { name: /^NVIDIA A100.*at most, by bytes/ })).toBeVisible();

  const chart = page.getByRole('img', { name: /^Why: speed at density 0\.300 over multiply-adds per byte/ });
  await expect(chart).toHaveAccessibleName(/MACKO on H200 2\.05×.*MACKO on RTX 4090 2\.07×/);
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the devices side by side as CSV' }).click();
  const csv = (await readFile(await (await started).path(), 'utf8')).trimEnd().split('\r\n');
  expect(csv).toHaveLength(1 + 3);
  expect(csv[1]).toMatch(/^NVIDIA H200,measured,.*,1\.31,2\.05,3\.74$/);
});

test('a link brings the devices back, typed ones too; six are the most, two the least', async ({ page }) => {
  await openSides(page, 'rtx-4090;typed:900,82.6;m1');
  await expect(devices(page)).toHaveCount(3);
  await expect(table(page)).toContainText('a device that reads 900 GB/s');
  await page.getByRole('textbox', { name: 'reads, GB/s' }).fill('450');
  await expect(table(page)).toContainText('a device that reads 450 GB/s');
  await expect(page).toHaveURL(/typed(%3A|:)450(,|%2C)82\.6/);
  for (const count of [4, 5, 6]) {
    await page.getByRole('button', { name: 'Add a device' }).click();
    await expect(devices(page)).toHaveCount(count);
  }
  await expect(page.getByRole('button', { name: 'Add a device' })).toHaveCount(0);
  const remove = page.getByRole('button', { name: /^Remove/ });
  for (const count of [5, 4, 3, 2]) {
    await remove.first().click();
    await expect(devices(page)).toHaveCount(count);
  }
  await expect(remove).toHaveCount(0);
});

test('a software adapter is no device to compare cards with', async ({ page }) => {
  await openSides(page, 'open');
  for (const list of await devices(page).all()) await expect(list).not.toContainText(/swiftshader|software/i);
});

test.describe('as every page', () => {
  for (const width of [1440, 390]) {
    test(`axe finds nothing at ${width} px, and nothing is too wide`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await openSides(page, 'rtx-4090;a100;typed:900,82.6');
      expect(await objectionsInEither(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    });
  }
});
