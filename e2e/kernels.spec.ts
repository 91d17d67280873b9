import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures.ts';

const SOURCE = 'src=generated:uniform&shape=96x64&density=0.3&seed=1';

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`a kernel is read whole at ${size.width} px: by its address, its files and a search`, async ({ page }) => {
    await page.setViewportSize(size);
    await page.goto(`./#1/kernels/csr/spmv_scalar?${SOURCE}`);
    const heading = page.getByRole('heading', { level: 2, name: /^CSR, y = A x/ });
    await expect(heading).toContainText('It needs no feature beyond WebGPU itself.');
    const code = page.getByRole('group', { name: 'csr/spmv_scalar.wgsl' });
    await expect(code).toContainText('@compute');
    await expect(page.getByRole('region', { name: 'Buffers' })).toContainText('array indptr of the format');

    await page
      .getByRole('navigation', { name: /^Files/ })
      .getByRole('button', { name: /values_f16/ })
      .click();
    await expect(page.getByRole('group', { name: 'common/values_f16.wgsl' })).toBeVisible();
    await expect(page).toHaveURL(/file=common%2Fvalues_f16\.wgsl/);

    await page.getByRole('searchbox', { name: 'Find a kernel or a line' }).fill('fn scan_pair');
    await page
      .getByRole('region', { name: 'Lines found' })
      .getByRole('button', { name: /pair_scan/ })
      .click();
    await expect(page.getByRole('heading', { level: 2, name: /^MACKO/ })).toBeVisible();
    await expect(page.locator('[aria-current="true"]', { hasText: 'fn scan_pair' })).toBeInViewport();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`)).toEqual([]);
  });
}

test('the line that runs in a step leads to its kernel, and an unknown kernel to one that there is', async ({
  app,
  page,
}) => {
  await app.open();
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Multiply', exact: true }).click();
  await app.button('Next step').click();
  await app.button('Read the whole kernel').click();
  await expect(page).toHaveURL(/#1\/kernels\?.*file=.*wgsl&line=\d+/);
  await expect(page.locator('.kernel-code [aria-current="true"]')).toBeInViewport();

  await page.goto(`./#1/kernels/csr/nothing?${SOURCE}&fmt=csr`);
  await expect(page.getByRole('heading', { level: 2, name: /^CSR/ })).toBeVisible();
});
