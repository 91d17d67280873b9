// Exercises about kernels, in the built page.

import { expect, scheduled, test } from '../../../e2e/fixtures.ts';

test(
  'an exercise leads back to the paragraph of its lesson',
  scheduled('one link', 'src/lessons/lessons.test.ts, explains every term that it marks, and links to existing pages'),
  async ({ page }) => {
    await page.goto('./#2/learn/write-a-kernel?');
    await page.getByText('Exercise 2:').locator('..').locator('..').getByRole('link', { name: 'Write it' }).click();
    await expect(page.getByRole('complementary', { name: 'Exercise' })).toContainText('exercise 2 of 4');
    await page.getByRole('link', { name: 'back to the lesson' }).click();
    await expect(page.getByText('Exercise 2:')).toBeInViewport();
  },
);

test(
  'the headline of an exercise has enough width next to the buttons',
  scheduled('geometry of one width', 'e2e/fits.spec.ts, on pages that consist of the same parts'),
  async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto('./#2/code/exercise/1');
    const answer = page.locator('.kernel-head > .answer');
    await expect(answer).toContainText('Your copy.');
    await expect.poll(() => answer.evaluate((element) => element.clientWidth)).toBeGreaterThan(250);
  },
);
