import { expect, test } from './fixtures.ts';

for (const width of [360, 390, 600, 768, 960, 1024, 1440, 1920, 2560]) {
  test(`nothing is cut off at ${width} px, and the player is in view`, async ({ app, page }) => {
    await page.setViewportSize({ width, height: 800 });
    await app.open();
    const overflow = (): Promise<number> =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(overflow).toBe(0);
    await expect(app.button('Play')).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('tabpanel').locator('canvas').first()).toBeInViewport();
    await app.button('Benchmark').click();
    await expect(page.getByRole('main')).toBeVisible();
    await expect(page).toHaveTitle(/Benchmark/);
    await expect.poll(overflow).toBe(0);
  });
}

for (const [place, hash] of [
  ['Visualize', ''],
  ['an embedded stage', '#1/embed?fmt=macko&step=9'],
  ['a lesson', '#1/learn/why-bytes-decide'],
  ['a presentation', '#1/visualize?fmt=macko&step=9'],
] as const) {
  test(`the stage of ${place} shrinks with the window`, async ({ app, page }) => {
    await page.setViewportSize({ width: 1366, height: 800 });
    await page.goto(`./${hash}`);
    await expect(app.slider).not.toHaveAttribute('aria-valuemax', '0');
    if (place === 'a presentation') {
      await app.button('present').focus();
      await page.keyboard.press('p');
    }
    const canvas = page.locator('.scene-view canvas').first();
    await expect(canvas).toBeVisible();
    await page.setViewportSize({ width: 1024, height: 600 });
    /** How far what is on the stage reaches beyond it: words, tools and picture, px. */
    const beyond = (): Promise<number> =>
      canvas.evaluate((picture) => {
        const stage = picture.closest('.stage, .embed-stage, .present-stage');
        return stage ? stage.scrollWidth - stage.clientWidth : Number.NaN;
      });
    await expect.poll(beyond).toBe(0);
    await expect(canvas).toBeInViewport();
    await expect(app.slider).toBeInViewport({ ratio: 1 });
  });
}

test('on a narrow screen matrix and inspector come up as sheets', async ({ app, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await app.open();
  await app.button('Matrix').click();
  const sheet = page.getByRole('dialog', { name: 'Matrix' });
  await expect(sheet).toContainText('non-zeros');
  await sheet.getByRole('button', { name: 'Close' }).click();
  await app.button('Inspector').click();
  await expect(page.getByRole('dialog', { name: 'Inspector' })).toContainText('padding');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the stage does not jump while the story plays', async ({ app, page }) => {
  await app.open();
  await app.fontsLoaded();
  const canvas = page.getByRole('tabpanel').locator('canvas').first();
  const player = await app.slider.boundingBox();
  // Step 0 is a picture of its own: why bytes decide.
  await app.button('Next step').click();
  await app.expectStep(1);
  const before = await canvas.boundingBox();
  expect(await app.slider.boundingBox()).toEqual(player);
  for (let i = 1; i < 12; i++) {
    await app.button('Next step').click();
    await app.expectStep(i + 1);
    expect(await canvas.boundingBox()).toEqual(before);
    expect(await app.slider.boundingBox()).toEqual(player);
  }
});
