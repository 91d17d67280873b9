import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const widthOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.width ?? 0;

test('the outer columns are dragged within their limits, and a double click restores their share', async ({
  app,
  page,
}) => {
  await app.open();
  const line = page.getByRole('separator', { name: 'Width of the matrix panel' });
  const before = await widthOf(app.matrix);
  const drag = async (px: number): Promise<void> => {
    const box = await line.boundingBox();
    if (!box) throw new Error('the line has no box');
    await page.mouse.move(box.x, 400);
    await page.mouse.down();
    await page.mouse.move(box.x + px, 400, { steps: 4 });
    await page.mouse.up();
  };
  await drag(60);
  expect(Math.abs((await widthOf(app.matrix)) - before - 60)).toBeLessThan(2);
  await drag(900);
  expect(await widthOf(app.matrix)).toBe(560);
  const at = await line.boundingBox();
  await page.mouse.dblclick(at?.x ?? 0, 200);
  expect(await widthOf(app.matrix)).toBe(before);
  await drag(-before);
  await expect(app.matrix).toBeHidden();
  await app.button('Show the matrix').click();
  await expect(app.matrix).toBeVisible();
});

test('the separator of a column responds to arrow keys, and the story does not move', async ({ app, page }) => {
  await app.open();
  const line = page.getByRole('separator', { name: 'Width of the inspector' });
  const before = await widthOf(app.stage);
  await line.focus();
  await page.keyboard.press('ArrowLeft');
  expect(Math.round((await widthOf(app.stage)) - before)).toBe(16);
  await page.keyboard.press('ArrowRight');
  expect(Math.round(await widthOf(app.stage))).toBe(Math.round(before));
  await page.keyboard.press('Home');
  expect(await widthOf(app.stage)).toBe(260);
  await expect(line).toHaveAttribute('aria-valuenow', '260');
  await page.keyboard.press('Enter');
  expect(await widthOf(app.stage)).toBe(before);
  await app.expectStep(0);
});
