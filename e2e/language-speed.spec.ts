import { expect, test } from './fixtures.ts';

test.use({ hasRecordings: true });

test('speed says what a token of this model costs, and what one of a large model does', async ({ page }) => {
  await page.goto('./#2/language/speed');
  await expect(
    page.getByRole('heading', { name: /A token of this model is .+ of bytes and .+ of launches/ }),
  ).toBeVisible();
  await expect(page.getByRole('img', { name: /^dense: \d+ dispatches/ })).toBeVisible();
  const shapes = page.getByRole('region', { name: 'Llama-2-7B, shape by shape' });
  await expect(shapes.getByRole('row', { name: /^down/ })).toContainText('µs');
  await expect(shapes.getByRole('row', { name: /^attention/ })).toContainText('not measured');
  // Between measured densities nothing is made up.
  const left = page.getByRole('slider', { name: 'Left of the large model' });
  await left.fill('0.3');
  await expect(shapes.getByRole('row', { name: /^down/ })).toContainText('not measured');
  await expect(page).toHaveURL(/x\.left=0\.7/);
  await page.getByRole('button', { name: 'Time a token here' }).click();
  await expect(page.getByRole('list', { name: 'Timed here' })).toContainText('tokens per second', { timeout: 60_000 });
});
