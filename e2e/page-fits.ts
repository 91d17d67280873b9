// Checks that pages fit their window at several sizes.

import type { Page } from '@playwright/test';
import { expect, RUNS_ALL, type SparseScope } from './fixtures.ts';
import { unfit } from './unfit.ts';

/** A small laptop, a phone, the narrowest page that zooming makes (400 % of 1280 px), and a desktop. */
export const SIZES = [
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
  { width: 1440, height: 900 },
] as const;
type Size = (typeof SIZES)[number];

/**
 * The sizes to test for the page with this position in a list. Where not all tests run, pages take turns: the laptop and the
 * narrowest page, or the phone and the desktop, which have the same layouts.
 */
const sizesOf = (position: number) => SIZES.filter((_, i) => RUNS_ALL || i % 2 === position % 2);

/** Expects that `page` fits its window at each size: nothing is cut or covered. `what` names the page; it is not reloaded. */
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

/** The name of a page, its address, and a selector of an element that exists once its contents are loaded. */
type PageToOpen = readonly [name: string, hash: string, loaded: string];

/** Opens pages and expects that on each nothing is cut and nothing covers text, also with its details section open. */
export async function expectPagesFit(app: SparseScope, pages: readonly PageToOpen[]): Promise<void> {
  const { page } = app;
  for (const [i, [name, hash, loaded]] of pages.entries()) {
    await page.setViewportSize(SIZES[0]);
    await (hash.startsWith('#2/embed') ? page.goto(`./${hash}`) : app.go(hash));
    await expect(page.locator(loaded).first()).toBeVisible();
    await expectFits(page, name, undefined, sizesOf(i));
    const details = page.getByRole('main').getByRole('button', { name: 'details', exact: true });
    if ((await details.count()) === 0) continue;
    await details.press('Enter');
    await expect(details).toHaveAttribute('aria-expanded', 'true');
    // The section is at the end of a long column, so it is scrolled to. Where not all tests run, one size is enough: the
    // last, at which the page is already.
    for (const size of RUNS_ALL ? sizesOf(i) : sizesOf(i).slice(-1)) {
      await page.setViewportSize(size);
      // A page of another width is laid out again, and the section with it.
      await expect(() => details.scrollIntoViewIfNeeded()).toPass();
      await expect.poll(() => unfit(page), `${name} at ${size.width} px with its details open`).toEqual([]);
    }
  }
}
