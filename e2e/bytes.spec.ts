// Watch: every byte of a format, linked with the numbers and cells that it stores.

import { expect, test } from './fixtures.ts';

test('a byte shows its number and its cell, by pointer and by keys, and a cell highlights its bytes', async ({
  app,
  page,
}) => {
  await app.go('#2/watch?src=example:digits-fc2-70&a=macko&b=dense&win=464,261,4,32');
  const bytes = page.getByRole('region', { name: 'MACKO: every byte' });
  await app.ready();
  await expect(bytes).toHaveCount(0);
  await page.keyboard.press('b');
  const values = bytes.getByRole('listbox', { name: /^values, / });
  // Details that load now may still move the bytes away from below the pointer.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await values.getByRole('option').nth(2).hover();
    await expect(bytes).toContainText('values, byte 2 of 96', { timeout: 1000 });
    await expect(bytes).toContainText(/values\[1\] = 0\.09, row 464, column 263/, { timeout: 1000 });
  }).toPass();
  await page.mouse.move(0, 0);
  await values.focus();
  await values.press('Home');
  await values.press('ArrowRight');
  await expect(values.getByRole('option', { selected: true })).toHaveAccessibleName(
    'byte 1: values[0] = 0.13, row 464, column 262',
  );
  // Two bytes of the f16 value, one of its delta, and 4 each of the start and the end of its row.
  await expect(bytes.locator('[data-lit]')).toHaveCount(2 + 1 + 2 * 4);
  await values.press('ArrowDown');
  await expect(bytes.getByRole('listbox', { name: /^deltas, / })).toBeFocused();
  await page.getByRole('application').focus();
  await expect(bytes).toContainText(/row 464, column \d+: .*(values|in no byte)/);
  await page.getByRole('switch', { name: 'every byte' }).click();
  await expect(bytes).toHaveCount(0);
});
