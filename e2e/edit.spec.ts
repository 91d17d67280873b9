// Editing cells in Watch's picture by mouse, keyboard and touch.

import type { Locator, Page } from '@playwright/test';
import { expect, scheduled, type SparseScope, test } from './fixtures.ts';

test.use({ details: '', reducedMotion: 'reduce' });

const MATRIX = '#2/watch?src=example:digits-fc2-70&a=macko&b=csr&win=67,0,5,32';

/** The picture, and the label that appears once its cells were edited. */
const picture = (page: Page): Locator => page.getByRole('application');
const editedLabel = (page: Page): Locator => page.getByText('edited, 5 × 32');

/** A point over an empty cell of the picture, found by moving the mouse until the tooltip shows one. */
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

test('a click or Enter sets and clears a cell of the window, and Back, Escape and a button undo it', async ({
  app,
  page,
}) => {
  await page.clock.install();
  await app.open(MATRIX, { byFrames: true });
  await app.fontsLoaded();
  const image = picture(page).getByRole('img');
  const { x, y } = await emptyCell(page);
  await page.mouse.click(x, y);
  await expect(editedLabel(page)).toBeVisible();
  const hash = await app.addressWith('own=67,0,5,32:');
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('512 × 512');
  // The click does not move the focus, so the keys of the player still work.
  await page.keyboard.press('ArrowRight');
  await expect(app.count).toHaveText(/^frame 2 /);
  await page.keyboard.press('ArrowLeft');

  await picture(page).focus();
  const status = app.stage.locator('.watch-cell');
  await expect(status).toHaveText(/^row 67, column 0: /);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(status).toHaveText('row 68, column 31: weight 0.07, press to clear');
  // Changes within 400 ms are one history entry; this one shall be separate.
  await page.clock.runFor(400);
  await page.keyboard.press('Enter');
  await expect(status).toHaveText('row 68, column 31: empty, press to set');
  await page.goBack();
  await expect(status).toHaveText('row 68, column 31: weight 0.07, press to clear');
  await expect(editedLabel(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(status).toBeEmpty();
  await page.goBack();
  await expect(editedLabel(page)).toBeHidden();

  // A link contains the edited cells; Escape and the button restore the cells of the matrix.
  for (const undo of [() => page.keyboard.press('Escape'), () => app.button('Undo all').click()]) {
    await app.go(hash);
    await expect(editedLabel(page)).toBeVisible();
    await undo();
    await expect(editedLabel(page)).toBeHidden();
    await app.addressWith('win=67,0,5,32');
  }
  await expect(image).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test(
    'a number is typed into a cell that was tapped',
    scheduled('one more page load', 'src/pages/watch/stage/touch.test.tsx, a tap offers a field for a number'),
    async ({ app, page }) => {
      await app.open('#2/watch?src=cells:0:1;2:0.5,1:-0.25,0:4,2:2;3:1.5&shape=4x4&a=macko&b=none&frame=3', {
        byFrames: true,
      });
      await app.fontsLoaded();
      const box = await picture(page).boundingBox();
      const tap = (x: number): Promise<void> => page.touchscreen.tap((box?.x ?? 0) + x, (box?.y ?? 0) + 40);
      const field = page.getByRole('textbox', { name: /^row 0, column \d$/ });
      await tap(190);
      await expect(field).toHaveAttribute('inputmode', 'decimal');
      const column = Number((await field.getAttribute('aria-label'))?.slice(-1));
      await field.tap();
      await field.fill('0.75');
      await page.getByRole('button', { name: 'Change the sign' }).tap();
      await page.keyboard.press('Enter');
      await expect(field).not.toBeFocused();
      await app.addressWith(`${column}:-0.75`);
      await expect(field).toHaveValue('-0.75');
      // A tap elsewhere takes the field away.
      await page.locator('.narration').tap();
      await expect(field).toHaveCount(0);
    },
  );

  test(
    'a tap sets a cell, a swipe changes the frame, and a long press drags a weight',
    scheduled(
      'each point is looked for with the tooltip',
      'src/pages/watch/stage/touch.test.tsx, a tap acts like a click and a weight is dragged by touch, and the first test of e2e/edit.spec.ts',
    ),
    async ({ app, page }) => {
      await app.open('#2/watch?src=example:digits-fc2-70&a=macko&b=none&frame=6', { byFrames: true });
      await app.fontsLoaded();
      const headline = app.stage.locator('.narration');
      await expect(headline).toHaveText(/^18 does/);
      const boxOf = async () => (await picture(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const tooltip = page.locator('.tooltip');
      const isOver = async (what: RegExp, x: number, y: number): Promise<boolean> => {
        await page.mouse.move(x, y);
        return what.test((await tooltip.textContent()) ?? '');
      };
      /** A point over a column of the row, found by moving the mouse until the tooltip shows it. */
      const pointOf = async (column: number): Promise<{ x: number; y: number }> => {
        const box = await boxOf();
        for (let y = box.y + 4; y < box.y + 200; y += 8) {
          // Moves are slow, so heights at which there is no column are skipped.
          if (!(await isOver(/column \d+:/, box.x + 60, y))) continue;
          for (let x = box.x + 12; x < box.x + box.width; x += 10) {
            if (await isOver(new RegExp(`column ${column}:`), x, y)) return { x: x + 3, y: y + 3 };
          }
        }
        throw new Error(`found no column ${column}`);
      };
      const [weight, emptySlot] = [await pointOf(285), await pointOf(283)];
      const cdp = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0): Promise<unknown> =>
        cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
      await touch('touchStart', weight.x, weight.y);
      // Longer than a finger must rest before it drags.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 250)));
      await touch('touchMove', emptySlot.x, emptySlot.y);
      await expect(headline).toHaveText(/^16 does not fit/);
      await touch('touchEnd');
      await expect(headline).toHaveText(/^16 does not fit/);
      const box = await boxOf();
      await touch('touchStart', box.x + 300, box.y + 300);
      for (const dx of [30, 90]) await touch('touchMove', box.x + 300 - dx, box.y + 300);
      await touch('touchEnd');
      await expect(headline).not.toHaveText(/^16 does/);
      await app.button('Previous frame').click();
      await expect(headline).toHaveText(/^16 does not fit/);
      // The layout has changed, so the point is looked up again.
      const cell = await pointOf(283);
      await touch('touchStart', cell.x, cell.y);
      await touch('touchEnd');
      await expect(headline).not.toHaveText(/^16 does/);
      await app.addressWith('own=');
    },
  );
});

/** Focuses the picture, and waits for its cursor, which exists once the cells are drawn. */
async function focusCursor(page: Page): Promise<void> {
  await picture(page).focus();
  await expect(page.locator('.watch-cell')).toContainText(/^row \d+, column \d+: /);
}

/** Moves the cursor of the picture along its row to a column. */
async function moveCursorTo(page: Page, column: number): Promise<void> {
  const status = page.locator('.watch-cell');
  await focusCursor(page);
  await page.keyboard.press('Home');
  for (let i = 0; i < 64 && !(await status.textContent())?.includes(`column ${column}:`); i++)
    await page.keyboard.press('ArrowRight');
  await expect(status).toContainText(`column ${column}:`);
}

/** Clears and sets a cell in a frame of a story, and expects the picture to change at once. */
async function clearAndSet(app: SparseScope, page: Page, link: string): Promise<void> {
  await app.go(`#2/watch?${link}`);
  await app.ready();
  await app.fontsLoaded();
  const status = app.stage.locator('.watch-cell');
  await focusCursor(page);
  const count = await app.count.textContent();
  for (let i = 0; i < 40 && !/press to clear/.test((await status.textContent()) ?? ''); i++)
    await page.keyboard.press('ArrowRight');
  await expect(status).toContainText('press to clear');
  const shot = () => picture(page).screenshot();
  const before = await shot();
  await page.keyboard.press('Enter');
  await expect(status).toContainText('press to set');
  expect(before.equals(await shot())).toBe(false);
  // The same frame; the story may have one more or less without the weight.
  await expect(app.count).toContainText((count ?? '').replace(/ of .*/, ' of '));
  await page.keyboard.press('Space');
  await expect(status).toContainText('press to clear');
  await expect(app.button('Undo all')).toBeHidden();
}

test(
  'in frames of each story cells can be cleared and set, and moving a weight changes the stored arrays',
  scheduled(
    'four stories are loaded',
    'src/pages/watch/stage/touch.test.tsx, src/state/session/editing.test.ts, and the first test of e2e/edit.spec.ts',
  ),
  async ({ app, page }) => {
    await clearAndSet(app, page, 'src=example:planted-blocks&a=ec-csr&b=none&frame=2');
    await test.step('moving a weight of MACKO changes its skip until no zero is stored, and moving it back stores one again', async () => {
      const link = 'src=example:digits-fc2-70&a=macko&b=none&frame=6';
      await clearAndSet(app, page, link);
      await app.go(`#2/watch?${link}`);
      await app.ready();
      await moveCursorTo(page, 285);
      const headline = app.stage.locator('.narration');
      await expect(headline).toHaveText(/^18 does not fit/);
      await page.keyboard.press('Shift+ArrowLeft');
      await expect(headline).toHaveText(/^17 does not fit/);
      await page.keyboard.press('Shift+ArrowLeft');
      await expect(headline).toHaveText(/^16 does not fit/);
      await page.keyboard.press('Shift+ArrowLeft');
      await expect(headline).toHaveText(/^No skip/);
      await expect(app.count).toHaveText(/^frame 7 /);
      await page.keyboard.press('Shift+ArrowRight');
      await expect(headline).toHaveText(/^16 does not fit/);
    });
    await test.step('a fourth neuron of a TwELL tile is rejected with a message at its cell, and the story stays', async () => {
      await clearAndSet(app, page, 'src=example:digits-gate-l1-3e-2&a=twell&b=none&frame=3');
      const text = await app.stage.locator('.narration').textContent();
      await moveCursorTo(page, 728);
      await page.keyboard.press('Enter');
      await expect(page.locator('.cell-refusal')).toHaveText(/has 4 non-zeros, more than the 3 that fit/);
      await expect(app.stage.locator('.narration')).toHaveText(text ?? '');
      await expect(app.button('Undo all')).toBeHidden();
      await page.keyboard.press('Escape');
      await app.button('Next frame').click();
      await expect(page.locator('.cell-refusal')).toBeHidden();
    });
    await test.step('a weight of a SlideSparse group can be moved, and a seventh weight is rejected', async () => {
      await clearAndSet(app, page, 'src=example:digits-fc1-6-8&a=slidesparse&b=none&frame=6');
      const shot = () => picture(page).screenshot();
      await app.button('Next frame').click();
      await moveCursorTo(page, 1);
      const before = await shot();
      await page.keyboard.press('Shift+ArrowRight');
      await expect(app.stage.locator('.watch-cell')).toHaveText(/^row 166, column 2: weight/);
      expect(before.equals(await shot())).toBe(false);
      await moveCursorTo(page, 1);
      await page.keyboard.press('Enter');
      await expect(page.locator('.cell-refusal')).toBeVisible();
    });
  },
);
