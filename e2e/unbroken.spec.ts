// Tests of use that must not lose data or break the page: reload, lost network, pasting, and links in new tabs.

import { type Page } from '@playwright/test';
import { bandedMtx } from './files.ts';
import { expect, scheduled, test } from './fixtures.ts';

/** A file that is too large for a link. */
const LARGE_FILE = bandedMtx('own.mtx', 900);

/** Pastes a text into the focused element. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
  }, text);
}

test('a reload restores an opened file, and asks for it by name if it is no longer stored', async ({ app, page }) => {
  await app.open('#2/watch?src=generated:uniform&shape=32x32&density=0.3&seed=1&b=none');
  await app.openFile(LARGE_FILE);
  await app.addressWith('src=file:own.mtx');
  await app.link('Compare').click();
  await app.addressWith('#2/compare?src=file:own.mtx');
  await page.reload();
  await expect(app.selection.getByRole('button', { name: /^Weights: / })).toContainText('own.mtx');
  await expect(page.getByRole('alert')).toHaveCount(0);
  const matrixPicker = await app.openMatrixPicker();
  await matrixPicker.getByRole('button', { name: 'forget' }).click();
  await expect(matrixPicker).not.toContainText('own.mtx again');
  await page.keyboard.press('Escape');
  await page.reload();
  const problem = page.getByRole('alert');
  await expect(problem).toContainText(
    'This link was made for a file on another computer (own.mtx). You see an example instead.',
  );
  const fileChooser = page.waitForEvent('filechooser');
  await problem.getByRole('button', { name: 'Open own.mtx again' }).click();
  await (await fileChooser).setFiles({ ...LARGE_FILE });
  await app.addressWith('#2/compare?src=file:own.mtx');
  await expect(problem).toHaveCount(0);
});

test.describe('without a network', () => {
  test.use({ bringsFaults: true });

  test(
    'a page and a model that fail to load give one message, and load on the next try',
    scheduled(
      'a page and a model are loaded without a network',
      'src/kit/browser/lazy-part.test.tsx for the page, src/io/web/remote.test.ts for the model, and e2e/offline.spec.ts',
    ),
    async ({ page, context }) => {
      await page.goto('./#2/watch?src=generated:uniform&shape=32x32&density=0.3&seed=1&b=none');
      await expect(page.getByRole('region', { name: 'Selection' }).getByRole('button').first()).toBeVisible();
      // The stage's code has loaded, so only the code of the other page can be missing.
      await expect(page.getByRole('application', { name: 'Cells of the picture' })).toBeVisible();
      await context.setOffline(true);
      await page.getByRole('link', { name: 'Compare', exact: true }).click();
      const alerts = page.getByRole('alert');
      const pageAlert = alerts.filter({ hasText: 'The view “Compare” cannot be shown: its code failed to load.' });
      await expect(pageAlert.getByRole('button', { name: 'Try again' })).toBeVisible();
      await page.evaluate(() => {
        location.hash = '#2/watch?src=example:digits-fc2-70';
      });
      const exampleAlert = alerts.filter({ hasText: 'Digits' });
      await expect(exampleAlert).toContainText('the network did not answer.');
      await expect(page.locator('body')).not.toContainText('http');
      await context.setOffline(false);
      await exampleAlert.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => page.url()).toContain('#2/watch?src=example:digits-fc2-70');
      await expect(page.getByRole('alert')).toHaveCount(0);
    },
  );
});

test(
  'a pasted matrix opens, and links to pages open in a new tab by the middle button, in place by a click or Space',
  scheduled(
    'two ways to what other tests open',
    'src/app/shell/pasted.test.ts and src/kit/browser/AddressLink.test.tsx',
  ),
  async ({ app, page, context }) => {
    await test.step('a pasted matrix opens, but a text that is pasted into a field stays there', async () => {
      await app.open('#2/watch?src=generated:uniform&shape=32x32&density=0.3&seed=1&b=none');
      await paste(page, 'I have 2 cats');
      await paste(page, '1 0 0 2 / 0 0 3 0');
      await app.addressWith('src=cells:0:1;3:2,2:3&shape=2x4&name=pasted.tsv');
      await app.expectMatrix('2 × 4', '3');
      await paste(page, '1\t0\t0\t2\t0\r\n0\t0\t3\t0\t1\r\n');
      await app.addressWith('shape=2x5&name=pasted-2.tsv');
      await app.expectMatrix('2 × 5');
      const matrixPicker = await app.openMatrixPicker();
      await paste(page, '1 0 / 0 1');
      await expect(matrixPicker.getByRole('searchbox')).toBeFocused();
      await page.keyboard.press('Escape');
      await app.expectMatrix('2 × 5');
    });
    await test.step('a link to a page opens a new tab by the middle button, and by a click or Space the page in this tab without loading', async () => {
      await app.go('#2/watch?src=generated:uniform&shape=32x32&density=0.3&seed=1&b=none');
      await app.ready();
      const compare = app.link('Compare');
      const newTab = context.waitForEvent('page');
      await compare.click({ button: 'middle' });
      const tab = await newTab;
      await expect.poll(() => tab.url()).toContain('#2/compare?src=generated:uniform&shape=32x32');
      await tab.close();
      expect(page.url()).toContain('#2/watch?');
      // Loading the page again would remove this property.
      await page.evaluate(() => Object.assign(window, { isSame: true }));
      await compare.click();
      await expect(compare).toHaveAttribute('aria-current', 'page');
      await app.link('Learn').press('Space');
      await expect(app.link('Learn')).toHaveAttribute('aria-current', 'page');
      await page.goBack();
      await expect(compare).toHaveAttribute('aria-current', 'page');
      expect(await page.evaluate(() => Reflect.get(window, 'isSame'))).toBe(true);
    });
  },
);
