import type { Page } from '@playwright/test';
import { expect, RUNS_ALL, type SparseScope } from './fixtures.ts';
import { unfit } from './unfit.ts';

/** A small laptop, a phone, the narrowest page that zooming makes, and a desk. */
export const SIZES = [
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
  { width: 1440, height: 900 },
] as const;
type Size = (typeof SIZES)[number];

/** In turn: the phone and the desk have the layouts of the narrowest page and the laptop. */
const sizesOf = (position: number) => SIZES.filter((_, i) => RUNS_ALL || i % 2 === position % 2);

/** At some sizes: the page is not opened anew, only its window changes. */
export async function expectFits(
  page: Page,
  what: string,
  within?: string,
  sizes: readonly Size[] = SIZES,
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expect.poll(() => unfit(page, within), `${what} at ${size.width} px`).toEqual([]);
  }
}

/** The name of a page, its address, and what is there once the page has said what it has to say. */
type Opened = readonly [name: string, hash: string, there: string];

/** Opens pages and expects that on each nothing is cut and nothing lies over other words, also with its drawer open. */
export async function expectPagesFit(app: SparseScope, pages: readonly Opened[]): Promise<void> {
  const { page } = app;
  for (const [i, [name, hash, there]] of pages.entries()) {
    await page.setViewportSize(SIZES[0]);
    await (hash.startsWith('#2/embed') ? page.goto(`./${hash}`) : app.go(hash));
    await expect(page.locator(there).first()).toBeVisible();
    await expectFits(page, name, undefined, sizesOf(i));
    const drawer = page.getByRole('main').getByRole('button', { name: 'details', exact: true });
    if ((await drawer.count()) === 0) continue;
    await drawer.press('Enter');
    await expect(drawer).toHaveAttribute('aria-expanded', 'true');
    // Below a long column it is where the column ends. Where not all tests run, at the width that the page has.
    for (const size of RUNS_ALL ? sizesOf(i) : sizesOf(i).slice(-1)) {
      await page.setViewportSize(size);
      // A page of another width is laid out anew, and the drawer with it.
      await expect(() => drawer.scrollIntoViewIfNeeded()).toPass();
      await expect.poll(() => unfit(page), `${name} at ${size.width} px with its drawer open`).toEqual([]);
    }
  }
}
