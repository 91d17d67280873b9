// The stage, the selection bar and the benchmark can be used at every size of window.

import type { Locator, Page } from '@playwright/test';
import { expect, RUNS_ALL, scheduled, test } from './fixtures.ts';

/** From 400 % zoom of a laptop, by phones, to a large screen. */
const SIZES = [
  [320, 200],
  [320, 568],
  [640, 400],
  [844, 390],
  [390, 844],
  [1440, 900],
  [2560, 1440],
] as const;

/** Where not all tests run: the smallest size and a phone. The others are between them, or larger than a page needs. */
const TESTED_SIZES = RUNS_ALL ? SIZES : [SIZES[0], SIZES[4]];

/** Minimum width and height of a control by WCAG 2.5.8, px. */
const MIN_TARGET = 24;

/** Elements that are clipped and cannot be scrolled into view, and controls that are too small, as one line each. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate((min) => {
    const faults: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth)
      faults.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
    const nameOf = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${element.className} '${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}'`;
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) &&
      element.closest('.unseen, .skip-link, [aria-hidden="true"]') === null;
    /** The ancestor that clips an edge of the box and does not scroll that way; null if none does. */
    const clippedBy = (element: Element, box: DOMRect): Element | null => {
      for (
        let ancestor = element.parentElement;
        ancestor && ancestor !== document.body;
        ancestor = ancestor.parentElement
      ) {
        const { overflowX, overflowY } = getComputedStyle(ancestor);
        const space = ancestor.getBoundingClientRect();
        const [clipsX, clipsY] = [overflowX, overflowY].map((overflow) => /hidden|clip/.test(overflow));
        if (clipsX && (box.left < space.left - 1 || box.right > space.right + 1)) return ancestor;
        if (clipsY && (box.top < space.top - 1 || box.bottom > space.bottom + 1)) return ancestor;
        // Contents that are scrolled out of view can be scrolled back.
        if (/auto|scroll/.test(`${overflowX}${overflowY}`)) return null;
      }
      return null;
    };
    const pageScrolls = getComputedStyle(document.body).overflowY !== 'hidden';
    // Elements that a user reads or presses: clipped, or outside the window where nothing scrolls.
    for (const element of document.querySelectorAll(
      'button, select, input, summary, a, canvas, [role=slider], p, h2',
    )) {
      if (!isShown(element)) continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const ancestor = clippedBy(element, box);
      if (ancestor) faults.push(`${nameOf(element)} is cut off by ${nameOf(ancestor).slice(0, 60)}`);
      const scroller = element.closest(
        '.panel, .stage, .watch-stage, .measure, main, .narrow-page, .overflow-x-auto, dialog',
      );
      const canScroll = scroller && /auto|scroll/.test(getComputedStyle(scroller).overflow);
      if (!canScroll && (box.right > innerWidth + 1 || box.left < -1))
        faults.push(`${nameOf(element)} lies beside the page`);
      if (!canScroll && !pageScrolls && box.bottom > innerHeight + 1)
        faults.push(`${nameOf(element)} lies below the page`);
    }
    // Controls: at least the minimum size.
    for (const element of document.querySelectorAll('button, select, input, summary, a, [role=slider]')) {
      if (!isShown(element)) continue;
      // A check box is pressed by its label; a link or button in a sentence is as high as its line.
      const target = element.closest('label') ?? element;
      if (target.parentElement?.tagName === 'P') continue;
      // A mark of a frame may be narrower: the two arrows next to the marks do the same (an exception of WCAG 2.5.8).
      if (target.matches('.frames-stroke')) continue;
      const { width, height } = target.getBoundingClientRect();
      if (width === 0 || height === 0) continue;
      if (Math.min(width, height) < min - 0.1)
        faults.push(`${nameOf(element)} is ${width.toFixed(1)} × ${height.toFixed(1)} px`);
    }
    return [...new Set(faults)];
  }, MIN_TARGET);
}

/** The height of an element's visible part in px, after scrolling to it: rows of pixels that nothing covers. */
async function visibleHeight(locator: Locator): Promise<number> {
  return locator.evaluate((element) => {
    element.scrollIntoView({ block: 'center' });
    const { left, width, top, bottom } = element.getBoundingClientRect();
    let visible = 0;
    for (let y = Math.max(0, Math.ceil(top)); y < Math.min(innerHeight, bottom); y++) {
      const topmost = document.elementFromPoint(left + width / 2, y);
      if (topmost && (element.contains(topmost) || topmost.contains(element))) visible++;
    }
    return visible;
  });
}

/** How many of the two ends of an element, first and last line, stay covered or outside the window however it is scrolled. */
async function hiddenEnds(locator: Locator): Promise<number> {
  return locator.evaluate((element) => {
    const isSeen = (end: 'start' | 'end', edge: (box: DOMRect) => number): boolean => {
      element.scrollIntoView({ block: end });
      const box = element.getBoundingClientRect();
      const topmost = document.elementFromPoint(box.left + box.width / 2, edge(box));
      return topmost !== null && (element.contains(topmost) || topmost.contains(element));
    };
    const first = isSeen('start', ({ top }) => top + 2);
    const last = isSeen('end', ({ bottom }) => bottom - 2);
    return Number(!first) + Number(!last);
  });
}

test.describe('at every size', () => {
  // One page for all sizes: the layout depends only on the current size of the window, not on the sizes before.
  test.use({ viewport: { width: SIZES[0][0], height: SIZES[0][1] }, reducedMotion: 'reduce' });

  test('stage, selection and player can be used, and no text is clipped', async ({ app, page }) => {
    await app.open('#2/watch?a=macko&b=none&moment=9');
    await app.fontsLoaded();
    for (const [i, [width, height]] of TESTED_SIZES.entries()) {
      const atSize = `at ${width} × ${height}`;
      await page.setViewportSize({ width, height });
      await expect.poll(() => faultsOf(page), atSize).toEqual([]);
      const canvas = app.stage.locator('canvas').first();
      await expect.poll(async () => (await canvas.boundingBox())?.height, atSize).toBeGreaterThanOrEqual(160);
      await expect.poll(() => visibleHeight(canvas), atSize).toBeGreaterThanOrEqual(Math.min(160, height / 2));
      await app.oneStep();
      await app.expectStep(10 + i);
      // The player is fully visible, and at least a line of the narration.
      for (const control of [app.button('Play'), app.slider, page.getByRole('combobox', { name: 'speed' })])
        await expect(control, atSize).toBeInViewport({ ratio: 1 });
      // A text of one line is lower than 30 px.
      const lineHeight = Math.min(30, ((await app.narration.boundingBox())?.height ?? 30) - 2);
      await expect.poll(() => visibleHeight(app.narration), atSize).toBeGreaterThanOrEqual(lineHeight);
      for (const name of ['Watch', 'Measure', 'Compare']) {
        await app.link(name).scrollIntoViewIfNeeded();
        await expect(app.link(name), atSize).toBeInViewport({ ratio: 1 });
      }
    }
  });

  test('the end of a story can be read on a phone, upright and held sideways', async ({ app, page }) => {
    for (const story of ['src=example:digits-fc2-70&a=macko', 'a=twell', 'src=example:digits-fc1-6-8&a=slidesparse']) {
      await app.open(`#2/watch?${story}&b=none&frame=verdict`, { byFrames: true });
      await app.fontsLoaded();
      for (const [width, height] of [SIZES[3], SIZES[4]]) {
        const atSize = `${story} at ${width} \u00d7 ${height}`;
        await page.setViewportSize({ width, height });
        await expect.poll(() => faultsOf(page), atSize).toEqual([]);
        await expect.poll(() => visibleHeight(app.narration), atSize).toBeGreaterThanOrEqual(20);
        // Every part of the picture can be scrolled into view, above the player.
        const canvas = app.stage.locator('canvas').first();
        await expect.poll(() => hiddenEnds(canvas), atSize).toBe(0);
      }
    }
  });

  test(
    'the group of a question can be changed, and no text is clipped',
    scheduled(
      'six sizes of a details section',
      'src/papers/slidesparse/windows.test.tsx, and the stage in e2e/sizes.spec.ts',
    ),
    async ({ app, page }) => {
      await app.open('#2/watch?src=example:digits-fc1-6-8&a=slidesparse&b=none&x.unfold=group', { byFrames: true });
      await expect(page.getByRole('main')).toContainText('placements');
      await app.fontsLoaded();
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await expect.poll(() => faultsOf(page), `at ${width} × ${height}`).toEqual([]);
        await page.getByRole('button', { name: '14:16 on 2:4' }).click();
        await expect(page.getByRole('main')).toContainText('14:16 on 2:4:');
        await expect.poll(() => faultsOf(page), `14:16 at ${width} × ${height}`).toEqual([]);
        await page.getByRole('button', { name: '6:8 on 2:4' }).click();
        await expect(page.getByRole('main')).toContainText('6:8 on 2:4:');
      }
    },
  );
});

test.describe('steps with many arrays', () => {
  test.use({ viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce' });

  // One step of encoding and one of multiplying: the matrix is left of the arrays, and the player covers none of them.
  for (const moment of [60, 300])
    test(`the picture of step ${moment} of EC-SpMV ends above the player`, async ({ app, page }) => {
      await app.open(`#2/watch?a=ec-csr&b=none&moment=${moment}`);
      await app.fontsLoaded();
      const canvas = app.stage.locator('canvas').first();
      await expect.poll(async () => (await canvas.boundingBox())?.height).toBeGreaterThan(300);
      const end = async (): Promise<number> => {
        const box = await canvas.boundingBox();
        return (box?.y ?? 0) + (box?.height ?? 0);
      };
      const player = await app.slider.boundingBox();
      await expect.poll(end).toBeLessThanOrEqual(player?.y ?? 0);
      await expect(page.locator('.watch-stage')).toBeInViewport({ ratio: 1 });
    });
});

test.describe('the benchmark', () => {
  const [[width, height], ...others] = SIZES;
  test.use({ viewport: { width, height }, reducedMotion: 'reduce' });

  // One run for all sizes: the layout of a report depends only on the current size of the window.
  test(
    'the benchmark runs, no text is clipped at any size, and the focus stays after Run',
    scheduled(
      'compiles kernels on a software GPU, and six sizes twice',
      'e2e/benchmark.spec.ts for the run, and the stage in e2e/sizes.spec.ts',
    ),
    async ({ app, page }) => {
      await app.openBenchmark('src=generated:uniform&shape=32x64&density=0.3&seed=1');
      await app.fontsLoaded();
      const expectNothingClipped = async (): Promise<void> => {
        for (const [w, h] of [...others, SIZES[0]]) {
          await page.setViewportSize({ width: w, height: h });
          await expect.poll(() => faultsOf(page), `at ${w} × ${h}`).toEqual([]);
        }
      };
      await expectNothingClipped();
      await app.runButton.focus();
      await page.keyboard.press('Enter');
      await expect(app.runButton).toHaveText(/^Run again/, { timeout: 120_000 });
      await expect(app.runButton).toBeFocused();
      await expectNothingClipped();
    },
  );
});
