// Compare's chart of sizes and speeds by density: its slider, table, lines and accessibility.

import type { Page } from '@playwright/test';
import { modelReport } from '../test/model-reports.ts';
import { expect, scheduled, SparseScope, test } from './fixtures.ts';
import { axeViolationsInThemes } from './axe-violations.ts';

const MATRIX = 'src=generated:uniform&shape=96x256&density=0.5&seed=1&a=macko&b=csr';

/** Shows Compare for a matrix, and waits for its chart. */
async function openCompare(page: Page, otherParameters = '', matrix = MATRIX): Promise<void> {
  await new SparseScope(page).go(`#2/compare?${matrix}${otherParameters}`);
  await expect(chart(page).getByRole('img').first()).toBeVisible();
}

const chart = (page: Page) => page.getByRole('region', { name: 'By density' });
const thumb = (page: Page) => chart(page).getByRole('slider', { name: 'density' });
const prunedButton = (page: Page) =>
  page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: /^Pruned to/ });

test(
  'the slider changes the density in the selection bar while it moves, and adds one history entry when released',
  scheduled(
    'one of two sliders that preview',
    'src/state/session/live-pruning.test.ts, src/app/selection/weights/PrunedPopover.test.tsx, and N of M in e2e/real-data.spec.ts',
  ),
  async ({ page }) => {
    await openCompare(page);
    await expect(chart(page)).toContainText(/MACKO is smaller than dense f16 below 7\d.%, CSR below (49|50).%/);
    await expect(thumb(page)).toHaveAttribute('aria-valuetext', /^49\.\d.%$|^50.*%$/);
    await thumb(page).focus();
    await page.keyboard.down('ArrowLeft');
    await expect(prunedButton(page)).toContainText('49\u202f% left');
    expect(page.url()).not.toContain('prune=');
    await page.keyboard.up('ArrowLeft');
    await expect(page).toHaveURL(/prune=magnitude(:|%3A)0\.49/);
    await expect(thumb(page)).toHaveAttribute('aria-valuenow', '0.49');

    const picture = chart(page).getByRole('img', { name: /^Bytes of this matrix/ });
    // Hovering waits until the layout above the chart has stopped moving.
    await picture.hover();
    const box = await picture.boundingBox();
    if (!box) throw new Error('the chart has no box');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 80, box.y + box.height / 2, { steps: 4 });
    await expect(prunedButton(page)).toContainText(/^.*\b\d.% left/);
    expect(page.url()).toContain('0.49');
    await page.mouse.up();
    await expect(page).toHaveURL(/prune=magnitude(:|%3A)0\.0\d/);
    await page.goBack();
    await expect(thumb(page)).toHaveAttribute('aria-valuenow', '0.49');
    await page.goBack();
    await expect(prunedButton(page)).toContainText('not pruned');
  },
);

test(
  'the table below the chart has a column for every line',
  scheduled(
    'details of the chart',
    'src/pages/compare/curves/chart-lines.test.ts and src/pages/compare/curves/sizes.test.ts',
  ),
  async ({ page }) => {
    await openCompare(page, '', 'src=generated:uniform&shape=512x512&density=0.3&seed=1&a=macko&b=csr');
    await chart(page).locator('.chart-table > summary').click();
    const table = page.getByRole('table', { name: 'Size by density' });
    await expect(table.getByRole('columnheader', { name: 'MACKO i8', exact: true })).toBeVisible();
    await expect(table.getByRole('columnheader', { name: 'dense i4' })).toBeVisible();
  },
);

test(
  'the chart of a model shows upper bounds of tokens per second, without hidden formats',
  scheduled(
    'two page loads for details of a chart',
    'src/pages/compare/curves/chart-lines.test.ts, src/pages/compare/curves/sizes.test.ts, and the picture of Compare in e2e/fits.spec.ts',
  ),
  async ({ page }) => {
    await test.step('the chart of a model shows upper bounds of tokens per second, where lines cross, and sizes', async () => {
      await openCompare(page, '', 'model=llama-3.1-8b&prune=magnitude:0.5&a=macko&b=dense&on=rtx-4090');
      await expect(chart(page)).toContainText(
        /MACKO reads fewer bytes than dense i4 below 2\d.%, MACKO i8 below 3\d.%/,
      );
      await expect(chart(page).getByRole('img', { name: /^Tokens per second of Llama-3\.1-8B/ })).toHaveAccessibleName(
        /dense i4 at most \d+/,
      );
      await chart(page).getByRole('radio', { name: 'GB' }).check({ force: true });
      await expect(page).toHaveURL(/x\.picture=size/);
      await expect(chart(page).getByRole('img', { name: /^Bytes of Llama-3\.1-8B/ })).toBeVisible();
    });
    await test.step('a format that is left out of the chart has no line in it', async () => {
      await openCompare(page);
      const picture = chart(page).getByRole('img', { name: /^Bytes of this matrix/ });
      await expect(picture).toHaveAccessibleName(/bitmask is/);
      await page.getByRole('button', { name: 'details', exact: true }).click();
      await page.getByRole('button', { name: 'formats in the chart' }).click();
      // By key: the edge of the drawer may cover the checkbox.
      await page.getByRole('checkbox', { name: 'bitmask' }).press('Space');
      await expect(picture).not.toHaveAccessibleName(/bitmask is/);
    });
  },
);

test(
  'imported measurements are drawn as measured',
  scheduled(
    'details of the chart',
    'src/pages/compare/curves/measured-speeds.test.ts, of dense in fewer bits are the same at every measured density',
  ),
  async ({ page, app }) => {
    await app.openBenchmark();
    const fileChooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import', exact: true }).first().click();
    // Dense takes 90 µs at every density.
    const reports = (
      [
        { density: 0.1, mackoUs: 30 },
        { density: 0.5, mackoUs: 60 },
        { density: 0.9, mackoUs: 110 },
      ] as const
    ).map(({ density, mackoUs }) => {
      const report = modelReport(96, 256, density, [90, mackoUs]);
      const rows = report.rows.map((row) => ({
        ...row,
        vsDense: { reference: 'dense', ratio: 9e4 / (row.medianNs ?? 1), p10: 1e4 / (row.medianNs ?? 1), p90: 90 },
      }));
      return { ...report, rows };
    });
    await (
      await fileChooser
    ).setFiles({ name: 'h200.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(reports)) });
    await expect(page.getByRole('main')).toContainText(/keeps 1 result/);
    await openCompare(page, '&x.picture=speed&prune=random:0.3:1');
    await expect(chart(page)).toContainText(/of 2 formats with 16-bit values MACKO is the fastest from 10.% to 7\d.%/);
    await expect(
      chart(page).getByRole('button', { name: /MACKO is the fastest in f16 from 10.% to 7\d.%/ }),
    ).toBeVisible();
  },
);

test(
  'the density chart passes axe at 1440 and 390 px',
  scheduled('axe in light and dark at two widths', 'e2e/axe.spec.ts, which examines Compare in light at 1440 px'),
  async ({ page }) => {
    await openCompare(page, '&x.picture=speed');
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect(chart(page).getByRole('img').first()).toBeVisible();
      expect(await axeViolationsInThemes(page), `at ${width} px`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  },
);
