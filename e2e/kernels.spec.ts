import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
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
  const line = page.locator('.kernel-code [aria-current="true"]');
  await expect(line).toBeInViewport();
  await line.getByRole('button', { name: /^in the story of/ }).click();
  await expect(app.button('Read the whole kernel')).toBeVisible();

  await page.goto(`./#1/kernels/csr/nothing?${SOURCE}&fmt=csr`);
  await expect(page.getByRole('heading', { level: 2, name: /^CSR/ })).toBeVisible();
});

/** What the browser keeps of drafts, as text. */
function keptDrafts(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('sparsescope-drafts');
        opening.addEventListener('success', () => {
          const all = opening.result.transaction('drafts').objectStore('drafts').getAll();
          all.addEventListener('success', () => {
            opening.result.close();
            resolve(JSON.stringify(all.result));
          });
        });
      }),
  );
}

test('a draft is edited, outlives a reload, and travels in a link that runs nothing', async ({ page, browser }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`./#1/kernels/csr/spmv_scalar?${SOURCE}`);
  await page.getByRole('button', { name: 'Edit a copy' }).click();
  const editor = page.getByRole('textbox', { name: /^csr\/spmv_scalar\.wgsl/ });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+Home');
  // Both are keys of the page, and here they are letters.
  await page.keyboard.type('// mine ? ');
  await expect(editor).toContainText('// mine ? // csr/spmv_scalar');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(editor).not.toBeFocused();
  await page.getByRole('textbox', { name: 'WORKGROUP_SIZE' }).fill('128');
  await expect(page.getByRole('textbox', { name: 'WORKGROUP_SIZE, yours' })).toHaveValue('128');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(editor).toContainText('// csr/spmv_scalar: y = A x');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`)).toEqual([]);

  await expect.poll(() => keptDrafts(page)).toContain('128');
  await page.reload();
  await expect(editor).toContainText('// mine ? // csr/spmv_scalar');
  await page.getByRole('button', { name: 'Copy link to the draft' }).click();
  await expect(page.getByText(/^Link copied. It carries the draft/)).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const other = await browser.newPage();
  await other.goto(link);
  await expect(other.getByRole('heading', { level: 2, name: /^Somebody’s code/ })).toBeVisible();
  await expect(other.getByRole('textbox', { name: /^csr\/spmv_scalar\.wgsl/ })).toContainText('// mine ? // csr');
  await expect(other.getByRole('textbox', { name: 'WORKGROUP_SIZE, yours' })).toHaveValue('128');
  await expect(other.getByRole('button', { name: 'Run somebody’s code' })).toBeVisible();
  await expect(other.getByRole('checkbox', { name: 'run on every change' })).toBeDisabled();
  await expect(other.getByRole('heading', { name: /^Last run/ })).toHaveCount(0);
  await other.close();
});
