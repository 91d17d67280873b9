import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const widthOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.width ?? 0;

test.beforeEach(async ({ page }) => {
  await page.goto('./#2/code');
  await expect(page.getByRole('complementary', { name: 'All kernels' })).toBeVisible();
});

test('the outer columns are dragged within their limits, and a double click restores their share', async ({ page }) => {
  const list = page.getByRole('complementary', { name: 'All kernels' });
  const line = page.getByRole('separator', { name: 'Width of the list' });
  const [least, most] = [await line.getAttribute('aria-valuemin'), await line.getAttribute('aria-valuemax')].map(
    Number,
  );
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
  expect(Math.abs((await widthOf(list)) - before - 30)).toBeLessThan(2);
  await drag(900);
  expect(await widthOf(list)).toBe(most);
  const at = await line.boundingBox();
  await page.mouse.dblclick(at?.x ?? 0, 200);
  expect(await widthOf(list)).toBe(before);
  expect(before).toBeGreaterThanOrEqual(least);
});

test('the separator of a column responds to arrow keys', async ({ page }) => {
  const facts = page.getByRole('complementary', { name: 'About this kernel' });
  const line = page.getByRole('separator', { name: 'Width of the facts' });
  const before = await widthOf(facts);
  await line.focus();
  await page.keyboard.press('ArrowLeft');
  expect(Math.round((await widthOf(facts)) - before)).toBe(16);
  await page.keyboard.press('ArrowRight');
  expect(Math.round(await widthOf(facts))).toBe(Math.round(before));
  await page.keyboard.press('Home');
  expect(String(await widthOf(facts))).toBe(await line.getAttribute('aria-valuemin'));
  await page.keyboard.press('Enter');
  expect(await widthOf(facts)).toBe(before);
});
