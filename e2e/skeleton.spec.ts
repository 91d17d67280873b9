// The skeleton in index.html: header and frame are painted before the code arrives, and do not move when it does.

import type { Browser, Page } from '@playwright/test';
import { expect, scheduled, test } from './fixtures.ts';

/** Opens a page whose scripts never arrive. */
async function openWithoutCode(page: Page, hash: string): Promise<void> {
  await page.route(/\.js$/, () => {});
  await page.goto(`./${hash}`, { waitUntil: 'commit' });
  await expect(page.locator('.skeleton')).toBeVisible();
}

/** Returns the position and size of an element, in px; zeros if it is not there. */
const box = async (page: Page, selector: string): Promise<readonly number[]> => {
  const { x, y, width, height } = (await page.locator(selector).first().boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  return [x, y, width, height].map(Math.round);
};

/** The browser's entry for a layout shift. */
interface Shift {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

test.use({ details: '' });

const WATCH_PARTS = ['.header', '.selection', '.watch-stage', '.player'];

/** Returns the boxes of parts of the frame, once all have a size: the style sheet may still be loading. */
async function boxesOf(page: Page, parts: readonly string[]): Promise<readonly (readonly number[])[]> {
  const boxes = (): Promise<readonly (readonly number[])[]> => Promise.all(parts.map((part) => box(page, part)));
  await expect.poll(async () => (await boxes()).every(([, , w, h]) => w > 0 && h > 0)).toBe(true);
  return boxes();
}

/** Waits until the parts have these boxes: while the selection bar replaces its placeholder, it briefly has another box. */
async function expectBoxes(
  page: Page,
  parts: readonly string[],
  before: readonly (readonly number[])[],
): Promise<void> {
  await expect.poll(() => Promise.all(parts.map((part) => box(page, part))), { intervals: [10] }).toEqual(before);
}

/** Returns the sum of layout shifts so far (cumulative layout shift). */
const layoutShiftSum = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0));

test('header and frame are painted before the code, and stay at the same position when it arrives', async ({
  app,
  page,
}) => {
  await openWithoutCode(page, '#2/watch?b=none');
  await expect(page.getByText('SparseScope').first()).toBeAttached();
  const before = await boxesOf(page, WATCH_PARTS);
  await page.unroute(/\.js$/);
  // `byFrames`, since switching to every step by a key would change the layout, too.
  await app.open(undefined, { byFrames: true });
  await expect(page.locator('.skeleton')).toHaveCount(0);
  await expectBoxes(page, WATCH_PARTS, before);
});

for (const [width, height] of [
  [1440, 900],
  [390, 844],
]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(
      `at ${width} px, ${colorScheme}, header and frame are painted before the code, and nothing jumps when it arrives`,
      scheduled(
        'its bound of what moves depends on when the machine paints',
        'the places of header and frame in e2e/skeleton.spec.ts',
      ),
      async ({ app, page }) => {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await openWithoutCode(page, '#2/watch?b=none');
        await expect(page.getByText('SparseScope').first()).toBeAttached();
        const before = await boxesOf(page, WATCH_PARTS);
        const background = (): Promise<string> =>
          page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        const backgroundBefore = await background();

        await page.unroute(/\.js$/);
        await page.addInitScript(() => {
          const shifts: number[] = [];
          Object.assign(window, { shifts });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
          }).observe({ type: 'layout-shift', buffered: true });
        });
        // `byFrames`, since switching to every step by a key would change the layout, too.
        await app.open(undefined, { byFrames: true });
        await expect(page.locator('.skeleton')).toHaveCount(0);
        await expect(app.stage).toBeVisible();
        await expectBoxes(page, WATCH_PARTS, before);
        await expect.poll(background).toBe(backgroundBefore);
        expect(await layoutShiftSum(page)).toBeLessThan(0.02);
      },
    );
  }
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
]) {
  test(
    `at ${width} px the frame of the first visit is painted before the code, and nothing jumps when it arrives`,
    scheduled(
      'its bound of what moves depends on when the machine paints',
      'the places of header and frame in e2e/skeleton.spec.ts',
    ),
    async ({ app, page }) => {
      await page.setViewportSize({ width, height });
      await openWithoutCode(page, '');
      await expect(page.locator('.skeleton .visit-frame:not(.page-frame)')).toBeVisible();
      await expect(page.locator('.skeleton .watch')).toBeHidden();
      const parts = ['.header', '.selection'];
      const before = await boxesOf(page, parts);

      await page.unroute(/\.js$/);
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as readonly Shift[]) {
            // Items of the selection bar arrive one by one inside its existing box; the test above covers them.
            const isInSelectionBar = ({ node }: Shift['sources'][number]): boolean =>
              (node?.parentElement?.closest('.selection') ?? null) !== null;
            if (!entry.sources.every(isInSelectionBar)) shifts.push(entry.value);
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await app.firstVisit();
      await expectBoxes(page, parts, before);
      expect(await layoutShiftSum(page)).toBeLessThan(0.02);
    },
  );
}

test('without JavaScript the frame is shown with a message that the page needs it', async ({
  browser,
  baseURL,
}: {
  browser: Browser;
  baseURL?: string | undefined;
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(baseURL ?? '');
    await expect(page.getByRole('heading', { name: 'SparseScope' })).toBeVisible();
    const message = page.locator('.skeleton .watch noscript');
    await expect(message).toBeInViewport();
    expect(await message.innerHTML()).toContain('so it needs JavaScript');
  } finally {
    await context.close();
  }
});
