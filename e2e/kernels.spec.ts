// The page Code in a browser: kernels by address, file and search, the inner loop, and the whole text of a kernel.

import type { Page } from '@playwright/test';
import { expect, scheduled, test } from './fixtures.ts';
import { axeViolationsInTestAll } from './axe-violations-in-test-all.ts';

/** Opens a details section of the page. */
async function openSection(page: Page, name: string): Promise<void> {
  const drawer = page.getByRole('main').getByRole('button', { name: 'details', exact: true });
  const section = page.getByRole('button', { name, exact: true });
  // The sections appear once the text of the kernel is loaded.
  await expect(drawer.or(section).first()).toBeVisible();
  if ((await drawer.count()) > 0) await drawer.click();
  await section.click();
}

const SOURCE = 'src=generated:uniform&shape=96x64&density=0.3&seed=1';

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(
    `a kernel is found by its address, its files and a search at ${size.width} px`,
    scheduled(
      'three kernels are read at each of two widths',
      'src/pages/code/kernel-list.test.ts and src/pages/code/service/kernel-reading.test.ts',
    ),
    async ({ page }) => {
      await page.setViewportSize(size);
      await page.goto(`./#2/code/csr/spmv_scalar?${SOURCE}&b=none&csr.indexBits=32`);
      const heading = page.getByRole('heading', { level: 2, name: /^CSR’s kernel for y = A x/ });
      await expect(heading).toContainText('needs WebGPU alone.');
      const code = page.getByRole('group', { name: 'csr/spmv_scalar.wgsl' });
      await expect(code).toContainText('@compute');
      await openSection(page, 'buffers');
      await expect(page.getByRole('region', { name: 'buffers' })).toContainText('array indptr of the format');

      await page
        .getByRole('navigation', { name: /^Files/ })
        .getByRole('combobox')
        .selectOption('common/values#f16');
      await expect(page.getByRole('group', { name: 'common/values.wgsl#f16' })).toBeVisible();
      await expect(page).toHaveURL(/file=common%2Fvalues\.wgsl%23f16/);

      await page.getByRole('searchbox', { name: 'Find a kernel or a line' }).fill('fn scan_pair');
      await page
        .getByRole('region', { name: 'Lines found' })
        .getByRole('button', { name: /row_by_subgroup/ })
        .click();
      await expect(page.getByRole('heading', { level: 2, name: /^MACKO/ })).toBeVisible();
      await expect(page.locator('[aria-current="true"]', { hasText: 'fn scan_pair' })).toBeInViewport();
      expect(await axeViolationsInTestAll(page)).toEqual([]);
    },
  );
}

test(
  'Code opens at the inner loop of A’s kernel, and can show the whole text that is compiled',
  scheduled(
    'a second way to a kernel',
    'src/pages/code/inner-loop.test.ts, is found in the first kernel of every format',
  ),
  async ({ page }) => {
    await page.goto(`./#2/code?${SOURCE}&a=macko`);
    const files = page.getByRole('navigation', { name: /^Files/ });
    await expect(files.locator('[aria-current]')).toHaveText(/inner loop.*row_by_subgroup/);
    const loop = page.locator('.kernel-loop');
    await expect(loop.first()).toBeInViewport();
    await expect(loop.first()).toContainText('for (');
    await openSection(page, 'as the GPU gets it');
    await page.getByRole('button', { name: 'Show the whole text' }).click();
    await expect(page).toHaveURL(/file=all/);
    const wholeText = page.getByRole('group', { name: 'The whole text' });
    await expect(wholeText).toContainText('// ---- macko/row_by_subgroup.wgsl');
    await expect(wholeText).toContainText('fn main(');
    await expect(loop.first()).toBeInViewport();
    await expect(page.getByRole('alert')).toHaveCount(0);
  },
);

test(
  'the line of code of a step links to its kernel, and an unknown kernel in an address opens an existing one',
  scheduled(
    'a second way to a kernel',
    'src/pages/code/kernel-list.test.ts, names what a link requests in vain, and src/pages/code/service/kernel-reading.test.ts for stories',
  ),
  async ({ app, page }) => {
    await app.open();
    await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Multiply', exact: true }).click();
    await app.oneStep();
    await app.link('Read the whole kernel').click();
    await expect(page).toHaveURL(/#2\/code\?.*file=.*wgsl&line=\d+/);
    const line = page.locator('.kernel-code [aria-current="true"]');
    await expect(line).toBeInViewport();
    await line.getByRole('button', { name: /^in the story of/ }).click();
    await expect(app.link('Read the whole kernel')).toBeVisible();

    await page.goto(`./#2/code/csr/nothing?${SOURCE}&a=csr&a.indexBits=32&b=none`);
    await expect(page.getByRole('heading', { level: 2, name: /^CSR/ })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('found no kernel or exercise ‘csr/nothing’');

    await page.goto(
      `./#2/code/csr/spmv_scalar?${SOURCE}&b=none&csr.indexBits=32&file=common%2Fvalues_f16.wgsl&line=12`,
    );
    await expect(page.getByRole('alert')).toContainText('found no file ‘common/values_f16.wgsl’');
    await expect(page.getByRole('group', { name: 'csr/spmv_scalar.wgsl' })).toContainText('fn main(');
  },
);

test(
  'the button of the current pass has another background than the others',
  scheduled(
    'the style of one button',
    'e2e/axe.spec.ts, on other pages, as far as its colours have too little contrast',
  ),
  async ({ page }) => {
    await page.goto(`./#2/code/macko/convert?${SOURCE}&b=none`);
    const passes = page.getByRole('group', { name: 'Passes' });
    const background = (pressed: boolean): Promise<string> =>
      passes
        .getByRole('button', { pressed })
        .first()
        .evaluate((button) => getComputedStyle(button).backgroundColor);
    await expect(passes.getByRole('button', { pressed: true })).toHaveCount(1);
    await expect.poll(async () => (await background(true)) === (await background(false))).toBe(false);
  },
);
