// The roofline of Measure: predictions, typed figures, and a run.

import { readFile } from 'node:fs/promises';
import { REPORT } from '../test/reports.ts';
import { expect, scheduled, test } from './fixtures.ts';
import { axeViolations } from './axe-violations.ts';

const SOURCE = 'src=generated:uniform&shape=256x512&density=0.5&seed=1';

test.describe('without a run', () => {
  for (const width of [1440, 390]) {
    test(
      `predictions for a published device are labelled as such, ${width} px`,
      scheduled(
        'axe takes seconds for each state of the page',
        'src/pages/measure/roofline/roof-points.test.ts: predictions are the roof and an empty dispatch, and e2e/axe.spec.ts',
      ),
      async ({ page }) => {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`./#2/measure?${SOURCE}&b=none&on=rtx-4090&x.fold=roofline`);
        const narration = page.getByRole('heading', { name: /^With one token/ });
        await expect(narration).toHaveText(
          /^With one token, bytes are the limit: .* on GeForce RTX 4090.*: a prediction\./,
        );
        await expect(page.getByText(/^Data sheet: .*\.$/)).toBeVisible();
        await expect(page.getByRole('heading', { name: 'Predicted' })).toBeVisible();
        expect(await axeViolations(page)).toEqual([]);
      },
    );
  }

  test(
    'typed figures, tokens and format are in the address, by keyboard',
    scheduled(
      'the roofline a second time',
      'src/pages/measure/roofline/roof-points.test.ts, src/state/devices/device-ids.test.ts, and the roofline of a recording in e2e/devices.spec.ts',
    ),
    async ({ page }) => {
      await page.goto(`./#2/measure?${SOURCE}&b=none&on=typed:100,2&x.fold=roofline`);
      const device = page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: /^Device:/ });
      await device.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'reads, GB/s' }).fill('200');
      await expect(page).toHaveURL(/[?&]on=typed:200,2/);
      await page.keyboard.press('Escape');
      await expect(device).toBeFocused();
      await expect(page.getByRole('definition').filter({ hasText: /^200.GB\/s$/ })).toBeVisible();
      const tokens = page.getByRole('slider', { name: 'tokens' });
      await tokens.focus();
      await page.keyboard.press('End');
      await expect(page).toHaveURL(/x\.tokens=2048/);
      await expect(page.getByRole('heading', { name: 'arithmetic is the limit:' })).toBeVisible();
      await page.keyboard.press('Home');
      const csr = page.getByRole('button', { name: /^CSR/ });
      await csr.focus();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/x\.format=csr/);
      await expect(page.getByRole('heading', { name: /^Why CSR would take/ })).toBeVisible();
      // The points of the chart are one tab stop, and arrow keys move between them.
      await page.getByRole('button', { name: /^Point of CSR/ }).focus();
      await page.keyboard.press('ArrowRight');
      await expect(page).not.toHaveURL(/x\.format=csr/);
      await expect(page.locator('.roof-point:focus')).toHaveAttribute('aria-pressed', 'true');
    },
  );
});

test(
  'kernels of a run are drawn below the measured roofs, with the cause of the remaining time',
  scheduled(
    'the roofline a second time',
    'src/pages/measure/roofline/roof-points.test.ts, src/kit/charts/chart-csv.test.ts, and the roofline of a recording in e2e/devices.spec.ts',
  ),
  async ({ app, page }) => {
    await app.openBenchmark(SOURCE);
    const report = { ...REPORT, peakGFMAps: 31_400, peakI8GMAps: 58_350 };
    const fileChooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import', exact: false }).first().click();
    await (
      await fileChooser
    ).setFiles({
      name: 'run.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(report)),
    });
    await expect(page.getByRole('main').getByRole('table').first()).toBeVisible();
    await page.goto(`./#2/measure?${SOURCE}&b=none&x.matrix=12288x12288-45298483&x.format=macko&x.fold=roofline`);
    await expect(page.getByRole('heading', { name: 'bytes are the limit:' })).toHaveText(
      /^With one token, bytes are the limit: MACKO reads 115.MB instead of 302.MB and is 1\.78 times as fast as dense\. From 20 tokens/,
    );
    await expect(page.getByText(/^Predicted: 28\.4.µs/)).toBeVisible();
    await expect(page.getByText('The rest:')).toBeVisible();
    await expect(page.getByText('58.4 TFMA/s')).toBeVisible();
    await page.locator('.chart-table > summary').click();
    await expect(page.getByRole('row', { name: /MACKO macko\/spmv_subgroup/ })).toContainText('68');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV: Roofline' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toContain('flop per byte');
    expect(text).toContain('macko/spmv_subgroup');
  },
);
