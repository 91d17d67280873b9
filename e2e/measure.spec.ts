// Tests of Measure: its answer, times on other devices, models, imported times and details sections.

import type { Page } from '@playwright/test';
import { entryOf } from '../src/core/reports/recording.ts';
import { modelReport } from '../test/model-reports.ts';
import { RECORDING } from '../test/recording.ts';
import { expect, scheduled, test } from './fixtures.ts';
import { axeViolationsInThemes } from './axe-violations.ts';

test.use({ hasRecordings: true });

/** q_proj of Llama-2-7B is 4096 × 4096, the shape that the recording has at density 0.1. */
const MODEL = 'model=llama-2-7b&layer=3&matrix=q&prune=magnitude:0.1&a=macko&b=dense';

/** A recording of another made-up device, a day earlier. */
const OTHER_RECORDING = { ...RECORDING, id: 'made-up-2@2026-01-30', name: 'Made Up 2', date: '2026-01-30' };

/** Opens a page that has recordings of made-up devices. */
async function openWithRecording(page: Page, hash: string, recordings = [RECORDING]): Promise<void> {
  const index = {
    schema: 1,
    recordings: recordings.map((recording) => entryOf(recording, JSON.stringify(recording).length)),
  };
  await page.route('**/recordings/index.json', (route) => route.fulfill({ json: index }));
  for (const recording of recordings) {
    await page.route(`**/recordings/${recording.id}.json`, (route) => route.fulfill({ json: recording }));
  }
  await page.goto(`./${hash}`);
}

const answer = (page: Page) => page.locator('.answer-line');
const bars = (page: Page) => page.getByRole('region', { name: 'Time of one product' }).getByRole('listitem');
const otherDevices = (page: Page) => page.getByRole('region', { name: 'Times on other devices' });
const sectionButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('the answer states the measured times, and bytes separately; a click shows the times of another device, and Back returns', async ({
  page,
}) => {
  await openWithRecording(page, `#2/measure?${MODEL}&x.fold=devices`, [RECORDING, OTHER_RECORDING]);
  // Times: 16 and 40 µs. Bytes of the formats: 33.6 and 5.2 MB.
  await expect(answer(page)).toHaveText(
    /^On Made Up 1, MACKO multiplies this matrix in 16\.0\sµs, dense f16 in 40\.0: 2\.50 times as fast\. By its bytes alone it would be 6\.48 times as fast\.$/,
  );
  await expect(bars(page).nth(0)).toContainText(/MACKO.*16\.0\sµs.*33\s% of the card’s read speed/s);
  await expect(bars(page).nth(1)).toContainText(/dense f16.*40\.0\sµs.*84\s% of read speed$/s);
  // Both recordings are listed, although only one of them is in the answer.
  for (const name of [/^Made Up 1/, /^Made Up 2/]) {
    await expect(otherDevices(page).getByRole('row', { name }).getByRole('cell')).toHaveText([
      /TB\/s$/,
      /^16\.0\sµs$/,
      /^40\.0\sµs$/,
      '2.50×',
      /^ahead at 10\s%$/,
      /^5\.\d+\sµs$/,
      /^33\.6\sµs$/,
    ]);
  }
  // A dash replaces times that were not measured.
  const rtx4090 = otherDevices(page).getByRole('row', { name: /^GeForce RTX 4090/ });
  await expect(rtx4090.getByRole('cell')).toHaveText([/^≤ /, '–', '–', '–', '–', /^5\.\d+\sµs$/, /^33\.3\sµs$/]);

  await rtx4090.getByRole('button').click();
  await expect(page).toHaveURL(/[?&]on=rtx-4090/);
  await expect(answer(page)).toHaveText(
    /^Neither was timed on GeForce RTX 4090\. Reading alone takes at least 5\.\d+\sµs for MACKO, .* for dense f16\. By bytes alone, MACKO would be 6\.\d+ times as fast\.$/,
  );
  await expect(bars(page).nth(0)).toContainText('not timed');
  await page.goBack();
  await expect(answer(page)).toContainText('On Made Up 1');
  await page.keyboard.press('x');
  await expect(answer(page)).toContainText(
    /dense f16 multiplies this matrix in 40\.0\sµs, MACKO in 16\.0: 0\.40 times/,
  );
});

test(
  'for a whole model, the shape with the most bytes is timed, and the slider of the chart changes the pruning',
  scheduled(
    'four page loads, the second of two tests of times from a recording',
    'src/pages/measure/details/times.test.ts and the slider of e2e/real-data.spec.ts',
  ),
  async ({ page }) => {
    await openWithRecording(page, '#2/measure?model=llama-2-7b&prune=magnitude:0.5&a=macko&b=dense');
    const device = page.getByRole('region', { name: 'Device', exact: true });
    await expect(device).toContainText('The largest shape of Llama-2-7B is timed: down_proj, 4 096 × 11 008.');
    await openWithRecording(page, `#2/measure?${MODEL.replace('0.1', '0.5')}`);
    await expect(answer(page)).toContainText('was timed on');
    await expect(page.getByRole('img', { name: /2\.50× at a density of 10\s%/ })).toBeVisible();
    await openWithRecording(page, `#2/measure?${MODEL}`);
    await expect(answer(page)).toContainText('2.50 times as fast');
    // The thumb sets the pruning of the selection bar: moving it is a preview, releasing it adds one history entry.
    await page.getByRole('slider', { name: 'density' }).focus();
    await page.keyboard.down('ArrowRight');
    await expect(answer(page)).toContainText('Neither was timed on Made Up 1');
    await expect(page).toHaveURL(/prune=magnitude:0\.1&/);
    await page.keyboard.up('ArrowRight');
    await expect(page).toHaveURL(/prune=magnitude:0\.11&/);
    await page.goBack();
    await expect(page).not.toHaveURL(/prune=magnitude:0\.11&/);
  },
);

test(
  'open details sections are in the address, and contain the parts of earlier versions of the page',
  scheduled(
    'the drawer of Measure a second time',
    'src/pages/measure/details/times.test.ts, the folds of e2e/devices.spec.ts, whose address has them, and e2e/fits.spec.ts, which opens the drawer',
  ),
  async ({ page }) => {
    await openWithRecording(page, `#2/measure?${MODEL}`);
    await expect(answer(page)).toContainText('2.50 times as fast');
    await sectionButton(page, 'details').click();
    await sectionButton(page, 'every sample').click();
    await expect(page.getByRole('region', { name: 'every sample' })).toContainText('A recording has no samples');
    await sectionButton(page, 'more tokens').click();
    const tokens = page.getByRole('region', { name: 'Times by tokens' });
    await expect(tokens.getByRole('row', { name: /^1 token\b/ })).toContainText('2.50×');
    await expect(page).toHaveURL(/x\.fold=samples\.tokens/);
    await tokens.getByRole('button', { name: '8 tokens', exact: true }).click();
    await expect(page).toHaveURL(/[?&]tokens=8/);
    await expect(answer(page)).toContainText('Neither was timed on Made Up 1');
    await page.goBack();
    await sectionButton(page, 'roofline').click();
    await expect(page.getByRole('heading', { name: /^Why MACKO takes 16\.0\sµs/ })).toBeVisible();
    await sectionButton(page, 'every sample').click();
    await expect(page).toHaveURL(/x\.fold=roofline\.tokens/);
    await page.reload();
    await expect(page.getByRole('region', { name: 'more tokens' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'every sample' })).toHaveCount(0);
  },
);

test(
  'the answer uses imported times, and every sample is listed',
  scheduled(
    'one of several tests of imported reports',
    'src/state/session/session-bench.test.ts, are imported in addition to the measured ones, and the report that is imported again in e2e/benchmark.spec.ts',
  ),
  async ({ page }) => {
    await page.goto(
      './#2/measure?model=llama-2-7b&layer=0&matrix=down&prune=magnitude:0.5&a=macko&b=dense&x.fold=devices.samples.runs',
    );
    const [dense, macko] = modelReport(4096, 11_008, 0.5, [24, 20]).rows;
    const report = modelReport(4096, 11_008, 0.5, [24, 20], {
      rows: [
        { ...dense, samplesNs: [24_000, 24_400, 23_800], p10Ns: 23_840, p90Ns: 24_320 },
        { ...macko, samplesNs: [20_000, 20_100, 19_900], p10Ns: 19_920, p90Ns: 20_080, bytes: 55_000_000, GBps: 2750 },
      ],
    });
    const fileChooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await (
      await fileChooser
    ).setFiles({ name: 'theirs.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify([report])) });
    await expect(answer(page)).toContainText(
      /^On .*H200.*, MACKO multiplies this matrix in 20\.0\sµs, dense f16 in 24\.0: 1\.20 times/,
    );
    await expect(otherDevices(page).getByRole('row', { name: /imported/ })).toContainText('1.20×');
    const samples = page.getByRole('region', { name: 'every sample' });
    await expect(samples).toContainText('Each dot is a round: 3 of MACKO, 3 of dense f16.');
    await expect(
      samples.getByRole('img', { name: /^Ratio, round by round; ring: of the two medians\./ }),
    ).toBeVisible();
  },
);

test(
  'a format that rejects the matrix gives the reason and a button to continue',
  scheduled('one more page load', 'src/pages/watch/stage/MatrixFit.test.tsx and the refusals of e2e/watch.spec.ts'),
  async ({ page }) => {
    await page.goto('./#2/measure?src=generated:uniform&shape=64x64&density=0.9&seed=1&a=slidesparse&b=dense');
    await expect(answer(page)).toContainText('SlideSparse cannot store this matrix: ');
    await page.getByRole('button', { name: /^Prune the matrix to \d+:\d+$/ }).click();
    await expect(page).toHaveURL(/prune=n-of-m/);
    await expect(answer(page)).not.toContainText('cannot store');
  },
);

test(
  'with every details section open, Measure passes axe and does not scroll horizontally at any width',
  scheduled('axe takes seconds for each state of the page', 'e2e/axe.spec.ts, which has Measure'),
  async ({ page }) => {
    await openWithRecording(
      page,
      `#2/measure?${MODEL}&x.fold=devices.roofline.samples.verified.kernels.tokens.worth.settings.runs`,
    );
    await expect(answer(page)).toContainText('2.50 times as fast');
    await expect(page.getByRole('region', { name: 'runs and files' })).toContainText('JSON');
    await expect(page.getByRole('heading', { name: /^Why MACKO takes/ })).toBeVisible();
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      const tooWide = (): Promise<readonly number[]> =>
        page.evaluate(() => {
          const main = document.querySelector('#content') as HTMLElement;
          return [document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth];
        });
      await expect.poll(async () => (await tooWide()).filter((px) => px > 0), `at ${width} px`).toEqual([]);
      expect(await axeViolationsInThemes(page), `at ${width} px`).toEqual([]);
    }
  },
);
