import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { choiceOf, type Recording } from '../src/core/reports/recording.ts';
import { RECORDING } from '../test/recording.ts';
import { sweepReport } from '../test/reports.ts';
import { expect, scheduled, test } from './fixtures.ts';
import { objectionsInEither } from './objections.ts';

const SHAPE = '&x.rows=12288&x.cols=12288';

async function openSides(page: Page, side: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(
    `./#2/compare?src=generated:uniform&shape=64x64&density=0.5&seed=1&prune=random:0.3:1&a=macko&b=none&x.matrix=generated${SHAPE}&x.fold=devices&x.side=${encodeURIComponent(side)}`,
  );
  await expect(table(page)).toBeVisible();
}

const fold = (page: Page) => page.getByRole('region', { name: 'devices side by side' });
const table = (page: Page) => page.getByRole('table', { name: 'Devices side by side' });
const devices = (page: Page) => page.getByRole('group', { name: 'Devices side by side' }).getByRole('combobox');

/** MACKO on an H200, imported: it passes dense between 0.5 and 0.7. */
async function importCard(page: Page): Promise<void> {
  await page.goto(
    './#2/measure?src=generated:uniform&shape=96x128&density=0.3&seed=1&a=macko&b=none&x.fold=verified.kernels.settings.runs',
  );
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
  await page.goto(
    `./#2/compare?src=generated:uniform&shape=64x64&density=0.5&prune=random:0.3:1&a=macko&b=none&csr.indexBits=32&ell.indexBits=32&x.fold=forms&x.matrix=generated${SHAPE}`,
  );
  await page.getByRole('button', { name: 'devices side by side' }).focus();
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

  await expect(fold(page).locator('.answer-sentence')).toHaveText(
    /^On H200 MACKO passes dense below 0\.65; on RTX 4090, as published, below 0\.71; by bytes alone it passes dense below 0\.8\d\.$/,
  );
  const rows = table(page).getByRole('row');
  await expect(rows).toHaveCount(1 + 3);
  await expect(rows.nth(1)).toContainText(
    /NVIDIA H200measured.*MACKO to 0\.65, then dense.*below 0\.65.*1\.31×.*2\.05×.*3\.74×/,
  );
  await expect(rows.nth(2)).toContainText(/RTX 4090published.*1\.33×/);
  await expect(rows.nth(3)).toContainText(/A100.*at most, by bytes.*≤\u00a01\.\d+×/);
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

test(
  'a link brings the devices back, typed ones too; six are the most, two the least',
  scheduled('one more page load', 'src/places/compare/folds/devices/sides.test.ts: is in the address as ids'),
  async ({ page }) => {
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
  },
);

/** A recording of another device that does not exist, on which MACKO has these speeds by density. */
function recordingOf(name: string, speeds: Readonly<Record<number, number>>): Recording {
  const [report] = RECORDING.reports;
  return {
    ...RECORDING,
    id: `${name.toLowerCase().replaceAll(' ', '-')}@2026-01-31`,
    name,
    reports: Object.entries(speeds).map(([density, ratio]) => ({
      ...report,
      workload: {
        ...report.workload,
        density: Number(density),
        nnz: Math.round(4096 * 4096 * Number(density)),
        source: `uniform, density ${density}, seed 1`,
      },
      rows: report.rows.map((row) =>
        row.format === 'macko' && row.vsDense
          ? { ...row, vsDense: { ...row.vsDense, ratio, p10: ratio * 0.99, p90: ratio * 1.01 } }
          : row,
      ),
    })),
  };
}

test.describe('with recordings', () => {
  test.use({ hasRecordings: true });

  test(
    'two recordings are loaded one after the other, each with its date, driver and commit',
    scheduled(
      'one more page load',
      'src/places/compare/folds/devices/sides.test.ts: say in the table where a row comes from',
    ),
    async ({ page }) => {
      const recordings = [
        recordingOf('Made Up 1', { 0.1: 2.5, 0.5: 1.25, 0.7: 0.8 }),
        recordingOf('Made Up 2', { 0.1: 3, 0.5: 1.5, 0.7: 0.9 }),
      ];
      const texts = recordings.map((recording) => JSON.stringify(recording));
      const index = { schema: 1, recordings: recordings.map((one, i) => choiceOf(one, texts[i].length)) };
      await page.route('**/recordings/index.json', (route) => route.fulfill({ json: index }));
      for (const [i, { id }] of recordings.entries()) {
        await page.route(`**/recordings/${id}.json`, (route) => route.fulfill({ body: texts[i] }));
      }
      const side = encodeURIComponent(recordings.map(({ id }) => id).join(';'));
      await page.goto(
        `./#2/compare?src=generated:uniform&shape=64x64&density=0.5&a=macko&b=none&csr.indexBits=32&ell.indexBits=32&x.fold=devices&x.matrix=generated&x.rows=4096&x.cols=4096&x.side=${side}`,
      );
      await expect(fold(page).locator('.answer-sentence')).toHaveText(
        /^On Made Up 1 MACKO passes dense below 0\.60; on Made Up 2 below 0\.66\.$/,
      );
      const from = page.getByRole('list', { name: 'Where their figures come from' }).getByRole('listitem');
      await expect(from).toHaveCount(2);
      for (const item of await from.all())
        await expect(item).toContainText('31 January 2026, driver 1.2.3, commit 0123456');
      // The kernels of this page are not those with the hashes made up.
      await expect(from.first()).toContainText('newer than the recording');
    },
  );

  test.describe('that cannot be loaded', () => {
    test.use({ bringsFaults: true });

    test(
      'are not asked for again and again, and the others are shown',
      scheduled(
        'one more page load',
        'src/state/devices/recordings.test.ts: a failure is one sentence, and is tried again only when asked for',
      ),
      async ({ page }) => {
        const recordings = ['Made Up 1', 'Made Up 2', 'Made Up 3'].map((name) =>
          recordingOf(name, { 0.1: 2.5, 0.4: 1.5, 0.7: 0.8 }),
        );
        const texts = recordings.map((recording) => JSON.stringify(recording));
        const index = { schema: 1, recordings: recordings.map((one, i) => choiceOf(one, texts[i].length)) };
        await page.route('**/recordings/index.json', (route) => route.fulfill({ json: index }));
        const asked: number[] = [0, 0, 0];
        for (const [i, { id }] of recordings.entries()) {
          await page.route(`**/recordings/${id}.json`, (route) => {
            asked[i]++;
            return i === 2 ? route.fulfill({ body: texts[i] }) : route.fulfill({ status: 404 });
          });
        }
        await page.goto(
          `./#2/compare?src=generated:uniform&shape=64x64&density=0.5&a=macko&b=none&csr.indexBits=32&ell.indexBits=32&on=rtx-4090&x.fold=devices&x.matrix=generated&x.rows=4096&x.cols=4096&x.side=${encodeURIComponent(recordings.map(({ id }) => id).join(';'))}`,
        );
        await expect(fold(page).locator('.answer-sentence')).toHaveText(
          /^On Made Up 3 MACKO passes dense below 0\.\d\d\.$/,
        );
        await expect(fold(page).getByRole('alert')).toContainText('could not be loaded');
        // A recording that arrives lets the others be tried once more; the page has been drawn again since.
        await page.getByRole('button', { name: 'Add a device' }).click();
        await expect(devices(page)).toHaveCount(4);
        expect(asked[2]).toBe(1);
        expect(Math.max(asked[0], asked[1])).toBeLessThanOrEqual(2);
      },
    );
  });
});

test(
  'a software adapter is no device to compare cards with',
  scheduled(
    'one more page load',
    'src/places/compare/folds/devices/sides.test.ts: proposes what has times, then what has published speeds',
  ),
  async ({ page }) => {
    await openSides(page, 'open');
    await expect(devices(page).first()).toBeVisible();
    for (const list of await devices(page).all()) await expect(list).not.toContainText(/swiftshader|software/i);
  },
);

test.describe('as every page', () => {
  for (const width of [1440, 390]) {
    test(
      `axe finds nothing at ${width} px, and nothing is too wide`,
      scheduled('axe takes seconds for each state of the page', 'e2e/axe.spec.ts, which has Compare'),
      async ({ page }) => {
        await page.setViewportSize({ width, height: 900 });
        await openSides(page, 'rtx-4090;a100;typed:900,82.6');
        expect(await objectionsInEither(page)).toEqual([]);
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      },
    );
  }
});
