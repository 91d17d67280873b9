// Tests of the benchmark in Measure: runs on a software GPU and on the CPU, and imported reports.

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Download, Page } from '@playwright/test';
import type { BenchReport } from '../src/core/report.ts';
import { blockReport, gemmReport, liftingReport, longReport, patternReport } from '../test/reports.ts';
import { expect, RUNS_ALL, scheduled, type SparseScope, test } from './fixtures.ts';
import { hideAsSoonAsVisible, setHidden } from './at-once.ts';

/** Ids of the formats, from their folders (contract/ has tests): the registry imports shaders, which need a build. */
const FORMATS = readdirSync(resolve(import.meta.dirname, '../src/formats'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'contract')
  .map(({ name }) => name);

/** The address of a matrix whose run is long enough to be cancelled at any time. */
const LARGE_MATRIX = 'src=generated:uniform&shape=3072x3072&density=0.5&seed=1';

/** Clicks a button that saves a file, and returns the file. */
async function save(page: Page, button: string): Promise<{ readonly download: Download; readonly text: string }> {
  const downloadEvent = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const download = await downloadEvent;
  return { download, text: await readFile(await download.path(), 'utf8') };
}

/** Saves the report of the run as JSON, and returns it. */
async function saveReport(page: Page): Promise<BenchReport> {
  return JSON.parse((await save(page, 'JSON')).text) as BenchReport;
}

/** Imports reports from a file, as if they had been measured elsewhere. */
async function importReports(page: Page, name: string, reports: readonly BenchReport[]): Promise<void> {
  const fileChooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const buffer = Buffer.from(JSON.stringify(reports));
  await (await fileChooser).setFiles({ name, mimeType: 'application/json', buffer });
}

/**
 * Checks the texts and files of a run on a software adapter: it has these formats, and all kernels are correct. Imports the
 * report again.
 */
async function expectReport(app: SparseScope, page: Page, formats: readonly string[]): Promise<void> {
  await expect(app.kernels.locator('.bench-sentence')).toHaveText(
    /^Software adapter: (\d+) of \1 kernels verified and timed\. SwiftShader emulates a GPU on the CPU: its times do not apply to graphics cards\.$/,
  );
  await expect(app.kernels.getByRole('columnheader', { name: 'speed against dense, software' })).toBeVisible();

  const json = await save(page, 'JSON');
  expect(json.download.suggestedFilename()).toBe('sparsescope-bench.json');
  const report = JSON.parse(json.text) as BenchReport;
  expect(report).toMatchObject({ schema: 1, workload: { rows: 96, cols: 128, operation: 'spmv' } });
  expect(report.environment.isFallback).toBe(true);
  const reportFormats = [...report.rows, ...report.refused].map(({ format }) => format);
  expect(new Set(reportFormats)).toEqual(new Set(formats));
  for (const row of report.rows) {
    expect(row.verified).toMatchObject({ ok: true, failureCount: 0, outputs: 96 });
    expect(row.samplesNs.length).toBeGreaterThan(0);
    expect(row.medianNs).toBeGreaterThan(0);
  }

  const csv = await save(page, 'CSV');
  expect(csv.download.suggestedFilename()).toBe('sparsescope-bench.csv');
  const lines = csv.text.trimEnd().split('\r\n');
  // The CSV file has a heading and a line for each sample.
  expect(lines).toHaveLength(1 + report.rows.reduce((sum, { samplesNs }) => sum + samplesNs.length, 0));
  expect(lines[0]).toContain('kernel,draftOf,draftName,draftVersion,tuned,bytes,verified');

  const importFile = async (name: string, text: string): Promise<void> => {
    const fileChooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await (await fileChooser).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  };
  await test.step('a file that is not a report gives one message, and the result stays', async () => {
    await importFile('no.json', '{"a":1}');
    await expect(page.getByRole('alert').getByRole('paragraph')).toHaveCount(1);
    await expect(page.getByRole('alert')).toContainText('no.json');
    await expect(app.kernels.getByRole('table').first()).toBeVisible();
  });
  await importFile('again.json', json.text);
  await expect(page.getByRole('combobox', { name: 'run', exact: true })).toContainText('again.json');
}

/** The answer of Measure with times of a software adapter. */
const ANSWER =
  /^On this computer’s software GPU, ELL \(one simple kernel\) multiplies this matrix in \d.* (?:times as fast|to \d.* times)\./;
const deviceButton = (page: Page) =>
  page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: /^Device:/ });

test.describe('with recordings, on a software adapter', () => {
  test.use({ hasRecordings: true });

  test('Run shows times of the software adapter in grey, and one press shows the recorded device', async ({
    app,
    page,
  }) => {
    // ELL, since a software GPU compiles its kernels at once, but those of MACKO in twenty seconds.
    await app.openBenchmark(undefined, 'ell');
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { name: /^Neither was timed on NVIDIA H200/ })).toBeVisible();
    await app.run();
    const answer = main.getByRole('heading', { name: ANSWER });
    await expect(answer).toBeVisible();
    await expect(deviceButton(page)).toContainText('software');
    const bars = main.getByRole('region', { name: 'Time of one product' });
    await expect(bars.getByText(/\d\s[µnm]?s, software$/)).toHaveCount(2);
    await expect(bars).not.toContainText('read speed');
    await app.button('other devices').click();
    const softwareRow = main.getByRole('row', { name: /this device, software/ });
    const times = softwareRow.getByRole('cell').filter({ hasText: /^\d.*s$/ });
    await expect(times).toHaveCount(2);
    const [timeA, timeB] = await times.allTextContents();
    await expect(main.getByText('its times do not apply to graphics cards.').first()).toBeVisible();

    await test.step('Compare has the same times', async () => {
      await page.getByRole('link', { name: 'Compare', exact: true }).click();
      const measuredCells = page
        .getByRole('table', { name: 'All formats on this matrix' })
        .locator('td[data-col="measured"]');
      await expect(measuredCells.filter({ hasText: `${timeA}, software` })).toHaveCount(1);
      await expect(measuredCells.filter({ hasText: `${timeB}, software` })).toHaveCount(1);
      await expect(main.getByText('its times do not apply to graphics cards.')).toBeVisible();
    });

    await test.step('choosing the recorded device shows its times until the next run', async () => {
      await main.getByRole('button', { name: 'Show NVIDIA H200, recorded' }).click();
      await expect(deviceButton(page)).toContainText('NVIDIA H200 recorded');
      await expect(main).not.toContainText('software');
      await page.getByRole('link', { name: 'Measure', exact: true }).click();
      await expect(main.getByRole('heading', { name: /^Neither was timed on NVIDIA H200/ })).toBeVisible();
      // In `npm test`, the software times are shown again by choosing the device, not by running again.
      if (RUNS_ALL) await app.runButton.click();
      else {
        await deviceButton(page).click();
        await page.getByRole('button', { name: /software: not the speed of a card/ }).click();
      }
      await expect(answer).toBeVisible();
      await expect(app.runButton).toHaveAttribute('aria-disabled', 'false');
    });

    await test.step('Run verifies and times A and B; the report is saved, and imported again', () =>
      expectReport(app, page, ['dense', 'ell']));
  });
});

test.describe('on a software adapter', () => {
  // One run of all kernels serves all checks of a report.
  test(
    'Run all formats verifies and times them; the report is saved, and imported again',
    scheduled(
      'every kernel is compiled on a GPU in software',
      'src/formats/contract/kernels.gpu.test.ts for the kernels, and e2e/benchmark.spec.ts, one press of Run answers, for the page',
    ),
    async ({ app, page }) => {
      const main = page.getByRole('main');
      await test.step('a cancelled run does not block the next one', async () => {
        await app.openBenchmark(LARGE_MATRIX);
        await app.runButton.click();
        await main.getByRole('button', { name: 'Cancel' }).click();
        await expect(app.runButton).toBeEnabled();
        await expect(app.runButton).toHaveText(/^Run /);
        await expect(page.getByRole('alert')).toHaveCount(0);
      });
      await app.openBenchmark();
      await page.getByRole('button', { name: 'Run all formats' }).click();
      await app.runEnds(300_000);
      await expectReport(app, page, FORMATS);
    },
  );

  test(
    'every figure of a run on a software adapter is grey and labelled as software',
    scheduled(
      'two formats are timed on a GPU in software, and three places are loaded',
      'src/pages/measure/report/KernelTable.test.tsx for the grey figures, src/kit/report/measured-shapes.test.ts and src/papers/slidesparse/windows.test.tsx for the answers',
    ),
    async ({ app, page }) => {
      await app.openBenchmark();
      await app.run();
      const main = page.getByRole('main');
      const report = await saveReport(page);
      expect(new Set(report.rows.map(({ format }) => format))).toEqual(new Set(['dense', 'macko']));
      expect(report.refused).toEqual([]);
      await test.step('ticked formats run until A against B is chosen again', async () => {
        await page.getByRole('checkbox', { name: /^CSR/ }).check();
        await expect(page.getByRole('checkbox', { name: /^MACKO/ })).toBeChecked();
        await expect(page.getByRole('region', { name: 'Run', exact: true })).toContainText('as set below');
        await page.getByRole('button', { name: 'A against B', exact: true }).click();
        await expect(page.getByRole('checkbox', { name: /^CSR/ })).not.toBeChecked();
      });
      const timedRows = report.rows.filter(({ medianNs }) => medianNs !== null);
      expect(timedRows.length).toBe(report.rows.length);
      const medians = main.locator('.kernels tbody tr').filter({ hasText: /\d\s*[µnm]?s/ });
      await expect(medians).toHaveCount(timedRows.length);
      for (const text of await medians.locator('td.number').allTextContents()) expect(text).toMatch(/software$/);
      const fills = await main
        .locator('.strip .median')
        .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).fill));
      expect(new Set(fills).size).toBe(1);
      const csv = (await save(page, 'CSV')).text.trimEnd().split('\r\n');
      const fallbackColumn = csv[0].split(',').indexOf('isFallback');
      for (const line of csv.slice(1)) expect(line.split(',')[fallbackColumn]).toBe('true');
      const svg = (await save(page, 'SVG')).text;
      expect(svg.match(/software<\/text>/g)).toHaveLength(timedRows.length);

      const matrix = 'src=generated:uniform&shape=96x128&density=0.3&seed=1&b=none';
      await page.goto(`./#2/measure?${matrix}&x.fold=roofline`);
      await expect(page.getByRole('main')).toContainText('has no measured roofs: you see those of');
      await page.goto(`./#2/compare?${matrix}&x.picture=speed`);
      await expect(page.getByRole('group', { name: 'fastest in f16, by density' })).toContainText(
        'measured in software',
      );
    },
  );

  test(
    'every variant of every format is verified, and none fails',
    scheduled('every kernel is compiled on a GPU in software', 'src/formats/contract/kernels.gpu.test.ts'),
    async ({ app, page }) => {
      await app.openBenchmark('src=generated:uniform&shape=77x131&density=0.4&seed=5');
      await page.getByRole('combobox', { name: 'variants' }).selectOption({ label: 'every variant' });
      await app.allFormats();
      await page.getByRole('checkbox', { name: /^also in / }).check();
      await app.run();
      const report = await saveReport(page);
      expect(report.rows.filter((row) => !row.verified.ok)).toEqual([]);
      expect(report.refused.filter((rejection) => rejection.failed)).toEqual([]);
      expect(report.rows.length).toBeGreaterThan(8);
    },
  );

  test(
    'another operation runs at the typed size, with the formats that have kernels for it',
    scheduled(
      'kernels are compiled on a GPU in software',
      'src/pages/measure/form/OperationChoice.test.tsx, src/pages/measure/form/KernelChoice.test.tsx and src/gpu/bench.gpu.test.ts',
    ),
    async ({ app, page }) => {
      await app.openBenchmark();
      const main = page.getByRole('main');
      await page.getByRole('combobox', { name: 'Operation' }).selectOption({ label: 'Y = X Aᵀ' });
      await expect(main).toContainText('A weight matrix times many tokens');
      await expect(page.getByRole('checkbox', { name: /^ELL/ })).toBeDisabled();
      await expect(page.getByRole('checkbox', { name: /^ELL/ })).toHaveAccessibleName(/no kernel/);
      await expect(page.getByRole('radio', { name: 'CPU' })).toBeDisabled();

      const tokens = page.getByRole('textbox', { name: 'tokens' });
      await tokens.fill('0');
      await expect(app.runButton).toBeDisabled();
      await expect(main).toContainText('Tokens: enter a whole number from 1 to 65536.');
      await tokens.fill('5');
      await app.run();
      await expect(main).toContainText('Y = X Aᵀ · tokens 5 · 96 × 128');

      const report = await saveReport(page);
      expect(report.workload).toMatchObject({ operation: 'gemm', sizes: { tokens: 5 } });
      expect(report.rows.map((row) => row.format)).toContain('dense');
      for (const row of report.rows) expect(row.verified).toMatchObject({ ok: true, outputs: 5 * 96 });
      expect((await save(page, 'CSV')).text).toContain('"{""tokens"":5}"');

      await page.getByRole('combobox', { name: 'Operation' }).selectOption({ label: 'y = A x, zeros in x' });
      await page.getByRole('textbox', { name: 'zeros in x, %' }).fill('40');
      await app.onlyFormats(/^dense/);
      await app.run();
      await expect(main).toContainText('zeros in x, % 40 · 96 × 128');
      const zerosReport = await saveReport(page);
      expect(zerosReport.workload).toMatchObject({ operation: 'spmv-zeros', sizes: { zeros: 40 } });
      expect(zerosReport.rows.find(({ kernel }) => kernel === 'dense/spmv_columns')?.verified.ok).toBe(true);
    },
  );

  test(
    'one format runs at every value of a parameter in the same rounds',
    scheduled('kernels are compiled on a GPU in software', 'src/pages/measure/form/bench-sweep.test.ts'),
    async ({ app, page }) => {
      await app.openBenchmark();
      await page.getByRole('checkbox', { name: /^ELL/ }).check();
      await page.getByRole('combobox', { name: 'sweep' }).selectOption({ label: 'ELL: values' });
      await page.getByRole('button', { name: 'Run ELL at 2 values of values' }).click();
      await app.runEnds();
      await expect(page.getByRole('main')).toContainText(/(\d+) of \1 kernels verified/);
      const { rows } = await saveReport(page);
      const variants = new Set(rows.map(({ format, params }) => `${format} ${String(params.valueType)}`));
      // Each format is compared with dense of the same value type.
      expect(variants).toEqual(new Set(['dense f16', 'dense f32', 'ell f16', 'ell f32']));
      await expect(app.kernels.getByRole('region', { name: /^Speed/ })).toContainText('software');
    },
  );

  test(
    'an imported sweep shows its charts, and any of its reports',
    scheduled(
      'one of several tests of imported reports',
      'src/pages/measure/form/bench-sweep.test.ts for the reports, src/pages/measure/report/report-svg.test.ts for the picture',
    ),
    async ({ app, page }) => {
      await app.openBenchmark();
      await importReports(
        page,
        'tokens.json',
        [1, 16, 256, 4096].map((tokens) => gemmReport(tokens, 1.4 - 0.1 * Math.log2(tokens))),
      );
      const chart = page.getByRole('region', { name: 'Speed by tokens' });
      await expect(chart.getByRole('img', { name: /SlideSparse up to 1\.40×, faster below 16 tokens/ })).toBeVisible();
      await expect(chart).toContainText('by bytes and multiply-adds alone');
      await chart.locator('.chart-table > summary').click();
      await expect(chart.getByRole('row')).toHaveCount(1 + 4);

      const main = page.getByRole('main');
      await page.getByRole('combobox', { name: 'at', exact: true }).selectOption({ label: 'tokens 16' });
      await expect(main).toContainText('Y = X Aᵀ · tokens 16 ·');
      await expect(main.getByRole('columnheader', { name: 'of its limit' })).toBeVisible();
      const download = page.waitForEvent('download');
      await chart.getByRole('button', { name: 'Save as SVG: Speed by tokens' }).click();
      const svg = await readFile(await (await download).path(), 'utf8');
      expect(svg).toContain('xmlns="http://www.w3.org/2000/svg"');
      expect(svg).not.toContain('var(--');
    },
  );

  test(
    'a row of 130 000 samples is drawn, and 2 000 rows are listed a hundred at a time',
    scheduled(
      'a report of two thousand kernels takes seconds to be drawn',
      'src/pages/measure/report/KernelTable.test.tsx',
    ),
    async ({ app, page }) => {
      await app.openBenchmark();
      await importReports(page, 'long.json', [longReport(1, 130_000)]);
      const main = page.getByRole('main');
      await expect(main).toContainText('400 of 130\u202f000 samples drawn');
      await importReports(page, 'many.json', [longReport(2000, 30)]);
      const table = page.getByRole('table', { name: /^Kernels of this run/ });
      await expect(table).toHaveAttribute('aria-rowcount', '2002');
      expect(await table.getByRole('row').count()).toBe(101);
      await page.getByRole('combobox', { name: 'Kernels shown' }).selectOption({ index: 20 });
      await expect(table.getByRole('row').last()).toHaveAttribute('aria-rowindex', '2002');
      await expect(page.getByRole('alert')).toHaveCount(0);
    },
  );

  test(
    'a file of reports that is too large is rejected with one message',
    scheduled(
      'one of several tests of imported reports',
      'src/state/reports/report.test.ts and src/state/session/session-bench.test.ts',
    ),
    async ({ app, page }) => {
      await app.openBenchmark();
      await importReports(page, 'endless.json', [longReport(6000, 1)]);
      await expect(page.getByRole('alert')).toHaveText(
        'endless.json: [0].rows: found 6\u202f001 rows, expected at most 5\u202f000.',
      );
    },
  );

  test(
    'imported reports of patterns and activations show when SlideSparse is faster',
    scheduled('one of several tests of imported reports', 'src/papers/slidesparse/board.test.tsx'),
    async ({ app, page }) => {
      await app.openBenchmark();
      await importReports(page, 'patterns.json', [patternReport({ 2: 1.6, 3: 1.2, 4: 1.05, 8: 0.9 })]);
      const patternsRegion = page.getByRole('region', { name: 'When does it pay?' });
      await expect(patternsRegion).toContainText('It pays on this device with 2:4, 4:6, 6:8, and not with 14:16.');
      await expect(patternsRegion).toContainText('published, A100');
      await expect(patternsRegion).toContainText('predicted to break even');
      await importReports(page, 'lifting.json', [liftingReport(64, 1.1), liftingReport(8192, 1.24)]);
      const lifting = page.getByRole('region', { name: 'What lifting costs' });
      await expect(lifting).toContainText('quantising and lifting take 1.24 times as long as quantising alone');
      await expect(patternsRegion).toHaveCount(0);
    },
  );

  test(
    'imported runs of a feed-forward block show speed against sparsity, with published figures',
    scheduled('one of several tests of imported reports', 'src/pages/measure/report/block-parts.test.ts'),
    async ({ app, page }) => {
      await app.openBenchmark();
      const speeds: Readonly<Record<number, number>> = { 8: 2.8, 60: 2.3, 400: 1.2, 600: 0.8, 911: 0.6 };
      await importReports(
        page,
        'block.json',
        Object.entries(speeds).flatMap(([nonZeros, ratio]) => [
          blockReport('gate', Number(nonZeros), 0.97),
          blockReport('forward', Number(nonZeros), ratio),
          blockReport('backward', Number(nonZeros), 2 * ratio),
        ]),
      );
      const block = page.getByRole('region', { name: 'Speed by non-zeros per token', exact: true });
      await expect(block).toContainText(/TwELL is faster than the dense pipeline below \d+ non-zeros per token/);
      const wholeBlock = block.getByRole('region', { name: 'Whole block: speed by non-zeros per token' });
      await expect(wholeBlock).toContainText('3×: gate alone');
      await wholeBlock.locator('.chart-table > summary').click();
      await expect(wholeBlock.getByRole('row', { name: /^400 1\.20×/ })).toContainText('compression 4 : 1');
      await expect(wholeBlock.getByRole('row', { name: /^911/ })).toContainText('–');
      await expect(block).toContainText('TwELL was not timed at 911 non-zeros per token: compression 8 : 1');
      await expect(block.getByRole('region', { name: /^Gate: speed/ })).toBeVisible();
      await expect(block.getByRole('complementary', { name: 'Published by others', exact: true })).toContainText(
        '1.17× to 1.21×',
      );
      await expect(block).toContainText(/Hybrid is faster than the dense backward pass at every point from 8 to 600/);
      await expect(block.getByRole('region', { name: /^Backward pass: speed/ })).toBeVisible();
      const training = block.getByRole('complementary', { name: 'Training, published by others' });
      await expect(training.getByRole('row', { name: /^2B, sparse 24 27\.3 21\.9 57\.1/ })).toBeVisible();
      await expect(training).toContainText('TwELL, table 1');
      await page
        .getByRole('combobox', { name: 'at', exact: true })
        .selectOption({ label: 'y = (ReLU(x Wgᵀ) ⊙ x Wuᵀ) Wd, 911 non-zeros per token' });
      const rejected = page.getByRole('row', { name: /TwELL compression 2 : 1 · bf16 refused: row 4, tile 0/ });
      await expect(rejected).toBeVisible();
    },
  );

  test(
    'a sweep over non-zeros verifies the parts of the block, and reports overflows',
    scheduled(
      'kernels are compiled on a GPU in software',
      'src/pages/measure/form/block-sweep.test.ts, and src/engine/bench-service.test.ts, a sweep over non-zeros per row runs every part at every value',
    ),
    async ({ app, page }) => {
      await app.openBenchmark('src=generated:uniform&shape=16x64&density=0.3&seed=1');
      await page.getByRole('combobox', { name: 'Operation' }).selectOption({ label: 'h = ReLU(x Wgᵀ)' });
      await page.getByRole('textbox', { name: 'width' }).fill('8');
      await page.getByRole('combobox', { name: 'sweep' }).selectOption({ label: 'non-zeros per token' });
      await page.getByRole('button', { name: 'Run the block at 3 values of non-zeros' }).click();
      test.setTimeout(600_000);
      await app.runEnds(500_000);
      await expect(page.getByRole('main')).toContainText(/(\d+) of \1 kernels verified/);
      const reports = JSON.parse((await save(page, 'JSON')).text) as readonly BenchReport[];
      expect(reports.map(({ workload }) => workload.operation)).toEqual(
        [8, 16, 30].flatMap(() => ['gate', 'up-down', 'forward', 'backward', 'sampled-product']),
      );
      for (const { workload, rows, refused: rejected } of reports) {
        expect(rows.filter((row) => !row.verified.ok)).toEqual([]);
        const sparseFormat = workload.operation === 'gate' ? 'twell' : 'hybrid';
        expect(rows.map((row) => row.format)).toEqual(expect.arrayContaining(['dense', sparseFormat]));
        expect(rejected.filter((rejection) => rejection.failed)).toEqual([]);
      }
      // A tile of 32 words stores 31 non-zeros: with 30 on average, some token has more. Tiles of 64 and 128 words store all.
      const blocks = reports.filter(({ workload }) => workload.operation === 'forward');
      const overflowing = blocks.at(-1)?.refused.filter(({ format }) => format === 'twell');
      expect(new Set(overflowing?.map(({ params }) => params?.compression))).toEqual(new Set([8]));
    },
  );

  test(
    'kernels appear one by one, stay after a cancel, and Continue measures the others',
    scheduled(
      'five formats run through to the end',
      'src/core/bench/schedule.test.ts, src/state/session/session-bench.test.ts, keep their position and continue with the missing part, and the cancel in e2e/access.spec.ts',
    ),
    async ({ app, page }) => {
      await app.openBenchmark();
      await page.getByRole('radio', { name: 'CPU' }).check();
      await page.getByRole('textbox', { name: 'rounds' }).fill('20');
      await app.onlyFormats(/MACKO|BSR|ELL|bitmask/);
      // A run waits while the page is hidden, so on any machine the other kernels have not run when the first one is listed.
      await hideAsSoonAsVisible(page, '.kernels tbody tr');
      await app.runButton.click();
      const main = page.getByRole('main');
      const rows = app.kernels.getByRole('table').first().getByRole('row');
      const waiting = main.getByRole('list', { name: 'Not measured yet' }).getByRole('listitem');
      await expect(waiting).not.toHaveCount(0);
      await expect(rows).not.toHaveCount(0);
      await main.getByRole('button', { name: 'Cancel' }).click();
      await expect(main.getByText('This run was interrupted')).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
      const interruptedReport = await saveReport(page);
      const waitingFormats = interruptedReport.unfinished?.waiting.map(({ format }) => format) ?? [];
      expect(interruptedReport.rows.length).toBeGreaterThan(0);
      expect(waitingFormats.length).toBeGreaterThan(0);
      await setHidden(page, false);
      await main.getByRole('button', { name: 'Continue' }).click();
      await expect(main.getByText('This run was interrupted')).toHaveCount(0);
      await app.runEnds(150_000);
      const completeReport = await saveReport(page);
      expect(completeReport.unfinished).toBeUndefined();
      expect(completeReport.rows.slice(0, interruptedReport.rows.length).map(({ kernel }) => kernel)).toEqual(
        interruptedReport.rows.map(({ kernel }) => kernel),
      );
      const reportFormats = [...completeReport.rows, ...completeReport.refused].map(({ format }) => format);
      expect(reportFormats).toEqual(expect.arrayContaining(waitingFormats));
      await expect(page.getByRole('combobox', { name: 'run', exact: true })).toHaveCount(0);
    },
  );

  test(
    'a second run is rejected, and an address of another matrix waits for the end of the run, or is cancelled',
    scheduled(
      'two runs on the CPU, and a model that is opened',
      'src/state/session/session-bench.test.ts, let an address of another matrix wait, and the run that is cancelled in e2e/access.spec.ts',
    ),
    async ({ app, page }) => {
      await app.openBenchmark();
      await page.getByRole('radio', { name: 'CPU' }).check();
      const main = page.getByRole('main');
      await test.step('a second run is rejected with one message, and the first run continues until it is cancelled', async () => {
        // A run waits while the page is hidden, so that on any machine it has not ended yet.
        await setHidden(page, true);
        await app.runButton.click();
        const progress = main.getByRole('progressbar');
        await expect(progress).toBeVisible();
        await expect(main).toContainText('waiting because the page is hidden');
        await page.keyboard.press('ControlOrMeta+Enter');
        await expect(page.getByRole('alert')).toContainText('A run is in progress');
        await expect(progress).toBeVisible();
        await main.getByRole('button', { name: 'Cancel' }).click();
        await expect(app.runButton).toBeEnabled();
        await expect(app.runButton).toHaveText(/^Run on/);
        await expect(progress).toHaveCount(0);
        // The cancelled run does not block the next one.
        await setHidden(page, false);
        await app.run();
        await expect(page.getByRole('alert')).toHaveCount(0);
      });
      await test.step('following a link to another matrix during a run waits for its end, or can be cancelled', async () => {
        // A run waits while the page is hidden, so that on any machine it has not ended yet.
        await setHidden(page, true);
        await app.runButton.click();
        await expect(main).toContainText('waiting because the page is hidden');
        const goTo = (hash: string): Promise<void> =>
          page.evaluate((newHash) => {
            window.location.hash = newHash;
          }, hash);
        const waiting = page.getByRole('region', { name: / when the run has ended$/ });
        await goTo('#2/watch?src=example:arrow');
        await expect(waiting.getByRole('status')).toHaveText(/^Opening .*arrow.* when the run has ended$/i);
        await waiting.getByRole('button', { name: 'Cancel' }).click();
        await expect(waiting).toHaveCount(0);
        await expect(page).toHaveURL(/#2\/measure\?src=generated:uniform/);
        await expect(app.selection).toContainText('random');
        await expect(main).toContainText('waiting because the page is hidden');

        await goTo('#2/watch?src=example:arrow');
        await expect(waiting.getByRole('status')).toContainText(/arrow/i);
        await goTo('#2/compare?src=example:digits-fc2-70');
        await expect(waiting.getByRole('status')).toHaveText(/^Opening .*digits.* when the run has ended$/i);
        await expect(app.selection).toContainText('random');
        await setHidden(page, false);
        await expect(page.locator('.ranked tbody tr').first()).toBeVisible();
        await expect(waiting).toHaveCount(0);
        await expect(app.selection).toContainText('Digits');
        await expect(page).toHaveURL(/#2\/compare/);
        await expect(page.getByRole('alert')).toHaveCount(0);
      });
    },
  );
});

test.describe('without WebGPU', () => {
  test.beforeEach(async ({ page }) => {
    // Neither the page nor its worker has navigator.gpu.
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'gpu'));
    await page.route('**/assets/*worker*.js', async (route) => {
      const response = await route.fetch();
      const body = `Reflect.deleteProperty(WorkerNavigator.prototype, 'gpu');\n${await response.text()}`;
      await route.fulfill({ response, body });
    });
  });

  test('everything except the GPU works: the animation, and timing on the CPU', async ({ app, page }) => {
    await app.openBenchmark();
    await expect(page.getByRole('radio', { name: 'GPU' })).toBeDisabled();
    await expect(page.getByRole('main')).toContainText('Run on the CPU');
    await page.getByRole('textbox', { name: 'rounds' }).fill('2');
    await app.run();
    const report = await saveReport(page);
    expect(report.rows.map((row) => row.format)).toContain('macko');
    for (const row of report.rows) {
      expect(row).toMatchObject({ where: 'cpu', verified: { ok: true } });
      expect(row.samplesNs.length).toBeGreaterThan(0);
      expect(row.medianNs).toBeGreaterThan(0);
    }
    await app.link('Watch').click();
    await app.ready();
    await page.keyboard.press('ArrowRight');
    await expect(app.count).toHaveText(/^frame 2 of/);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});
