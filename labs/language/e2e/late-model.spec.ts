// A slow download: the page Language follows the user's choices before its model has arrived.

import type { Page } from '@playwright/test';
import { expect, scheduled, test } from '../../../e2e/fixtures.ts';

/** Delays all requests whose address ends with `end` until the returned function is called. */
async function delayRequests(page: Page, end: string): Promise<() => void> {
  let go = (): void => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(`**/*${end}`, async (route) => {
    await gate;
    await route.continue();
  });
  return go;
}

const content = (page: Page) => page.locator('#content');

test.describe('while a model is being loaded', () => {
  test(
    'the page, the slider and the headline show the user’s last choice at once, however long the model takes',
    scheduled(
      'a model is held back and then pruned',
      'src/state/session/session.test.ts: shows the page of an address before its matrix is there, and any events in any order',
    ),
    async ({ app, page }) => {
      // The first screen is there: an address that comes before it is opened as the page's own.
      await app.open('#2/watch?src=generated:uniform&shape=32x32&density=0.3&seed=1&b=none');
      const go = await delayRequests(page, 'model.safetensors');
      // The page that an address names is visible at once, and names the model that is being opened.
      await page.evaluate(() => {
        location.hash = '#2/language?model=tales&prune=wanda:0.35';
      });
      await expect(content(page).getByRole('heading', { name: 'Language' })).toBeVisible();
      await expect(content(page)).toContainText('Opening Tales 3.4M');
      const pages = page.getByRole('navigation', { name: 'Pages' });
      await expect(pages.getByRole('link', { name: 'Language' })).toHaveAttribute('aria-current', 'page');
      await page.goBack();
      await page.getByRole('link', { name: 'Language', exact: true }).click();
      const densitySlider = page.getByRole('slider', { name: 'Left', exact: true });
      await expect(densitySlider).toHaveValue('0.9');
      // The document is about another matrix until the model is there.
      for (let i = 0; i < 3; i++) await page.keyboard.press(',');
      await expect(densitySlider).toHaveValue('0.87');
      await expect(content(page).getByRole('heading', { level: 2 })).toContainText(/^With 87\s%/);
      await densitySlider.focus();
      for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowLeft');
      await expect(densitySlider).toHaveValue('0.8');
      await expect(content(page).getByRole('heading', { level: 2 })).toContainText(/^With 80\s%/);
      go();
      await expect.poll(() => page.url()).toContain('model=tales&prune=wanda:0.8&');
      await expect(densitySlider).toHaveValue('0.8');
    },
  );
});
