import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ folds: '', reducedMotion: 'reduce' });

const MATRIX = '#2/watch?src=example:digits-fc2-70&a=macko&b=csr&win=67,0,5,32';

/** The picture whose cells are set and cleared, and what it counts. */
const picture = (page: Page): Locator => page.getByRole('application', { name: 'Cells of the picture' });
const edited = (page: Page): Locator => page.getByText('edited, 5 × 32');

/** A point over an empty cell of the picture, looked for with the tooltip of a mouse. */
async function emptyCell(page: Page): Promise<{ x: number; y: number }> {
  const box = (await picture(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const tooltip = page.locator('.tooltip');
  for (let y = box.y + 40; y < box.y + 200; y += 8) {
    for (let x = box.x + 100; x < box.x + 300; x += 16) {
      await page.mouse.move(x, y);
      if (/^row \d+, column \d+: 0$/.test((await tooltip.textContent()) ?? '')) return { x, y };
    }
  }
  throw new Error('found no empty cell in the picture');
}

test('a click and Enter set and clear cells of the cut alone, the counter follows, and all of it is undone', async ({
  app,
  page,
}) => {
  await page.clock.install();
  await app.open(MATRIX, { byFrames: true });
  await app.fontsLoaded();
  const shown = picture(page).getByRole('img');
  const { x, y } = await emptyCell(page);
  await page.mouse.click(x, y);
  await expect(edited(page)).toBeVisible();
  const hash = await app.addressWith('own=67,0,5,32:');
  await expect(page.getByRole('region', { name: 'Subject' })).toContainText('512 × 512');
  // The focus stays where it was: the keys of the player work on.
  await page.keyboard.press('ArrowRight');
  await expect(app.count).toHaveText(/^frame 2 /);
  await page.keyboard.press('ArrowLeft');

  await app.button('edit cells').click();
  const status = app.stage.locator('.watch-cell');
  await expect(status).toHaveText(/^row 0, column 0: /);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(status).toHaveText('row 1, column 31: 0.07');
  // Changes in quick succession are one entry of the history.
  await page.clock.runFor(400);
  await page.keyboard.press('Enter');
  await expect(status).toHaveText('row 1, column 31: empty');
  await page.goBack();
  await expect(status).toHaveText('row 1, column 31: 0.07');
  await expect(edited(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(status).toBeEmpty();
  await page.goBack();
  await expect(edited(page)).toBeHidden();

  // A link has the cells; Escape and the button bring back those of the matrix.
  for (const undo of [() => page.keyboard.press('Escape'), () => app.button('Undo all').click()]) {
    await app.open(hash, { byFrames: true });
    await expect(edited(page)).toBeVisible();
    await undo();
    await expect(edited(page)).toBeHidden();
    await app.addressWith('win=67,0,5,32');
  }
  await expect(shown).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a finger that rests on a cell sets it, one that swipes goes on, and one that taps does nothing', async ({
    app,
    page,
  }) => {
    await app.open(MATRIX, { byFrames: true });
    await app.fontsLoaded();
    const box = (await picture(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    // In the first row of cells.
    const at = { x: box.x + 0.3 * box.width, y: box.y + 68 };
    const cdp = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dx = 0): Promise<unknown> =>
      cdp.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: at.x + dx, y: at.y }],
      });
    await touch('touchStart');
    await touch('touchEnd');
    await expect(edited(page)).toBeHidden();
    const sentence = app.stage.locator('.narration');
    const first = (await sentence.textContent()) ?? '';
    await touch('touchStart');
    await touch('touchMove', -30);
    await touch('touchMove', -90);
    await touch('touchEnd');
    await expect(sentence).not.toHaveText(first);
    await expect(edited(page)).toBeHidden();
    await app.button('Previous frame').click();
    await expect(sentence).toHaveText(first);
    await touch('touchStart');
    await expect(edited(page)).toBeVisible();
    await touch('touchEnd');
    await app.addressWith('own=67,0,5,32:');
    await app.button('Undo all').click();
    await expect(edited(page)).toBeHidden();
    await expect(sentence).toHaveText(first);
  });
});
