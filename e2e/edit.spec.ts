import { expect, scheduled, test } from './fixtures.ts';

test.use({ folds: '', reducedMotion: 'reduce' });

const MATRIX = '#2/watch?src=example:digits-fc2-70&a=macko&b=csr&win=67,0,5,32';

test('cells are set and cleared by keyboard, the story follows, and back undoes', async ({ app, page }) => {
  await page.clock.install();
  await app.open(MATRIX);
  await page.keyboard.press('End');
  const answer = app.stage.getByRole('heading', { level: 2 }).first();
  await expect(answer).toContainText('199');
  await app.button('edit').click();
  const cells = page.getByRole('grid', { name: 'Cells of the window' });
  const cell = (row: number, col: number) => cells.getByRole('gridcell', { name: `row ${row}, column ${col}: ` });
  await expect(cell(0, 0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(cell(1, 31)).toBeFocused();
  const before = await cell(1, 31).getAttribute('aria-label');
  await page.keyboard.press('Enter');
  await expect(cell(1, 31)).not.toHaveAttribute('aria-label', before ?? '');
  // The page's own keys wait: nothing moved but the cursor.
  await expect(cell(1, 31)).toBeFocused();
  await app.addressWith('own=67,0,5,32:');
  await expect(page.getByRole('region', { name: 'Subject' })).toContainText('edited 5 × 32');
  await expect(answer).toContainText(/in 1\d\d bytes/);

  // Changes in quick succession are one entry of the history.
  await page.clock.runFor(400);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.type('0.25');
  await expect(page.getByRole('textbox', { name: 'row 0, column 31' })).toHaveValue('0.25');
  await page.keyboard.press('Enter');
  await expect(cell(0, 31)).toHaveAccessibleName('row 0, column 31: 0.25');
  await expect(cell(0, 31)).toBeFocused();
  await page.keyboard.type('1e99');
  await expect(page.getByRole('alert')).toHaveText('Row 0, column 31: found “1e99”, expected a number that f32 holds.');
  await page.keyboard.press('Escape');
  await expect(cell(0, 31)).toBeFocused();

  const hash = await app.addressWith('31:0.25');
  await page.goBack();
  await expect(cell(0, 31)).not.toHaveAccessibleName('row 0, column 31: 0.25');
  await page.goBack();
  await expect(page.getByRole('region', { name: 'Subject' })).not.toContainText('edited');
  await expect(answer).toContainText('199');

  // A link has the cells, whatever it was a window of.
  await app.open(hash);
  await app.stage.getByRole('button', { name: 'edit' }).click();
  await expect(cell(0, 31)).toHaveAccessibleName('row 0, column 31: 0.25');
  await page.getByRole('button', { name: 'Back to Digits' }).click();
  await expect(page.getByRole('region', { name: 'Subject' })).not.toContainText('edited');
  await app.addressWith('win=67,0,5,32');
});

test(
  'a double click on a cell of the picture begins there, and another clears it',
  scheduled(
    'the second way into what the first test edits',
    'src/state/session/editing.test.ts and e2e/edit.spec.ts, cells are set and cleared by keyboard',
  ),
  async ({ app, page }) => {
    await app.open(MATRIX);
    await app.fontsLoaded();
    const canvas = app.stage.getByRole('img').first();
    const box = (await canvas.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    // The first row of cells, looked for where its weights are.
    const cells = page.getByRole('grid', { name: 'Cells of the window' });
    const tooltip = app.stage.locator('.tooltip');
    const isOverCell = async (): Promise<boolean> => /^row \d+, column/.test((await tooltip.textContent()) ?? '');
    for (let x = 100; x < box.width && !(await isOverCell()); x += 10) await page.mouse.move(box.x + x, box.y + 60);
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    const chosen = cells.getByRole('gridcell', { selected: true });
    await expect(chosen).not.toHaveAccessibleName(/zero$/);
    await chosen.dblclick();
    await expect(chosen).toHaveAccessibleName(/zero$/);
    await app.addressWith('own=');
    await page.keyboard.press('Escape');
    await expect(cells).toBeHidden();
    await expect(app.button('edit')).toBeFocused();
  },
);
