import type { Browser, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** A page whose scripts never arrive. */
async function withoutCode(page: Page, hash: string): Promise<void> {
  await page.route(/\.js$/, () => {});
  await page.goto(`./${hash}`, { waitUntil: 'commit' });
  await expect(page.locator('.skeleton')).toBeVisible();
}

const box = async (page: Page, selector: string): Promise<readonly number[]> => {
  const { x, y, width, height } = (await page.locator(selector).first().boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  return [x, y, width, height].map(Math.round);
};

/** The browser's entry for what moved. */
interface Shift {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

test.use({ folds: '' });

for (const [width, height] of [
  [1440, 900],
  [390, 844],
]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`at ${width} px, ${colorScheme}, header and frame are painted before the code, and nothing jumps when it arrives`, async ({
      app,
      page,
    }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await withoutCode(page, '#2/watch?b=none');
      await expect(page.getByText('SparseScope').first()).toBeAttached();
      const parts = ['.header', '.sentence', '.watch-stage', '.player'];
      const boxes = (): Promise<readonly (readonly number[])[]> => Promise.all(parts.map((part) => box(page, part)));
      // The style sheet may still be loading.
      await expect.poll(async () => (await boxes()).every(([, , w, h]) => w > 0 && h > 0)).toBe(true);
      const before = await boxes();
      const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

      await page.unroute(/\.js$/);
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      // No key is pressed: what moves then is not what arrives.
      await app.open(undefined, { byMoments: true });
      await expect(page.locator('.skeleton')).toHaveCount(0);
      await expect(app.stage).toBeVisible();
      // The sentence takes the place of the line that has its height: for a moment its box is of neither.
      await expect.poll(boxes, { intervals: [10] }).toEqual(before);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(ground);
      const shift = await page.evaluate(() =>
        (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0),
      );
      expect(shift).toBeLessThan(0.02);
    });
  }
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
]) {
  test(`at ${width} px the frame of the first visit is painted before the code, and nothing jumps when it arrives`, async ({
    app,
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await withoutCode(page, '');
    await expect(page.locator('.skeleton .visit-frame')).toBeVisible();
    await expect(page.locator('.skeleton .watch')).toBeHidden();
    const parts = ['.header', '.sentence'];
    const before = await Promise.all(parts.map((part) => box(page, part)));

    await page.unroute(/\.js$/);
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as readonly Shift[]) {
          // The words of the sentence arrive one after the other, in a box that is there: the test above is about those.
          const isWords = ({ node }: Shift['sources'][number]): boolean =>
            (node?.parentElement?.closest('.sentence') ?? null) !== null;
          if (!entry.sources.every(isWords)) shifts.push(entry.value);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await app.firstVisit();
    expect(await Promise.all(parts.map((part) => box(page, part)))).toEqual(before);
    const shift = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0),
    );
    expect(shift).toBeLessThan(0.02);
  });
}

test('without JavaScript the frame is shown and says what is missing', async ({
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
    const words = page.locator('.skeleton .watch noscript');
    await expect(words).toBeInViewport();
    expect(await words.innerHTML()).toContain('so it needs JavaScript');
  } finally {
    await context.close();
  }
});
