// Matrices of the user: typed cells, small and large files, the link that contains their cells, and a damaged link.

import type { Page } from '@playwright/test';
import { bandedMtx, mtx } from './files.ts';
import { cellsIn, expect, openInFreshBrowser, scheduled, type SparseScope, test } from './fixtures.ts';

test.use({ details: '', reducedMotion: 'reduce' });

const typedCell = (page: Page, row: number, column: number) =>
  page.getByRole('textbox', { name: `row ${row}, column ${column}` });

/** Opens the form in which a matrix is typed. */
async function openForm(app: SparseScope, page: Page): Promise<void> {
  const dialog = await app.openMatrixPicker();
  await dialog.getByRole('button', { name: 'Type a matrix…' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
}

/** Opens the same form on a phone. */
async function openFormOnPhone(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Change the selection/ }).click();
  const list = page.getByRole('dialog');
  await list.getByRole('button', { name: /^weights/ }).click();
  await list.getByRole('button', { name: 'Type a matrix…' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
}

test('a matrix is typed, its link is copied, and a fresh browser shows the same cells', async ({
  app,
  page,
  browser,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.open();
  await openForm(app, page);
  await test.step('cells, by keyboard', async () => {
    await expect(page.getByRole('grid', { name: 'Cells, 4 × 8' })).toBeVisible();
    await expect(typedCell(page, 0, 0)).toBeFocused();
    await page.keyboard.type('0.1');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('-2');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('5');
    await page.keyboard.press('Delete');
    await expect(typedCell(page, 1, 1)).toHaveValue('');
    await page.keyboard.press('ControlOrMeta+z');
    await expect(typedCell(page, 1, 1)).toHaveValue('5');
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await expect(typedCell(page, 1, 1)).toHaveValue('');
    for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'Remove the last column' }).click();
    await expect(page.getByRole('grid', { name: 'Cells, 4 × 4' })).toBeVisible();
  });
  await test.step('a bad text is one sentence, with row and column', async () => {
    const text = page.getByRole('textbox', { name: /The same as text/ });
    await expect(text).toHaveValue('0.1 0 0 0; -2 0 0 0; 0 0 0 0; 0 0 0 0');
    await text.fill('0.1 0 x 0; -2 0 0 0');
    await expect(page.getByText("Row 0, column 2: found 'x', expected a number in the range of f32.")).toBeVisible();
    await expect(page.getByRole('button', { name: /^Open these/ })).toBeDisabled();
    await text.fill('0.1 0 3 0; -2 0 0 0; 0 7 0 0; 0 0 0 1e-5');
    await page.getByRole('button', { name: 'Open these 16 cells' }).click();
  });
  await expect(app.selection).toContainText('4 × 4');
  await expect.poll(() => cellsIn(page)).toBe('cells:0:0.1;2:3,0:-2,1:7,3:0.00001');
  await test.step('a cell of the picture takes a number, which is undone and redone', async () => {
    const picture = page.getByRole('application');
    await picture.focus();
    const status = app.stage.locator('.watch-cell');
    await expect(status).toContainText(/^row 0, column 0: /);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('2.25');
    await expect(status).toHaveText('row 0, column 1: 2.25, Enter sets it');
    await page.keyboard.press('Enter');
    await expect.poll(() => cellsIn(page)).toBe('cells:0:0.1;1:2.25;2:3,0:-2,1:7,3:0.00001');
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => cellsIn(page)).toBe('cells:0:0.1;2:3,0:-2,1:7,3:0.00001');
    await expect(status).toContainText('column 1: empty');
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await expect.poll(() => cellsIn(page)).toBe('cells:0:0.1;1:2.25;2:3,0:-2,1:7,3:0.00001');
    await expect(status).toContainText('2.25');
    await page.goBack();
    await expect.poll(() => cellsIn(page)).toBe('cells:0:0.1;2:3,0:-2,1:7,3:0.00001');
  });
  await app.button('Share').click();
  await expect(page.getByText('Link copied, with all 16 cells.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const fresh = await openInFreshBrowser(browser, link);
  await expect(fresh.page.getByRole('region', { name: 'Selection' })).toContainText('4 × 4');
  expect(await cellsIn(fresh.page)).toBe('cells:0:0.1;2:3,0:-2,1:7,3:0.00001');
  await expect(fresh.page.getByRole('alert')).toHaveCount(0);
  await fresh.close();
});

test(
  'a link contains the cells of a small file; for a large file, a message before copying and after opening says that it does not',
  scheduled(
    'two browsers and two files are opened',
    'src/engine/services.test.ts, src/state/url.test.ts and the first test of e2e/own-matrix.spec.ts',
  ),
  async ({ app, page, browser, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await app.open();
    await app.openFile(
      mtx('small.mtx', 2, 3, [
        [0, 1, 0.5],
        [1, 2, -4],
      ]),
    );
    await app.addressWith('src=cells:1:0.5,2:-4&shape=2x3&name=small.mtx');
    await page.reload();
    await expect(app.selection).toContainText('small.mtx');
    await app.openFile(bandedMtx('big.mtx', 900));
    await app.addressWith('src=file:big.mtx');
    await app.button('Share').click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('This link would not carry big.mtx: give the file along.');
    await dialog.getByRole('button', { name: 'Copy the link' }).click();
    await expect(page.getByText('Link copied.')).toBeVisible();
    const fresh = await openInFreshBrowser(browser, page.url());
    await expect(fresh.page.getByRole('alert')).toContainText(
      'This link was made for a file on another computer (big.mtx). You see an example instead.',
    );
    await fresh.close();
    await test.step('a damaged link leaves what is open', async () => {
      // As if the user entered the address.
      await page.evaluate(() => (location.hash = '#2/watch?src=cells:1:0.5,9:1&shape=2x3'));
      await expect(page.getByRole('alert')).toContainText(
        'Link, row 1: found column 9, expected at most 2; it is not opened.',
      );
      await expect(app.selection).toContainText('900 × 900');
    });
  },
);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test(
    'a matrix is typed and pasted by touch, on the width of the page',
    scheduled(
      'a second layout',
      'the first test of e2e/own-matrix.spec.ts and src/app/matrix-picker/typed-grid.test.ts',
    ),
    async ({ app, page }) => {
      await app.open('#2/watch?src=example:digits-fc2-70&a=macko&b=none');
      await openFormOnPhone(page);
      await typedCell(page, 0, 7).tap();
      await page.keyboard.type('3');
      await expect(typedCell(page, 0, 7)).toHaveValue('3');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      await page.getByRole('button', { name: 'Clear all' }).tap();
      await typedCell(page, 0, 0).evaluate((field) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', '1\t0,5\r\n\t-2\r\n');
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      });
      await page.getByRole('button', { name: 'Open these 4 cells' }).tap();
      await app.addressWith('src=cells:0:1;1:0.5,1:-2&shape=2x2');
    },
  );
});
