import type { Page } from '@playwright/test';
import { expect, scheduled, test } from './fixtures.ts';
import { changeColours, objections } from './objections.ts';

/** A few images, one format and one way of pruning: the whole picture in seconds. */
const PLACE =
  './#2/compare?src=generated:uniform&shape=64x64&density=0.3&seed=1&b=none&csr.indexBits=32&ell.indexBits=32&x.images=20&x.prune=magnitude&x.fold=accuracy&x.digits=yes&x.tried=bitmask';

async function openNetwork(page: Page, address = PLACE): Promise<void> {
  await page.goto(address);
  // All sixteen networks have run.
  await expect(page.getByRole('button', { name: 'Everything has run' })).toBeVisible({ timeout: 120_000 });
}

test(
  'runs unprompted, says what is smallest, and follows the cursor',
  scheduled(
    'sixteen networks run on a software GPU',
    'src/places/compare/service/network/networks.test.ts and src/places/compare/folds/accuracy/network-runs.test.ts',
  ),
  async ({ page }) => {
    await openNetwork(page);
    await expect(page.getByRole('heading', { name: /^Within a point of the whole network’s/ })).toContainText(
      '% of dense',
    );
    const accuracy = page.getByRole('region', { name: 'Accuracy by density', exact: true });
    await accuracy.getByRole('slider', { name: 'density' }).focus();
    await page.keyboard.press('Home');
    await expect(page.getByRole('heading', { name: /^At density/ }).first()).toHaveText('At density 0.010');
    // What is left is the word of the sentence.
    await expect.poll(() => new URL(page.url()).hash).toContain('prune=magnitude:0.01');
    await accuracy.getByText('as a table').click();
    await expect(page.getByRole('region', { name: 'Accuracy by density, as a table' })).toContainText('magnitude 0.50');
  },
);

test(
  'runs a digit drawn with the keyboard through both networks',
  scheduled(
    'sixteen networks run on a software GPU',
    'src/places/compare/folds/accuracy/drawing.test.ts and src/places/compare/service/network/networks.test.ts',
  ),
  async ({ page }) => {
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
  },
);

test.describe('in light at 1440 px, in dark at 390 px', () => {
  test.use({ reducedMotion: 'reduce' });

  test(
    'axe finds nothing, and nothing is wider than the page',
    scheduled(
      'axe takes seconds for each state of the page, after sixteen networks',
      'e2e/axe.spec.ts, which has Compare',
    ),
    async ({ page }) => {
      await openNetwork(page);
      await expect(page.getByRole('heading', { name: /^At density/ }).first()).toBeVisible();
      for (const { width, colorScheme } of [
        { width: 1440, colorScheme: 'light' },
        { width: 390, colorScheme: 'dark' },
      ] as const) {
        await page.setViewportSize({ width, height: 844 });
        await changeColours(page, colorScheme);
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(await objections(page), `at ${width} px`).toEqual([]);
      }
    },
  );
});

test('of other weights it says that nothing is known here, shows what was published, and runs nothing unasked', async ({
  page,
}) => {
  await page.goto('./#2/compare?src=generated:uniform&shape=64x64&density=0.3&seed=1&a=macko&x.fold=accuracy');
  const fold = page.getByRole('region', { name: 'what pruning costs in accuracy' });
  await expect(fold).toContainText('Not known here:');
  await expect(fold.getByRole('region', { name: 'Language models' })).toContainText('SlideSparse');
  await expect(fold.getByRole('button', { name: /^(Run|Go on|Everything has run)$/ })).toHaveCount(0);
  await fold.getByText('An example that runs here').click();
  await expect(fold.getByText('test images').first()).toBeVisible();
  await expect.poll(() => new URL(page.url()).hash).toContain('x.digits=yes');
});
