// Tests the first visit: its sentence, slider, animation and links, and what the page loads.

import { resolve } from 'node:path';
import type { BenchReport } from '../src/core/report.ts';
import { formatId, expect, FORMATS, RUNS_ALL, scheduled, test } from './fixtures.ts';
import { clickAsSoonAsVisible, turningClock } from './at-once.ts';
import { modelReport } from '../test/model-reports.ts';
import { serveStatic } from './static-server.ts';

test(
  'the first visit shows one sentence with the bytes and, if recorded, the times',
  scheduled(
    'one more page load',
    'src/pages/watch/first-visit/visit-times.test.ts, src/pages/watch/first-visit/visit-words.test.ts, and the first visit with recordings in e2e/start.spec.ts',
  ),
  async ({ page }) => {
    // Records progress bars, which may be visible only for a moment.
    await page.addInitScript(() => {
      const recordBar = (): void => {
        if (document.querySelector('.bar--task')) document.documentElement.dataset.hadBar = '';
      };
      new MutationObserver(recordBar).observe(document, { subtree: true, childList: true });
    });
    await page.goto('./');
    await expect(page).toHaveTitle(/SparseScope/);
    const region = page.getByRole('region', { name: 'At first sight' });
    await expect(region.getByRole('heading')).toHaveText(
      /^Half of this matrix is zeros\. MACKO leaves them out: 73\.4.MB instead of 117\.4\.$/,
    );
    await expect(region).toContainText('What the GPU reads for one word');
    await expect(region).toContainText(/dense i4\s*33\.0.MB/);
    await expect(region).toContainText('4-bit rounding instead of pruning');
    await expect(region).toContainText('50\u202f% of the weights left');
    await expect(region.getByRole('button', { name: /^weight \d+: zero$/ })).toHaveCount(16);
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('random weights');
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('down_proj');
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText(/\d × \d/);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.locator('[data-had-bar]')).toHaveCount(0);
  },
);

test.describe('with recordings', () => {
  test.use({ hasRecordings: true });

  test('the first visit has few words, follows its slider, and shows recorded times', async ({ app, page }) => {
    const region = await app.firstVisit();
    await test.step('few words and controls are in view', async () => {
      await expect(region.getByRole('heading')).toContainText('takes 24.0');
      await expect(region.locator('[data-at="empty"]')).toHaveCount(0);
      const visible = await page.evaluate(() => {
        const isSeen = (element: Element | null): boolean =>
          element !== null &&
          element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
          element.closest('.unseen, .skip-link') === null &&
          element.getBoundingClientRect().top < innerHeight;
        const controls = [...document.querySelectorAll<HTMLElement>('a, button, input, [tabindex="0"]')];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        let text = '';
        while (walker.nextNode())
          if (isSeen(walker.currentNode.parentElement)) text += ` ${walker.currentNode.nodeValue}`;
        return {
          controls: controls.filter(isSeen).length,
          words: text.split(/\s+/).filter((word) => /\w/.test(word)).length,
        };
      });
      // Among the controls are seven links to pages, Present, Export and Share, and a Tab stop for each line of bytes.
      expect(visible.controls).toBeLessThanOrEqual(31);
      expect(visible.words).toBeLessThanOrEqual(170);
    });
    await test.step('the slider sets the density in the sentence: row, bytes and times change with it, until MACKO is no longer smaller', async () => {
      const heading = region.getByRole('heading');
      const slider = region.getByRole('slider', { name: 'Share of the weights left' });
      const prunedButton = page.getByRole('button', { name: /^Pruned to: / });
      await expect(heading).toContainText('takes 24.0');
      await slider.focus();
      for (const [percent, weights, sentence] of [
        [20, 4, /^80.% .* and takes 13\.0.µs instead of 30\.4\.Rounded to 4 bits, dense takes [\d.]+.µs\.$/],
        [72, 24, /^28.% .*, yet takes 31\.7.µs instead of 30\.4\.Rounded to 4 bits, dense takes /],
      ] as const) {
        await slider.fill(String(percent / 100));
        await expect(prunedButton).toContainText(`${percent}\u202f% left`);
        await expect(region.getByRole('button', { name: /^weight \d+: zero$/ })).toHaveCount(32 - weights);
        await expect(heading).toHaveText(sentence);
      }
      await expect(region.getByRole('link', { name: /^Computed from times of / })).toBeVisible();
      await slider.press('ArrowRight');
      await app.addressWith('prune=magnitude:0.73');
      await page.reload();
      await expect(slider).toHaveValue('0.73');
      await page.goBack();
      await expect(slider).toHaveValue('0.5');
    });
    await test.step('the first visit shows recorded times with device and date, and links to how they were measured', async () => {
      await expect(region.getByRole('heading')).toHaveText(
        /MACKO leaves them out and takes [\d.]+.µs instead of [\d.]+\.Rounded to 4 bits, dense takes /,
      );
      await expect(page.getByRole('button', { name: /^Device: / })).toContainText(/NVIDIA \w+/);
      await expect(region).toContainText(/\d+.\d+ times slower/);
      await region.getByRole('link', { name: /^Measured \d+ \w+ 20\d\d$/ }).click();
      await expect(page).toHaveURL(/#2\/measure/);
    });
  });
});

test.describe('the picture of the first visit', () => {
  test(
    'the animation of the first visit plays automatically, and can be paused and continued',
    scheduled('one more page load', 'src/pages/watch/first-visit/row-animation.test.ts'),
    async ({ page }) => {
      await page.clock.install();
      await page.goto('./');
      const region = page.getByRole('region', { name: 'At first sight' });
      await clickAsSoonAsVisible(page, /^Pause$/, 'body:has([data-at="there"])');
      const arrivedCells = region.locator('[data-at="there"]');
      const continueButton = region.getByRole('button', { name: 'Continue' });
      await expect(continueButton).toBeVisible();
      const count = await arrivedCells.count();
      expect(count).toBeGreaterThan(0);
      // Enough time for the animation to move, if it were not paused.
      await page.clock.runFor(1_000);
      expect(await arrivedCells.count()).toBe(count);
      await continueButton.click();
      await expect.poll(() => arrivedCells.count()).not.toBe(count);
    },
  );

  test.describe('with less motion', () => {
    test.use({ reducedMotion: 'reduce' });

    test(
      'with reduced motion, the first visit shows the last picture of its animation at once',
      scheduled(
        'one more page load',
        'src/pages/watch/first-visit/row-animation.test.ts: the runs are two, then the picture rests at its end',
      ),
      async ({ page }) => {
        await page.goto('./');
        const region = page.getByRole('region', { name: 'At first sight' });
        await expect(region.getByRole('button', { name: 'Again' })).toBeVisible();
        await expect(region.locator('[data-at="empty"]')).toHaveCount(0);
        await expect(region.locator('[data-at="there"]').first()).toBeAttached();
      },
    );
  });
});

test.describe('on the first screen', () => {
  const scheduledStory = scheduled(
    'one page load for each of four similar stories',
    'Watch how in e2e/start.spec.ts, which plays MACKO from the first visit, and src/formats/contract/story.test.ts for the first look at each of their matrices',
  );
  for (const [name, title, address, frames] of [
    [/^MACKO: /, 'MACKO', /src=example:digits-fc2-70&a=macko&.*win=464,261,4,32$/, 11],
    [/^EC-SpMV: /, 'EC-SpMV', /src=example:ec-spmv-eight-rows&a=ec-csr&.*win=0,0,8,32$/, 13],
    [/^TwELL: /, 'TwELL', /src=example:digits-gate-l1-1e-2&a=twell&.*win=64,672,5,32$/, 12],
    [/^SlideSparse: /, 'SlideSparse', /src=example:digits-fc1-6-8&a=slidesparse&.*win=166,0,1,64$/, 12],
  ] as const) {
    test(
      `${title}: one click plays its story alone from the first frame, in the window that it is written for, and Back leads to the start`,
      scheduledStory,
      async ({ app, page }) => {
        await page.clock.install();
        await page.goto('./');
        const region = page.getByRole('region', { name: 'At first sight' });
        const control = region.getByRole('link', { name });
        await expect(control).toBeVisible();
        await page.clock.pauseAt(Date.now() + 3_600_000);
        await control.click();
        // Advances the clock in steps that are shorter than the player stays at a frame. The address ends with the window and
        // names neither a frame nor B, so it is the first frame of A alone.
        const isAlone = async (): Promise<boolean> =>
          (await app.button('Pause').isVisible()) && address.test(page.url());
        await turningClock(page, 40, isAlone).toBe(true);
        await expect(region).toHaveCount(0);
        await app.expectFormat(title);
        await expect(app.count).toHaveText(`frame 1 of ${frames}`);
        await turningClock(page, 1000, () => app.count.textContent()).toMatch(/^frame 2 of/);
        await expect(page.getByRole('alert')).toHaveCount(0);
        await page.clock.resume();
        await page.goBack();
        await expect(region).toBeVisible();
      },
    );
  }

  test('Watch how plays the same row; further links are one click away, and cells of the row can be switched', async ({
    app,
    page,
  }) => {
    await page.clock.install();
    const region = await app.firstVisit();
    await test.step('Watch how plays the same row; only the logo or Back leads to it again', async () => {
      await region.getByRole('link', { name: 'Watch how' }).click();
      await expect(region).toHaveCount(0);
      await app.ready();
      await expect(page).toHaveURL(/&a=macko&.*&win=10,3169,5,32/);
      await turningClock(page, 1000, () => app.count.textContent()).toMatch(/^frame (?!1 of)/);
      await expect(page.getByRole('region', { name: 'Selection' })).toContainText('down_proj');
      await page.keyboard.press('Home');
      await expect(app.count).toHaveText(/^frame 1 of/);
      await expect(region).toHaveCount(0);
      await page.goBack();
      await expect(region).toBeVisible();
      // `npm test` reloads the first screen only in the last step.
      if (!RUNS_ALL) return;
      await page.reload();
      await expect(region).toBeVisible();
    });
    await test.step('typing a matrix, the lessons and all formats are one click away', async () => {
      await app.openMatrixPicker();
      await expect(page.getByPlaceholder('a model, a matrix, a file, a link')).toBeFocused();
      await page.keyboard.press('Escape');
      await app.button('load the real ones').click();
      await expect(page.getByRole('dialog', { name: 'Weights' })).toContainText('Hugging Face');
      await page.keyboard.press('Escape');
      await app.link('Learn').click();
      await expect(page).toHaveURL(/#2\/learn/);
      await page.goBack();
      await expect(region).toBeVisible();
      await app.link('Compare').click();
      await expect(page).toHaveURL(/#2\/compare/);
    });
    await test.step('a byte of the row highlights its weight, and is announced; arrow keys go from byte to byte', async () => {
      await app.link('Back to the first screen').click();
      await page.waitForLoadState('networkidle');
      const bytes = region.getByRole('listbox', { name: '64 bytes of dense f16' });
      await bytes.focus();
      await bytes.press('Home');
      for (let i = 0; i < 4; i++) await bytes.press('ArrowRight');
      await expect(bytes.getByRole('option', { selected: true })).toHaveAccessibleName(
        /^byte 5 of dense f16: weight 3: [−\d.]+$/,
      );
      await expect(region.getByText(/^byte 5 of dense f16: weight 3/)).toBeVisible();
      await expect(region.getByRole('listbox', { name: '32 bytes of MACKO' })).toBeVisible();
      await expect(region.getByRole('listbox', { name: '8 bytes of MACKO’s counts' })).toBeVisible();
    });
    await test.step('cells of the row are switched by pointer and by keys, and the bytes change with them', async () => {
      const cell = (column: number) => region.getByRole('button', { name: new RegExp(`^weight ${column}: `) });
      const zero = /: zero$/;
      const bytes = region.getByText(/^MACKO stores each weight in 16 bits/).getByText(/^\d+.B$/);
      await expect(bytes).toHaveText('40\u202fB');
      await expect(async () => {
        await cell(1).click();
        await expect(cell(1)).not.toHaveAccessibleName(zero, { timeout: 500 });
      }).toPass();
      // 17 values of 16 bits and 4 bits each: 42.5 bytes.
      await expect(bytes).toHaveText('43\u202fB');
      await cell(1).press('ArrowRight');
      await cell(2).press('ArrowRight');
      await expect(cell(3)).toBeFocused();
      await cell(3).press('Enter');
      await expect(cell(3)).toHaveAccessibleName(zero);
      await expect(bytes).toHaveText('40\u202fB');
      // Columns 0 and 3 are the first two now.
      await expect.poll(() => page.url()).toMatch(/own=10,3169,5,32:0:[\d.]+%3B3:/);
      await page.reload();
      await expect(cell(1)).not.toHaveAccessibleName(zero);
      await expect(cell(3)).toHaveAccessibleName(zero);
    });
  });

  test(
    'the first screen is replaced once the user changes the selection',
    scheduled('one more page load', 'the tasks of e2e/tasks.spec.ts, which begin at the first visit'),
    async ({ app, page }) => {
      const region = await app.firstVisit();
      await page.keyboard.press('x');
      await expect(region).toHaveCount(0);
      await app.expectFormat('dense');
      await page.keyboard.press('x');
      await app.expectFormat('MACKO');
      await app.ready();
      await expect(region).toHaveCount(0);
    },
  );

  test(
    'another visit opens the last address, and the logo opens the first screen',
    scheduled('two page loads', 'src/state/url.test.ts, and the ways on from the first visit in e2e/start.spec.ts'),
    async ({ context, page }) => {
      await page.goto('./#2/learn/small-gaps');
      await expect(page.getByRole('heading', { name: 'Small skips' })).toBeVisible();
      await page.goto('about:blank');
      const secondTab = await context.newPage();
      await secondTab.goto('./');
      await expect(secondTab).toHaveURL(/#2\/learn\/small-gaps/);
      await expect(secondTab.getByRole('heading', { name: 'Small skips' })).toBeVisible();
      await secondTab.getByRole('link', { name: 'Back to the first screen' }).click();
      await expect(secondTab.getByRole('region', { name: 'At first sight' })).toBeVisible();
      // Within a visit, the address without a page is the first screen.
      await secondTab.goto('./#2/learn');
      await secondTab.goto('./');
      await expect(secondTab.getByRole('region', { name: 'At first sight' })).toBeVisible();
    },
  );
});

/** A report of the first visit's matrix, as if this browser had timed it on a software GPU. */
function softwareReport(): BenchReport {
  const report = modelReport(4096, 14_336, 0.5, [420_000, 300_000]);
  const adapter = { vendor: 'google', architecture: 'swiftshader', device: '', description: '' };
  return {
    ...report,
    environment: { ...report.environment, adapter, isFallback: true },
    workload: { ...report.workload, memory: 'cold' },
  };
}

test.describe('times of a software GPU', () => {
  test.use({ hasRecordings: true });

  test(
    'one press shows the times of a software GPU, and another the recorded times again',
    scheduled(
      'two page loads, and a run that is cancelled',
      'src/pages/watch/first-visit/visit-times.test.ts, the times of the first visit are marked if they come from a software adapter, and e2e/benchmark.spec.ts, one press of Run answers, in grey',
    ),
    async ({ app, page }) => {
      const region = await app.firstVisit();
      const headline = region.getByRole('heading', { name: /of this matrix is zeros/ });
      await expect(headline).toContainText('and takes 24.0\u202fµs instead of 30.4');
      await region.getByRole('button', { name: 'Time it here' }).click();
      // The current step of the run depends on the machine, so any of its texts is accepted.
      await expect(page.getByRole('main')).toContainText(/Running|Making random weights/);
      await app.button(/^cancel$/i).click();
      // A cancelled run shows 'cancelling' until it has ended, and then deletes its stored rounds.
      await expect(page.getByRole('progressbar', { name: 'Running' })).toBeHidden();
      await expect.poll(() => page.evaluate(() => sessionStorage.getItem('sparsescope.running'))).toBeNull();

      // A run of 29 million weights takes minutes on a software GPU, so it is stored here as if the page was closed during the run.
      const text = JSON.stringify([softwareReport()]);
      await page.evaluate(
        (run) => sessionStorage.setItem('sparsescope.running', run),
        JSON.stringify({ origin: 'measured', name: 'software', text }),
      );
      await page.goto('./#2/measure?x.fold=runs');
      await page.reload();
      await app.link('Back to the first screen').click();
      await expect(headline).toContainText('and takes 300\u202fms instead of 420 on this computer’s software GPU');
      await expect(region).toContainText('its times do not apply to graphics cards.');
      await expect(region.getByText('300\u202fms, software')).toBeVisible();
      await region.getByRole('button', { name: 'Show NVIDIA H200, recorded' }).click();
      await expect(headline).toContainText('and takes 24.0\u202fµs instead of 30.4');
    },
  );
});

for (const title of ['EC-SpMV', 'TwELL', 'hybrid', 'SlideSparse']) {
  test(
    `${title} begins with a matrix that the format supports if none was chosen`,
    scheduled(
      'two page loads for each of four similar formats',
      'src/state/url.test.ts: shows a format that needs it on its own example',
    ),
    async ({ app, page }) => {
      await app.open(`#2/watch?a=${formatId(title)}`, { byFrames: true });
      await expect(app.stage).not.toContainText('cannot store');
      await app.firstVisit();
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('dialog').getByRole('combobox').fill(title);
      await page.getByRole('option', { name: `Format ${title} Watch`, exact: true }).click();
      await app.expectFormat(title);
      await app.ready();
      await expect(app.stage).not.toContainText('cannot store');
    },
  );
}

test(
  'the site works below any path of a static host, and makes no requests elsewhere',
  scheduled(
    'two page loads from a server of its own',
    'e2e/offline.spec.ts, whose site is below a path, and every other test: none lets its page leave its origin',
  ),
  async ({ app, page }) => {
    const server = await serveStatic(resolve(import.meta.dirname, '../dist'), '/some/sub/path/');
    try {
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      await page.goto(server.url);
      await expect(app.link('Watch how')).toBeVisible();
      await page.goto(`${server.url}#2/watch`);
      await app.ready();
      await app.everyStep();
      await app.oneStep();
      await app.expectStep(1);
      await app.link('Measure').click();
      await expect(page.getByRole('main')).toBeVisible();
      expect(requested.filter((url) => url.startsWith('http') && !url.startsWith(server.url))).toEqual([]);
    } finally {
      await server.close();
    }
  },
);

test(
  'if the browser is set to save data, other stories and pages load only on demand',
  scheduled(
    'one more page load',
    'scripts/check-size.mjs, which npm test runs, and src/kit/browser/lazy-part.test.tsx',
  ),
  async ({ app, page }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const stories = (): readonly string[] =>
      requested.flatMap((url) => /\/(story-\w[\w-]*?)-[^/]*\.js$/.exec(url)?.[1] ?? []);
    await app.open('#2/watch');
    // Waits for two idle callbacks, so that all work that waits for one has run; with a time limit for busy machines.
    await page.evaluate(async () => {
      for (let i = 0; i < 2; i++) await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 10_000 }));
    });
    expect(stories()).toEqual(['story-macko']);
    await app.chooseFormat('CSR');
    await app.expectFormat('CSR');
    await app.ready();
    expect(stories()).toEqual(['story-macko', 'story-csr']);
  },
);

test.describe('after it has been loaded', () => {
  test.use({ loadsAhead: true });

  test(
    'works without a network',
    scheduled(
      'loads all of the page ahead',
      'e2e/offline.spec.ts, pages that were opened once work without a network, and src/kit/browser/lazy-part.test.tsx',
    ),
    async ({ app, context, page }) => {
      await app.open();
      // Other stories and later features are loaded after the first screen.
      await page.waitForFunction(() => performance.getEntriesByName('all parts loaded').length > 0);
      expect(
        await page.evaluate(
          () => performance.getEntriesByType('resource').filter(({ name }) => /\/story-/.test(name)).length,
        ),
      ).toBe(FORMATS.length);
      await page.waitForLoadState('networkidle');
      await context.setOffline(true);
      await app.oneStep();
      await app.expectStep(1);
      // In `npm test` two of them: all are loaded in the same way, and their number is checked above.
      for (const name of RUNS_ALL ? FORMATS : ['CSR', 'dense']) {
        await app.chooseFormat(name);
        await app.expectFormat(name);
        await app.ready();
        await app.expectStep(0);
      }
      for (const view of ['Measure', 'Compare']) {
        await app.link(view).click();
        await expect(page.getByRole('main')).not.toBeEmpty();
        await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy', 'true');
      }
      await expect(page.getByRole('alert')).toHaveCount(0);
    },
  );
});
