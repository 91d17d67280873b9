// Figures of the page on the machine that runs the tests. They are CPU times of its main thread, so that other
// processes count little; and each may be met in any of several attempts: a page that is too slow is too slow in all of
// them.
import { writeFileSync } from 'node:fs';
import { longReport } from '../test/reports.ts';
import { largeMtx } from './files.ts';
import { expect, test } from './fixtures.ts';
import { watchMainThread } from './main-thread.ts';

const LONGEST_TASK_MS = 50;
const FRAME_SCRIPT_MS = 8;
const ATTEMPTS = 5;
/** Short ones: when processes share the cores, most have a disturbed frame. */
const FRAME_ATTEMPTS = 25;

test.setTimeout(180_000);
// As people have it.
// The folds that the page had beside its stage before; the tables of every step were never open by themselves.
test.use({ loadsAhead: true });

test('the page stays responsive while a large file is opened and encoded', async ({ app, browser, page }) => {
  // From disk: a file made here would be assembled in the page, at its expense.
  const file = test.info().outputPath('large.mtx');
  writeFileSync(file, largeMtx('large.mtx', 4096, 300_000).buffer);
  const longest: number[] = [];
  while (longest.length < ATTEMPTS && !longest.some((ms) => ms <= LONGEST_TASK_MS)) {
    await app.open();
    const { tasksMs } = await watchMainThread(browser, page, async () => {
      await app.openFile(file);
      await expect(app.subject).toContainText('large.mtx');
      await expect(app.stage).toContainText('Valid: every element checked.');
    });
    longest.push(tasksMs[0]);
    console.log(`longest task: ${tasksMs[0].toFixed(1)} ms`);
  }
  expect(Math.min(...longest)).toBeLessThanOrEqual(LONGEST_TASK_MS);
});

test('2 000 rows of a report are drawn within a second, in tasks of at most 50 ms', async ({ app, browser, page }) => {
  const attempts: { readonly longest: number; readonly all: number }[] = [];
  const isGood = ({ longest, all }: { readonly longest: number; readonly all: number }): boolean =>
    longest <= LONGEST_TASK_MS && all <= 1000;
  while (attempts.length < ATTEMPTS && !attempts.some(isGood)) {
    // Another number of rows each time: the browser keeps what was imported before.
    const rows = 2000 + attempts.length;
    const file = test.info().outputPath(`many-${rows}.json`);
    writeFileSync(file, JSON.stringify(longReport(rows, 30)));
    await app.openBenchmark();
    const { tasksMs } = await watchMainThread(browser, page, async () => {
      const chooser = page.waitForEvent('filechooser');
      await app.button('Import').click();
      await (await chooser).setFiles(file);
      await expect(
        page.getByRole('region', { name: `2\u202f00${attempts.length + 1} kernels of this run` }),
      ).toContainText('variant 7');
    });
    attempts.push({ longest: tasksMs[0], all: tasksMs.reduce((sum, ms) => sum + ms, 0) });
    console.log(
      `longest task: ${tasksMs
        .slice(0, 3)
        .map((ms) => ms.toFixed(1))
        .join(', ')} ms`,
    );
  }
  expect(attempts.filter(isGood)).not.toEqual([]);
});

test('no frame has more than 8 ms of script while a window of 64 × 64 plays', async ({ app, browser, page }) => {
  await app.open('#1/visualize?src=generated:uniform&shape=256x256&density=0.3&seed=1&fmt=macko&win=0,0,64,64');
  await page.getByRole('combobox', { name: 'speed' }).selectOption('4×');
  const worst: number[] = [];
  while (worst.length < FRAME_ATTEMPTS && !worst.some((ms) => ms <= FRAME_SCRIPT_MS)) {
    const { frameScriptMs } = await watchMainThread(browser, page, async () => {
      await app.button('Play').click();
      await page.waitForTimeout(3000);
      await app.button('Pause').click();
    });
    const frames = frameScriptMs.length;
    expect(frames).toBeGreaterThan(20);
    worst.push(frameScriptMs[0]);
    const words = frameScriptMs.slice(0, 3).map((ms) => ms.toFixed(1));
    const usual = frameScriptMs[Math.floor(frames / 20)].toFixed(1);
    console.log(`${frames} frames: script of the worst ${words.join(', ')} ms, of one in twenty ${usual} ms`);
  }
  expect(Math.min(...worst)).toBeLessThanOrEqual(FRAME_SCRIPT_MS);
});

test('no task is above 50 ms while words change at 4096 × 4096 with MACKO and EC-CSR', async ({
  app,
  browser,
  page,
}) => {
  const SUBJECT = 'src=generated:uniform&shape=4096x4096&density=0.3&seed=1';
  const hashes = [
    `#2/watch?${SUBJECT}&a=macko&b=ec-csr`,
    `#2/watch?${SUBJECT}&a=ec-csr&b=macko&tokens=4`,
    `#2/watch?${SUBJECT}&a=macko&a.deltaBits=8&b=ec-csr&tokens=4`,
    `#2/watch?${SUBJECT}&prune=magnitude:0.2&a=macko&b=dense`,
    `#2/compare?${SUBJECT}&a=macko&b=ec-csr`,
  ];
  await app.open(hashes[0]);
  const longest: number[] = [];
  while (longest.length < ATTEMPTS && !longest.some((ms) => ms <= LONGEST_TASK_MS)) {
    const { tasksMs } = await watchMainThread(browser, page, async () => {
      for (const hash of [...hashes.slice(1), hashes[0]]) {
        await page.evaluate((to) => {
          location.hash = to;
        }, hash);
        // Work goes on in the worker; the page shows what arrives of it.
        await page.waitForTimeout(1500);
      }
      await expect(app.stage).toHaveAttribute('aria-busy', 'false', { timeout: 60_000 });
    });
    longest.push(tasksMs[0]);
    console.log(
      `longest tasks: ${tasksMs
        .slice(0, 5)
        .map((ms) => ms.toFixed(1))
        .join(', ')} ms`,
    );
  }
  expect(Math.min(...longest)).toBeLessThanOrEqual(LONGEST_TASK_MS);
});

test('no task is above 50 ms while the density cursor is dragged over all formats', async ({ browser, page }) => {
  await page.goto('./#1/explore/density?src=generated:uniform&shape=64x64&density=0.5');
  const chart = page.getByRole('img', { name: /Bytes of every format/ });
  await expect(page.getByRole('table', { name: /The smallest by density and shape/ }).getByRole('row')).toHaveCount(9);
  const box = await chart.boundingBox();
  if (!box) throw new Error('the chart has no box');
  const longest: number[] = [];
  while (longest.length < ATTEMPTS && !longest.some((ms) => ms <= LONGEST_TASK_MS)) {
    await page.mouse.move(box.x + 60, box.y + box.height / 2);
    const { tasksMs } = await watchMainThread(browser, page, async () => {
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 150, box.y + box.height / 2, { steps: 60 });
      await page.mouse.up();
    });
    longest.push(tasksMs[0]);
    console.log(`longest task: ${tasksMs[0].toFixed(1)} ms`);
  }
  expect(Math.min(...longest)).toBeLessThanOrEqual(LONGEST_TASK_MS);
});
