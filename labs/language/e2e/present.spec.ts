// The presentation of Language, in the built page.

import { expect, scheduled, test } from '../../../e2e/fixtures.ts';

test(
  'the presentation of Language shows a text token by token, and quality point by point',
  scheduled(
    'a second page that is presented',
    'labs/language/page/show/show.test.ts and the presented stage in e2e/present.spec.ts',
  ),
  async ({ page }) => {
    await page.goto('./#2/language?x.mode=held');
    await expect(page.getByRole('listbox', { name: /^Tokens/ })).toBeVisible();
    await page.keyboard.press('p');
    const presentation = page.getByRole('main', { name: 'Presentation' });
    await expect(presentation.getByText(/^The dense model wrote this tale/)).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(presentation.getByText(/^step 1 of \d+$/)).toBeVisible();
    await expect(presentation.getByText(/in the first 1 of/)).toBeVisible();
    await page.keyboard.press('End');
    await expect(presentation.getByText('Spelling', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('2');
    await expect(page.getByRole('heading', { name: /tales have no error/ }).first()).toBeVisible();
    await page.keyboard.press('p');
    await page.keyboard.press('ArrowRight');
    await expect(presentation.getByText(/bits per byte/).first()).toBeVisible();
  },
);
