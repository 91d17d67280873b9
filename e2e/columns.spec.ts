// The columns of a kernel’s page can be resized by mouse and by keys.

import type { Locator } from '@playwright/test';
import { expect, scheduled, test } from './fixtures.ts';

const widthOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.width ?? 0;

test.beforeEach(async ({ page }) => {
  await page.goto('./#2/code');
  await expect(page.getByRole('complementary', { name: 'All kernels' })).toBeVisible();
});

test(
  'the outer columns can be dragged within their limits, and a double click restores their width',
  scheduled(
    'only one page has such columns',
    'e2e/fits.spec.ts, where the page of a kernel has room for them; how they are dragged, by nothing',
  ),
  async ({ page }) => {
    const list = page.getByRole('complementary', { name: 'All kernels' });
    const line = page.getByRole('separator', { name: 'Width of the list' });
    const [min, max] = [await line.getAttribute('aria-valuemin'), await line.getAttribute('aria-valuemax')].map(Number);
    await expect(list).toBeVisible();
    const before = await widthOf(list);
    const drag = async (px: number): Promise<void> => {
      const box = await line.boundingBox();
      if (!box) throw new Error('the line has no box');
      await page.mouse.move(box.x, 400);
      await page.mouse.down();
      await page.mouse.move(box.x + px, 400, { steps: 4 });
      await page.mouse.up();
    };
    await drag(30);
    await expect.poll(async () => Math.abs((await widthOf(list)) - before - 30)).toBeLessThan(2);
    await drag(900);
    await expect.poll(() => widthOf(list)).toBe(max);
    const moved = await line.boundingBox();
    await page.mouse.dblclick(moved?.x ?? 0, 200);
    await expect.poll(() => widthOf(list)).toBe(before);
    expect(before).toBeGreaterThanOrEqual(min);
  },
);

test(
  'the separator of a column responds to arrow keys',
  scheduled(
    'the second way to move what the first test drags',
    'e2e/fits.spec.ts, where the page of a kernel has room for its columns; how they are moved, by nothing',
  ),
  async ({ page }) => {
    const list = page.getByRole('complementary', { name: 'All kernels' });
    const line = page.getByRole('separator', { name: 'Width of the list' });
    const before = await widthOf(list);
    await line.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => Math.round((await widthOf(list)) - before)).toBe(16);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => Math.round(await widthOf(list))).toBe(Math.round(before));
    await page.keyboard.press('Home');
    const min = Number(await line.getAttribute('aria-valuemin'));
    await expect.poll(() => widthOf(list)).toBe(min);
    await page.keyboard.press('Enter');
    await expect.poll(() => widthOf(list)).toBe(before);
  },
);
