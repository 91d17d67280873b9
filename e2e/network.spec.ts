import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { changeColours, objections } from './objections.ts';

/** A few images, one format and one way of pruning: the whole picture in seconds. */
const PLACE = './#1/explore/network?x.images=20&x.prune=magnitude&x.formats=bitmask';

// Sixteen networks run, on a machine that may be busy.
test.setTimeout(150_000);

async function openNetwork(page: Page, address = PLACE): Promise<void> {
  await page.goto(address);
  // Every network has run.
  await expect(page.getByRole('button', { name: 'Everything has run' })).toBeVisible({ timeout: 90_000 });
}

test('runs unprompted, says what is smallest, and follows the cursor', async ({ page }) => {
  await openNetwork(page);
  await expect(page.getByRole('heading', { name: /^Within a point of the whole network’s/ })).toContainText(
    '% of dense',
  );
  const cursor = page.getByRole('slider', { name: 'density' }).first();
  await cursor.focus();
  await page.keyboard.press('Home');
  const table = page.getByRole('complementary', { name: 'At this density' });
  await expect(table.getByRole('heading', { name: /^At density/ })).toHaveText('At density 0.010');
  await expect.poll(() => new URL(page.url()).hash).toContain('x.at=0.01');
  await page.getByText('as a table').first().click();
  await expect(page.getByRole('region', { name: 'Accuracy by density, as a table' })).toContainText('magnitude 0.50');
});

test('runs a digit drawn with the keyboard through both networks', async ({ page }) => {
  await openNetwork(page);
  const digit = page.getByRole('region', { name: 'One digit' });
  await expect(digit.getByRole('status')).toContainText(/ networks? reads? a \d.*, and it is a \d\.$/);
  await digit.getByRole('button', { name: 'Draw your own' }).click();
  await digit.getByRole('application').focus();
  // A one: up from the middle, then down.
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowUp');
  for (let i = 0; i < 12; i++) await page.keyboard.press('Shift+ArrowDown');
  await expect(digit.getByRole('status')).toHaveText(/^(Both networks read a 1|The whole network reads a 1, .*)\.$/);
  await expect(digit.getByRole('img', { name: /^fc1: \d+ of 512 neurons fire$/ })).toHaveCount(2);
});

test.describe('in light at 1440 px, in dark at 390 px', () => {
  test.use({ reducedMotion: 'reduce' });

  test('axe finds nothing, and nothing is wider than the page', async ({ page }) => {
    await openNetwork(page);
    await expect(page.getByRole('heading', { name: /^At density/ })).toBeVisible();
    for (const { width, colorScheme } of [
      { width: 1440, colorScheme: 'light' },
      { width: 390, colorScheme: 'dark' },
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await changeColours(page, colorScheme);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await objections(page), `at ${width} px`).toEqual([]);
    }
  });
});
