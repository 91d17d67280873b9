import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** Holds the code of a story back until the answer is called. */
async function holdStory(page: Page, format: string): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/story-${format}-*.js`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

for (const width of [390, 1440]) {
  test(`at ${width} px the matrix does not wait for the story, and nothing moves when it comes`, async ({
    app,
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    const release = await holdStory(page, 'macko');
    await page.goto('./');
    const panel = page.getByRole('tabpanel');
    await expect(panel).toContainText('Loading the animation');
    if (width > 1000) {
      await expect(app.matrix).toContainText('non-zeros');
      await expect(app.inspector).toContainText('padding');
    }
    await expect(page.getByRole('alert')).toHaveCount(0);
    const places = async (): Promise<unknown> => [await panel.boundingBox(), await app.slider.boundingBox()];
    await app.fontsLoaded();
    const before = await places();
    release();
    await app.ready();
    await expect.poll(places).toEqual(before);
  });
}

test('the picture of before stays until the story of another format is there', async ({ app, page }) => {
  const release = await holdStory(page, 'bitmask');
  await app.open();
  await app.fontsLoaded();
  await app.button('Next step').click();
  await app.expectStep(1);
  const panel = page.getByRole('tabpanel');
  const words = (await app.narration.textContent()) ?? '';
  const canvas = panel.locator('canvas').first();
  const box = await canvas.boundingBox();
  await app.formatTab('bitmask').click();
  await expect(app.formatTab('bitmask')).toHaveAttribute('aria-selected', 'true');
  await expect(panel).toHaveAttribute('aria-busy', 'true');
  await expect(panel.getByRole('heading', { name: 'Loading bitmask' })).toBeVisible();
  await expect(app.narration).toHaveText(words);
  await expect.poll(() => canvas.boundingBox()).toEqual(box);
  release();
  await expect(panel).toHaveAttribute('aria-busy', 'false');
  await expect(app.narration).not.toHaveText(words);
  await app.expectStep(0);
  await app.ready();
});

test('a story that does not arrive is said in a sentence and can be asked for again', async ({ app, page }) => {
  await page.route('**/story-macko-*.js', (route) => route.abort('aborted'));
  await page.goto('./#1/visualize?src=generated:uniform&shape=64x64&density=0.3&seed=1&fmt=macko&step=3');
  const alert = page.getByRole('tabpanel').getByRole('alert');
  await expect(alert).toContainText('The animation of MACKO could not be loaded: ');
  await expect(app.matrix).toContainText('non-zeros');
  await page.unroute('**/story-macko-*.js');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await app.ready();
  await app.expectStep(3);
  await expect(page.getByRole('alert')).toHaveCount(0);
});
