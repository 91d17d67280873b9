import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { expect, scheduled, test } from './fixtures.ts';
import { objections } from './objections.ts';

test(
  'the stage has the size that test/stage-use.test.ts measures with',
  scheduled('two page loads for two sizes that change with the design alone', 'the sizes of e2e/sizes.spec.ts'),
  async ({ app, page }) => {
    const measured = readFileSync(`${import.meta.dirname}/../test/stage-use.test.ts`, 'utf8');
    for (const [width, height] of [
      [1440, 900],
      [2560, 1440],
    ]) {
      await page.setViewportSize({ width, height });
      // A step whose sentence has at most two lines, like most.
      await app.open('#2/watch?a=macko&b=none&step=9');
      await app.fontsLoaded();
      const stage = app.stage.locator('.scene-view');
      const size = (): Promise<string> =>
        stage.evaluate((view) => {
          const around = view.closest('.watch-stage');
          if (!around) return 'no stage around the picture';
          const above = view.getBoundingClientRect().top - around.getBoundingClientRect().top + around.scrollTop;
          const below = Number.parseFloat(getComputedStyle(around).scrollPaddingBottom);
          return `width: ${view.clientWidth}, stageHeight: ${around.clientHeight - Math.round(above) - below}`;
        });
      await expect
        .poll(async () => {
          const measuredNow = await size();
          return measured.includes(measuredNow) ? 'measured with' : measuredNow;
        })
        .toBe('measured with');
    }
  },
);

test('the stage is presented with a clicker, and comes back as it was', async ({ app, page }) => {
  await app.open('#2/watch?src=generated:uniform&shape=64x64&density=0.3&seed=1&a=macko&b=none&step=3');
  const bytes = app.fold('bytes by purpose');
  await app.button('bytes by purpose').click();
  await expect(bytes).toHaveCount(0);
  await expect(app.narration).not.toBeEmpty();
  await app.button('Present').focus();
  await page.keyboard.press('p');
  const stage = page.getByRole('main', { name: 'Presentation' });
  await expect(stage).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(stage.locator('canvas').first()).toBeVisible();
  await expect
    .poll(() =>
      stage.locator('.present-sentence').evaluate((s) => Math.round(parseFloat(getComputedStyle(s).fontSize))),
    )
    .toBe(40);

  await page.keyboard.press('PageDown');
  await app.expectStep(4);
  // Also when the scrubber has the focus, whose page keys go further.
  await app.slider.focus();
  await page.keyboard.press('PageUp');
  await app.expectStep(3);
  const blank = page.getByLabel(/^The screen is blank/);
  await page.keyboard.press('.');
  await expect(blank).toBeVisible();
  await page.keyboard.press('PageDown');
  await expect(blank).toHaveCount(0);
  await app.expectStep(3);
  await page.keyboard.press('z');
  await page.mouse.move(300, 300);
  await expect(page.locator('.present-pointer')).toBeVisible();
  await page.keyboard.press('End');
  await app.expectStep(await app.stepCount());
  await page.keyboard.press('Escape');
  await expect(stage).toHaveCount(0);
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(app.button('bytes by purpose')).toBeVisible();
  await expect(bytes).toHaveCount(0);
  await expect(app.button('Present')).toBeFocused();
  await app.expectStep(await app.stepCount());
});

test(
  'axe finds nothing in the presented stage',
  scheduled('axe takes seconds for each state of the page', 'e2e/axe.spec.ts, which has Watch'),
  async ({ app, page }) => {
    await app.open('#2/watch?src=generated:uniform&shape=64x64&density=0.3&seed=1&a=macko&b=none&step=3');
    await page.keyboard.press('p');
    await expect(page.getByRole('main', { name: 'Presentation' }).locator('canvas').first()).toBeVisible();
    expect(await objections(page)).toEqual([]);
  },
);

test('a chapter is saved as numbered PNGs and printed as a sheet', async ({ app, page }) => {
  await page.addInitScript(() => {
    window.print = () => Object.assign(window, { printed: true });
  });
  await app.open('#2/watch?src=generated:uniform&shape=4x16&density=0.3&seed=1&a=csr&a.indexBits=32&b=none&step=2');
  await app.button('Export').click();
  const dialog = page.getByRole('dialog', { name: 'Embed and export' });
  await expect(dialog).toContainText(/, \d+ pictures/);
  const count = Number(/, (\d+) pictures/.exec((await dialog.textContent()) ?? '')?.[1]);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Numbered PNGs' }).click();
  const zip = unzipSync(new Uint8Array(readFileSync(await (await download).path())));
  const names = Object.keys(zip);
  expect(names).toHaveLength(count + 1);
  expect(names[0]).toMatch(/^csr-\w+-01\.png$/);
  const sizes = names.slice(0, count).map((name) => new DataView(zip[name].buffer, zip[name].byteOffset + 16, 8));
  expect(new Set(sizes.map((size) => `${size.getUint32(0)} ${size.getUint32(4)}`)).size).toBe(1);
  expect(new TextDecoder().decode(zip[names[count]]).trim().split('\n')).toHaveLength(count);

  await dialog.getByRole('button', { name: 'Print a sheet of its steps' }).click();
  await expect.poll(() => page.evaluate(() => 'printed' in window)).toBe(true);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.step-sheet img')).toHaveCount(count);
  await expect(page.locator('.step-sheet img').first()).toBeVisible();
  await expect(dialog).toBeHidden();
  await page.emulateMedia({ media: null });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(page.locator('.step-sheet')).toHaveCount(0);
});
