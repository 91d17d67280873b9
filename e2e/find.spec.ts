// The search “Find anything”, by keyboard.

import type { Page } from '@playwright/test';
import { expect, RUNS_ALL, scheduled, test } from './fixtures.ts';

/** Searches for `query` by keyboard, and opens a result by its kind and name, which must be among the first three. */
async function openResult(page: Page, query: string, name: RegExp): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  const field = page.getByRole('combobox', { name: 'Find anything' });
  await expect(field).toBeFocused();
  await page.keyboard.type(query);
  const option = page.getByRole('listbox', { name: 'Found' }).getByRole('option', { name });
  // Waits for the sections, terms and lessons, which load with the search.
  await expect(option).toBeVisible();
  const position = await option.evaluate((element) => [...(element.parentElement?.children ?? [])].indexOf(element));
  expect(position).toBeLessThan(3);
  for (let i = 0; i < position; i++) await page.keyboard.press('ArrowDown');
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Find anything' })).toHaveCount(0);
}

test(
  'the search “Find anything” opens a term, a section, a page, an action and a format by keyboard',
  scheduled('five pages are loaded', 'src/app/palette/find-anything.test.tsx, and the palette in e2e/access.spec.ts'),
  async ({ app, page }) => {
    await app.open();
    await openResult(page, 'what is a token', /^Term token/);
    await expect(page).toHaveURL(/#2\/learn\/[a-z-]+\?.*p=\d/);
    await expect(page.locator('#content')).toBeFocused();

    await openResult(page, 'density sweep', /^Section settings and sweeps/);
    await expect(page).toHaveURL(/#2\/measure\?.*x\.fold=settings/);
    const sectionButton = page.getByRole('button', { name: 'settings and sweeps' });
    await expect(sectionButton).toHaveAttribute('aria-expanded', 'true');
    await expect(sectionButton).toBeFocused();
    await expect(page.getByRole('region', { name: 'settings and sweeps' })).toBeInViewport();

    // Opens a page, as the format below does.
    if (RUNS_ALL) {
      await openResult(page, 'which format is smallest', /^Place Compare/);
      await expect(page).toHaveURL(/#2\/compare/);
      await expect(page.locator('#content')).toBeFocused();
    }

    await openResult(page, 'hugging face', /^Action Open from the web/);
    await expect(page.getByRole('region', { name: 'Hugging Face, an address' })).toBeVisible();
    await page.keyboard.press('Escape');

    await openResult(page, 'ellpack', /^Format ELL Watch/);
    await expect(page).toHaveURL(/#2\/watch\?.*a=ell/);
    await expect(page.locator('#content')).toBeFocused();
  },
);

test(
  'the search announces the number of results and returns the focus; after choosing a format, keys control the stage',
  scheduled(
    'a second look at the palette',
    'src/app/palette/find-anything.test.tsx, the palette and the focus in e2e/access.spec.ts, and the format that is taken by keys in e2e/tasks.spec.ts',
  ),
  async ({ app, page }) => {
    await app.open();
    await test.step('the search announces the number of results, also none, and Escape returns the focus', async () => {
      const nextButton = app.button('Next step');
      await nextButton.focus();
      await page.keyboard.press('ControlOrMeta+k');
      const dialog = page.getByRole('dialog', { name: 'Find anything' });
      await expect(dialog.getByRole('combobox')).toBeFocused();
      await page.keyboard.type('export png');
      await expect(dialog.getByRole('status')).toHaveText('2 found.');
      await page.keyboard.type(' xyzzy');
      await expect(dialog.getByRole('option', { name: 'Save this step as PNG' })).toBeVisible();
      await dialog.getByRole('combobox').fill('xyzzy');
      await expect(dialog.getByRole('status')).toHaveText('Nothing found: “xyzzy”.');
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(dialog.getByRole('button', { name: 'Close' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await page.setViewportSize({ width: 1280, height: 720 });
      await expect(nextButton).toBeFocused();
    });
    await test.step('after a format was chosen by keyboard, keys control the stage', async () => {
      await page.keyboard.press('/');
      const a = page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: /^A:/ });
      while (!(await a.evaluate((element) => element === document.activeElement)))
        await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const list = page.getByRole('dialog', { name: 'A', exact: true });
      await expect(list.getByRole('button', { name: /MACKO/ }).first()).toBeFocused();
      await page.keyboard.type('compressed sparse row');
      await page.keyboard.press('Enter');
      await expect(a).toContainText('CSR');
      await expect(page.locator('#content')).toBeFocused();
      await app.ready();
      await app.expectStep(0);
      await app.oneStep();
      await app.expectStep(1);
    });
  },
);
