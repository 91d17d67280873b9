import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { longReport } from '../../test/reports.ts';
import { largeMtx } from '../../e2e/files.ts';
import { expect, formatId, FORMATS, test } from '../../e2e/fixtures.ts';
import { settledCounts } from '../../e2e/page-counts.ts';
import { bundleScript } from '../../scripts/bundle-script.mjs';
import { shaderModules } from '../../scripts/shader-modules.ts';
import { keepBrowser } from './figure.ts';
import { keepMin } from './keep-min.ts';
import { type MainThread, watchMainThread } from './main-thread.ts';
import { type press, timelineText } from './press.ts';
import type { storyFigures } from './stories.ts';

/**
 * Playwright tests that measure the built page (`npm run bench:page`): tasks, frames and loading in CPU time of its main
 * thread, each the minimum of a few visits, since other work on the machine only adds. `null` is a figure without a limit.
 */

/** Limit of a task, in ms: longer ones are noticeable. */
const TASK_MS = 50;
/** Limit of script in a frame, in ms: half of a frame at 60 Hz, since the browser needs the other half. */
const FRAME_SCRIPT_MS = 8;
/** Limit for computing one scene, or the picture of one frame, in ms. */
const SCENE_MS = 50;
/** Limit for computing all frames of a story, in ms. */
const FRAMES_MS = 20;

// Users load further pages ahead; other tests do not.
test.use({ loadsAhead: true });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
/** The longest task: `tasksMs` begins with it. */
const longest = ({ tasksMs }: MainThread): number => tasksMs[0];

test('opening the page', async ({ app, browser, page }) => {
  keepBrowser(browser.version());
  const budgets = {
    'first paint, from the address': null,
    'first story ready, from the address': null,
    'main thread until the first story is ready': null,
    'longest task until the first story is ready': null,
  };
  await keepMin({ browser, page }, budgets, async () => {
    let ready = 0;
    const watched = await watchMainThread(browser, page, async () => {
      await app.open('#2/watch?b=none', { byFrames: true });
      ready = await page.evaluate(() => performance.now());
    });
    const paint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    );
    return {
      'first paint, from the address': paint,
      'first story ready, from the address': ready,
      'main thread until the first story is ready': sum(watched.tasksMs),
      'longest task until the first story is ready': longest(watched),
    };
  });
});

test('a large file is opened and encoded', async ({ app, browser, page }) => {
  // The file is on disk: a file in memory would be assembled in the page, and its time measured.
  const file = test.info().outputPath('large.mtx');
  writeFileSync(file, largeMtx('large.mtx', 4096, 300_000).buffer);
  const name = 'longest task while a large file is opened and encoded';
  await keepMin({ browser, page }, { [name]: TASK_MS }, async () => {
    await app.open();
    const watched = await watchMainThread(browser, page, async () => {
      await app.openFile(file);
      await expect(app.selection).toContainText('large.mtx');
      await expect(app.stage).toContainText('Valid: every element checked.');
    });
    return { [name]: longest(watched) };
  });
});

test('2 000 rows of a report are drawn', async ({ app, browser, page }) => {
  const budgets = { 'longest task while 2 000 rows are drawn': TASK_MS, 'main thread for 2 000 rows': 1000 };
  await keepMin({ browser, page }, budgets, async (turn) => {
    // A different number of rows each time, since the browser keeps earlier imports. The table has one more row, for dense.
    const rows = 2000 + turn;
    const file = test.info().outputPath(`many-${rows}.json`);
    writeFileSync(file, JSON.stringify(longReport(rows, 30)));
    await app.openBenchmark();
    const watched = await watchMainThread(browser, page, async () => {
      const fileChooser = page.waitForEvent('filechooser');
      await app.button('Import').click();
      await (await fileChooser).setFiles(file);
      await expect(page.getByRole('region', { name: `2\u202f00${turn + 1} kernels of this run` })).toContainText(
        'variant 7',
      );
    });
    return {
      'longest task while 2 000 rows are drawn': longest(watched),
      'main thread for 2 000 rows': sum(watched.tasksMs),
    };
  });
});

test('a window of 64 × 64 plays', async ({ app, browser, page }) => {
  // 'One frame in twenty' is the p95. These names are keys of recorded.json.
  const budgets = {
    'script of the worst frame, 64 × 64': FRAME_SCRIPT_MS,
    'script of one frame in twenty, 64 × 64': null,
  };
  await app.open('#2/watch?src=generated:uniform&shape=256x256&density=0.3&seed=1&a=macko&b=none&win=0,0,64,64');
  await page.getByRole('combobox', { name: 'speed' }).selectOption('4×');
  await keepMin({ browser, page }, budgets, async () => {
    const { frameScriptMs } = await watchMainThread(browser, page, async () => {
      await app.button('Play').click();
      await page.waitForTimeout(3000);
      await app.button('Pause').click();
    });
    expect(frameScriptMs.length).toBeGreaterThan(20);
    return {
      'script of the worst frame, 64 × 64': frameScriptMs[0],
      'script of one frame in twenty, 64 × 64': frameScriptMs[Math.floor(frameScriptMs.length / 20)],
    };
  });
});

/** The address of each paper's story. */
const PAPERS = [
  'src=example:digits-fc2-70&win=464,261,4,32&a=macko',
  'src=example:ec-csr-two-rounds&a=ec-csr',
  'src=example:digits-gate-l1-1e-2&a=twell',
  'src=example:digits-fc1-6-8&a=slidesparse',
];
/** How long each story plays. */
const PLAYED_MS = 6000;

for (const address of PAPERS) {
  const id = new URLSearchParams(address).get('a');
  test(`the story of ${id} plays by frames`, async ({ app, browser, page }) => {
    const [worst, p95, task] = [
      `script of the worst frame of the screen while ${id} plays`,
      `script of one frame of the screen in twenty while ${id} plays`,
      `longest task while ${id} plays`,
    ];
    await app.open(`#2/watch?${address}&b=none`, { byFrames: true });
    await app.button('Play').click();
    await page.getByRole('combobox', { name: 'speed' }).selectOption('4×');
    await keepMin({ browser, page }, { [worst]: FRAME_SCRIPT_MS, [p95]: null, [task]: TASK_MS }, async () => {
      await app.button('Pause').click();
      await page.keyboard.press('Home');
      const watched = await watchMainThread(browser, page, async () => {
        await app.button('Play').click();
        for (let part = 0; part < 3; part++) {
          await page.waitForTimeout(PLAYED_MS / 3);
          // The player waits at a question; the key skips it.
          if ((await app.count.textContent()) === 'question') await page.keyboard.press('ArrowRight');
        }
      });
      const { frameScriptMs } = watched;
      expect(frameScriptMs.length).toBeGreaterThan(20);
      expect(await app.count.textContent()).not.toMatch(/^frame 1 of/);
      return {
        [worst]: frameScriptMs[0],
        [p95]: frameScriptMs[Math.floor(frameScriptMs.length / 20)],
        [task]: longest(watched),
      };
    });
  });
}

test('changing the selection', async ({ app, browser, page }) => {
  const MATRIX_ADDRESS = 'src=generated:uniform&shape=4096x4096&density=0.3&seed=1';
  const hashes = [
    `#2/watch?${MATRIX_ADDRESS}&a=macko&b=ec-csr`,
    `#2/watch?${MATRIX_ADDRESS}&a=ec-csr&b=macko&tokens=4`,
    `#2/watch?${MATRIX_ADDRESS}&a=macko&a.deltaBits=8&b=ec-csr&tokens=4`,
    `#2/watch?${MATRIX_ADDRESS}&prune=magnitude:0.2&a=macko&b=dense`,
    `#2/compare?${MATRIX_ADDRESS}&a=macko&b=ec-csr`,
  ];
  const name = 'longest task while words change, 4096 × 4096, MACKO and EC-SpMV';
  await app.open(hashes[0]);
  await keepMin({ browser, page }, { [name]: TASK_MS }, async () => {
    const watched = await watchMainThread(browser, page, async () => {
      for (const hash of [...hashes.slice(1), hashes[0]]) {
        await page.evaluate((to) => {
          location.hash = to;
        }, hash);
        // Work continues in the worker; the page shows its results as they arrive.
        await page.waitForTimeout(1500);
      }
      await expect(app.stage).toHaveAttribute('aria-busy', 'false');
    });
    return { [name]: longest(watched) };
  });
});

test('the density is dragged over all formats', async ({ browser, page }) => {
  await page.goto('./#2/compare?src=generated:uniform&shape=64x64&density=0.5&seed=1&a=macko&b=csr');
  const picture = page.getByRole('region', { name: 'By density' }).getByRole('img', { name: /^Bytes of this matrix/ });
  await expect(picture).toBeVisible();
  // Hovering waits until the layout above the chart has stopped moving.
  await picture.hover();
  const box = await picture.boundingBox();
  if (!box) throw new Error('the chart has no box');
  const name = 'longest task while the density is dragged';
  await keepMin({ browser, page }, { [name]: TASK_MS }, async () => {
    await page.mouse.move(box.x + 60, box.y + box.height / 2);
    const watched = await watchMainThread(browser, page, async () => {
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 150, box.y + box.height / 2, { steps: 60 });
      await page.mouse.up();
    });
    return { [name]: longest(watched) };
  });
});

test('stories are told', async ({ app, browser, page }) => {
  const script = await bundleScript(resolve(import.meta.dirname, 'stories.ts'), 'told', [shaderModules('texts')]);
  await page.route('**/told.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  await app.open();
  await page.addScriptTag({ url: './told.js' });
  const sceneOf = (id: string): string => `a scene of the story of ${id}, 64 × 64`;
  const framesOf = (id: string): string => `the frames of the story of ${id}, 64 × 64`;
  const pictureOf = (id: string): string => `a picture of a frame of the story of ${id}, 64 × 64`;
  const budgets = Object.fromEntries(
    FORMATS.flatMap((title) => [
      [sceneOf(formatId(title)), SCENE_MS],
      [framesOf(formatId(title)), FRAMES_MS],
      [pictureOf(formatId(title)), SCENE_MS],
    ]),
  );
  await keepMin({ browser, page }, budgets, async () => {
    const figures = await page.evaluate(() =>
      (Reflect.get(window, 'told') as { readonly storyFigures: typeof storyFigures }).storyFigures(),
    );
    return Object.fromEntries(
      figures.flatMap(({ id, sceneMs, framesMs, pictureMs }) => [
        [sceneOf(id), sceneMs],
        [framesOf(id), framesMs],
        [pictureOf(id), pictureMs],
      ]),
    );
  });
});

test('a press of Run', async ({ app, page }) => {
  const script = await bundleScript(resolve(import.meta.dirname, 'press.ts'), 'pressing');
  await page.route('**/pressing.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  await app.open();
  await page.addScriptTag({ url: './pressing.js' });
  const matrix = 'src=generated:uniform&shape=512x512&density=0.5&seed=1&a=macko&b=dense';
  const pressed = await page.evaluate(
    (address) => (Reflect.get(window, 'pressing') as { readonly press: typeof press }).press(address),
    `#2/measure?${matrix}&x.fold=runs`,
  );
  expect(pressed.report.timeline?.length).toBeGreaterThan(0);
  console.log(timelineText(pressed));
});

/** For each page with one matrix at 1440 × 900: the maximum number of controls and of words in its main part. */
const MAX_COUNTS: readonly (readonly [page: string, controls: number, words: number])[] = [
  ['watch', 25, 100],
  ['compare', 28, 280],
  ['measure', 12, 140],
  ['language', 20, 320],
  ['code', 60, 400],
];

test.describe('controls and words', () => {
  test.use({ hasRecordings: true, details: '' });

  test('no page shows more controls or words than its maximum', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const [pageId, controls, words] of MAX_COUNTS) {
      await page.goto('about:blank');
      await page.goto(`./#2/${pageId}?model=llama-3.1-8b&layer=12&matrix=down&prune=magnitude:0.5&a=macko&b=dense`);
      const counts = await settledCounts(page);
      console.log(`${pageId}: ${counts.controls} controls of ${controls}, ${counts.words} words of ${words}`);
      expect.soft(counts.controls, `controls of ${pageId}`).toBeLessThanOrEqual(controls);
      expect.soft(counts.words, `words of ${pageId}`).toBeLessThanOrEqual(words);
    }
  });
});
