// Tests of choosing the device whose times the pages show: recorded, published, imported or typed.

import type { Page } from '@playwright/test';
import { RECORDING } from '../test/recording.ts';
import { entryOf } from '../src/core/reports/recording.ts';
import { expect, scheduled, SparseScope, test } from './fixtures.ts';
import { axeViolationsInThemes } from './axe-violations.ts';

test.use({ hasRecordings: true });

const RECORDING_TEXT = JSON.stringify(RECORDING);
/** The text by which pages label times of the recording. */
const LABEL = 'recorded on Made Up 1, 31 January 2026, driver 1.2.3, commit 0123456';
const SOURCE = 'src=generated:uniform&shape=64x64&density=0.5&seed=1';
/** The address of random weights with the shape and density in the recording. */
const RECORDED_MATRIX = 'compare?model=llama-2-7b&layer=0&matrix=q&prune=magnitude:0.1&a=macko&b=none&x.picture=speed';

/** Replaces the shipped recordings by one, of a made-up device. */
async function shipRecording(page: Page): Promise<void> {
  const index = { schema: 1, recordings: [entryOf(RECORDING, RECORDING_TEXT.length)] };
  await page.route('**/recordings/index.json', (route) => route.fulfill({ json: index }));
  await page.route(`**/recordings/${RECORDING.id}.json`, (route) => route.fulfill({ body: RECORDING_TEXT }));
}

/** Removes WebGPU from the page and its worker. */
async function removeWebGpu(page: Page): Promise<void> {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'gpu'));
  await page.route('**/*.worker-*.js', async (route) => {
    const response = await route.fetch();
    const body = `Reflect.deleteProperty(WorkerNavigator.prototype, 'gpu');\n${await response.text()}`;
    await route.fulfill({ response, body });
  });
}

const openAt = (page: Page, hash: string): Promise<void> => new SparseScope(page).go(`#2/${hash}`);

const deviceRegion = (page: Page) => page.getByRole('region', { name: 'Device', exact: true });
/** The name of the device in the selection bar, which opens the list of devices. */
const deviceButton = (page: Page) =>
  page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: /^Device:/ });
const chooseDevice = async (page: Page, name: string | RegExp): Promise<void> => {
  await deviceButton(page).click();
  await page.getByRole('dialog', { name: 'Device' }).getByRole('button', { name }).first().click();
};
const heading = (page: Page) => page.locator('.answer-text, .bench-sentence, .roof-headline').first();

for (const environment of ['without WebGPU', 'on a software adapter']) {
  const schedule =
    environment === 'on a software adapter'
      ? scheduled(
          'three more pages are loaded',
          'src/state/devices/devices.test.ts, and one press of Run in e2e/benchmark.spec.ts',
        )
      : scheduled(
          'the test replaces the 1.5 MB of the worker',
          'src/state/devices/devices.test.ts, without a GPU the recording says so, and e2e/benchmark.spec.ts, everything but the GPU works',
        );
  test(`${environment} pages show the newest recording with its label`, schedule, async ({ page }) => {
    await shipRecording(page);
    if (environment === 'without WebGPU') await removeWebGpu(page);

    await openAt(page, RECORDED_MATRIX);
    await expect(deviceRegion(page)).toContainText(LABEL);
    await expect(deviceRegion(page)).toContainText(/kernels changed since these times were recorded/);
    const table = page.getByRole('table', { name: 'All formats on this matrix' });
    await expect(table.locator('tr[data-side="a"] td[data-col="measured"]')).toContainText(/^16\.0.µs$/);

    await openAt(page, `measure?${SOURCE}&b=none&x.matrix=4096x4096-1677722&x.format=macko&x.fold=roofline`);
    await expect(deviceRegion(page)).toContainText(LABEL);
    await expect(heading(page)).toContainText('is 2.50 times as fast as dense');

    await openAt(page, `compare?model=llama-2-7b&prune=magnitude:0.1&b=none&x.fold=layers`);
    await expect(deviceRegion(page)).toContainText(LABEL);
    await expect(deviceRegion(page)).toContainText('Timed: 1 of 4 shapes in MACKO.');
    await expect(page.getByRole('row', { name: /q, k, v, o/ })).toContainText('2.50×');

    await openAt(page, `measure?${SOURCE}&b=none&x.fold=verified.kernels.settings.runs`);
    await expect(deviceRegion(page)).toContainText(LABEL);
    await expect(heading(page)).toContainText('MACKO is 2.50 times as fast as dense on Made Up 1, recorded');
  });
}

test(
  'a chosen device applies to all pages, and a device known only by its data sheet gives upper bounds',
  scheduled(
    'three page loads',
    'src/state/devices/devices.test.ts, the newest recording in e2e/devices.spec.ts, and the card that is chosen in e2e/tasks.spec.ts',
  ),
  async ({ page }) => {
    await shipRecording(page);
    await openAt(page, RECORDED_MATRIX);
    await expect(deviceButton(page)).toContainText('Made Up 1 recorded');
    await chooseDevice(page, 'GeForce RTX 4090');
    await expect(page).toHaveURL(/[?&]on=rtx-4090/);
    await expect(deviceRegion(page)).toContainText(/^.*bounds: at most 1\.01.TB\/s, by its data sheet/s);
    await expect(page.getByText('published, RTX 4090', { exact: true })).toBeVisible();

    await openAt(page, `compare?model=llama-2-7b&prune=magnitude:0.5&b=none&on=rtx-4090`);
    await expect(page.getByRole('region', { name: 'By density' })).toContainText(
      /at most: reading the bytes at 1\.01.TB\/s \(published\); starting kernels is not counted/,
    );
    await page.goto(`./#2/compare?${SOURCE}&a=macko&b=none&on=rtx-4090`);
    await page.getByRole('link', { name: 'Measure', exact: true }).first().click();
    await expect(page.getByRole('heading', { name: /^MACKO was not timed on GeForce RTX 4090/ })).toContainText(
      /\. Reading its bytes takes less than 1\sµs\.$/,
    );
    await chooseDevice(page, /^Made Up 1/);
    await expect(page.getByRole('heading', { name: /^MACKO was not timed on Made Up 1/ })).toBeVisible();
  },
);

test.describe('a failure', () => {
  test.use({ bringsFaults: true });

  test(
    'a recording that cannot be loaded gives one message, and is loaded by “try again”',
    scheduled('one sentence of the page', 'src/state/devices/recordings.test.ts, a failed load is reported'),
    async ({ page }) => {
      await shipRecording(page);
      const file = `**/recordings/${RECORDING.id}.json`;
      await page.route(file, (route) => route.fulfill({ status: 503 }));
      await openAt(page, RECORDED_MATRIX);
      await expect(deviceRegion(page).getByRole('alert')).toHaveText(
        /^The recording of Made Up 1 could not be loaded: .* found status 503, expected 200\./,
      );
      await page.unroute(file);
      await page.route(file, (route) => route.fulfill({ body: RECORDING_TEXT }));
      await deviceRegion(page).getByRole('button', { name: 'try again' }).click();
      await expect(deviceRegion(page)).toContainText(LABEL);
      await expect(deviceRegion(page).getByRole('alert')).toHaveCount(0);
    },
  );
});

test(
  'a recording from a file is imported like a report',
  scheduled(
    'one of several ways to a device',
    'src/state/reports/imported-reports.test.ts and src/state/devices/devices.test.ts',
  ),
  async ({ page }) => {
    await openAt(page, `measure?${SOURCE}&b=none&x.fold=verified.kernels.settings.runs`);
    const fileChooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await (
      await fileChooser
    ).setFiles({ name: 'theirs.json', mimeType: 'application/json', buffer: Buffer.from(RECORDING_TEXT) });
    await expect(heading(page)).toContainText('MACKO is 2.50 times as fast as dense on Made Up 1, imported');
    await expect(deviceRegion(page)).toContainText('imported, reads');
    await openAt(page, RECORDED_MATRIX);
    await chooseDevice(page, /Made Up 1/);
    await expect(deviceRegion(page)).toContainText('imported, reads');
    await expect(deviceButton(page)).toContainText('Made Up 1, imported');
  },
);

test(
  'pages with a device pass axe and do not scroll horizontally at 1440 and 390 px',
  scheduled(
    'axe in light and dark at two widths',
    'e2e/axe.spec.ts, which examines Compare and Measure, and e2e/layout.spec.ts for widths',
  ),
  async ({ page }) => {
    await shipRecording(page);
    for (const [address, on, label] of [
      ['measure?x.fold=verified.kernels.settings.runs&', RECORDING.id, LABEL],
      ['measure?x.fold=roofline&', 'typed:900,50', 'as typed here'],
      ['compare?', 'rtx-4090', 'by its data sheet'],
    ]) {
      await openAt(page, `${address}${SOURCE}&b=none&on=${on}`);
      await expect(deviceRegion(page)).toContainText(label);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `at ${width} px`)
          .toBeLessThanOrEqual(width);
        expect(await axeViolationsInThemes(page), `at ${width} px`).toEqual([]);
      }
    }
  },
);
