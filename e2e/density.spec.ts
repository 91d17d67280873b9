import type { Page } from '@playwright/test';
import { modelReport } from '../test/model-reports.ts';
import { expect, test } from './fixtures.ts';
import { objectionsInEither } from './objections.ts';

/** Opens the question like a link: the page is loaded anew. */
async function openDensity(page: Page, choices = ''): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`./#1/explore/density?src=generated:uniform&shape=64x64&density=0.5${choices}`);
  await expect(answer(page)).toContainText('bitmask');
}

const answer = (page: Page) => page.getByRole('heading', { level: 2, name: /The smallest is/ });
const cursor = (page: Page) => page.getByRole('slider', { name: 'density', exact: true });
const ranking = (page: Page) => page.getByRole('table', { name: /All formats at density/ });

test('the curves are shown at once, and the cursor follows the keyboard, the charts and the link', async ({ page }) => {
  await openDensity(page);
  await expect(answer(page)).toContainText(
    'bitmask from density 0.94 down to 0.23, MACKO down to 0.0053 and CSR below; above 0.94, nothing is smaller than dense',
  );
  await expect(ranking(page).getByRole('row').nth(1)).toContainText('bitmask');
  await cursor(page).press('ArrowLeft');
  await expect(cursor(page)).toHaveAttribute('aria-valuenow', '0.29');
  await cursor(page).press('Shift+ArrowLeft');
  await expect(page.getByRole('heading', { name: 'At density 0.190' })).toBeVisible();
  await expect(ranking(page).getByRole('row').nth(1)).toContainText('MACKO');
  await expect(page).toHaveURL(/x\.at=0\.19/);
  await page.getByRole('button', { name: /bitmask is the smallest from 0\.23/ }).click();
  await expect(cursor(page)).toHaveAttribute('aria-valuenow', '0.233');

  const chart = page.getByRole('img', { name: /Bytes of every format/ });
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (!box) throw new Error('the chart has no box');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 90, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  expect(Number(await cursor(page).getAttribute('aria-valuenow'))).toBeLessThan(0.12);

  await page.getByRole('radio', { name: 'logarithmic' }).check({ force: true });
  await cursor(page).press('Home');
  await expect(cursor(page)).toHaveAttribute('aria-valuenow', '0.0001');
  await expect(ranking(page).getByRole('row').nth(1)).toContainText('CSR');
});

test('matrices are encoded on request, and a density goes to the stage', async ({ page }) => {
  await openDensity(page, '&x.rows=96&x.cols=256&x.densities=4');
  await page.getByRole('button', { name: 'Encode matrices' }).click();
  await expect(page.getByRole('button', { name: 'Encode again' })).toBeVisible({ timeout: 60_000 });
  await page.getByText('as a table').first().click();
  const table = page.getByRole('table', { name: 'Size' });
  await expect(table).toContainText('EC-CSR');
  // 15 densities of the closed forms, and 4 of the matrices.
  await expect(table.getByRole('row')).toHaveCount(1 + 15 + 4);

  await page.getByRole('button', { name: /^Put density 0\.300 on the stage/ }).click();
  await expect(page).toHaveURL(/shape=96x256&density=0\.3/);
});

test('pruning to N:M lists SlideSparse, and live times say why they are missing', async ({ page }) => {
  await openDensity(page, '&x.way=n-of-m&x.at=0.45&x.live=yes');
  const live = page.getByRole('switch', { name: /^live/ });
  await expect(live).toBeDisabled();
  await expect(live).not.toBeChecked();
  await expect(page.getByText(/^Live times need a GPU/)).toBeVisible();
  await expect(ranking(page).getByRole('rowgroup').filter({ hasText: 'SlideSparse 2:4' })).toContainText(
    '2 slots for every 4 columns',
  );
});

test('imported measurements are drawn as measured', async ({ page }) => {
  await page.goto('./#1/benchmark?src=generated:uniform&shape=64x64&density=0.5');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import' }).click();
  const reports = (
    [
      [0.1, 30],
      [0.5, 60],
      [0.9, 110],
    ] as const
  ).map(([density, us]) => {
    const report = modelReport(4096, 11_008, density, [90, us]);
    const rows = report.rows.map((row) => ({
      ...row,
      vsDense: { reference: 'dense', ratio: (90 / (row.medianNs ?? 1)) * 1000, p10: 0.5, p90: 2 },
    }));
    return { ...report, rows };
  });
  await (
    await chooser
  ).setFiles({ name: 'h200.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(reports)) });
  await expect(page.getByRole('main')).toContainText('This browser keeps 1 result');
  await openDensity(page);
  await expect(answer(page)).toContainText(
    /MACKO is the fastest below density 0\.7\d; above that, nothing beats dense/,
  );
  await expect(ranking(page).getByRole('row', { name: /^MACKO/ })).toContainText('2.'); // between 3× and 1.5×
});

test('axe finds nothing, at 1440 and 390 px', async ({ page }) => {
  await openDensity(page);
  const regions = page.getByRole('table', { name: /The smallest by density and shape/ });
  await expect(regions.getByRole('row').nth(3)).toBeVisible();
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(regions.getByRole('row').nth(3)).toBeVisible();
    expect(await objectionsInEither(page), `at ${width} px`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.getByRole('button', { name: 'Matrix, formats, measure' }).click();
  await expect(page.getByRole('dialog')).toContainText('density varies by');
  expect(await objectionsInEither(page)).toEqual([]);
});
