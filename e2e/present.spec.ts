// Presenting the stage full screen, and exporting a story as pictures, film, text and print.

import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { expect, scheduled, test } from './fixtures.ts';
import { axeViolations } from './axe-violations.ts';

test(
  'the stage has the size that test/stage-use.test.ts measures with',
  scheduled('two page loads for two sizes that change with the design alone', 'the sizes of e2e/sizes.spec.ts'),
  async ({ app, page }) => {
    const stageUseTest = readFileSync(`${import.meta.dirname}/../test/stage-use.test.ts`, 'utf8');
    for (const [width, height] of [
      [1440, 900],
      [2560, 1440],
    ]) {
      await page.setViewportSize({ width, height });
      // A step whose sentence has at most two lines, as most steps have.
      await app.open('#2/watch?a=macko&b=none&moment=9');
      await app.fontsLoaded();
      const stage = app.stage.locator('.scene-view');
      // The size as test/stage-use.test.ts writes it.
      const sizeText = (): Promise<string> =>
        stage.evaluate((view) => {
          const container = view.closest('.watch-stage');
          if (!container) return 'no stage around the picture';
          const above = view.getBoundingClientRect().top - container.getBoundingClientRect().top + container.scrollTop;
          const below = Number.parseFloat(getComputedStyle(container).scrollPaddingBottom);
          return `width: ${view.clientWidth}, stageHeight: ${container.clientHeight - Math.round(above) - below}`;
        });
      await expect
        .poll(async () => {
          const size = await sizeText();
          return stageUseTest.includes(size) ? 'in the test' : size;
        })
        .toBe('in the test');
    }
  },
);

test('the stage is presented with a clicker by frames and by every step, and is unchanged afterwards', async ({
  app,
  page,
}) => {
  await test.step('the stage is presented with a clicker, and is unchanged afterwards', async () => {
    await app.open('#2/watch?src=generated:uniform&shape=64x64&density=0.3&seed=1&a=macko&b=none&moment=3');
    const bytes = app.details('bytes by purpose');
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
        stage.locator('.present-narration').evaluate((s) => Math.round(parseFloat(getComputedStyle(s).fontSize))),
      )
      .toBe(40);

    await page.keyboard.press('Shift+ArrowRight');
    await app.expectStep(4);
    // Also while the slider has the focus, although its PageUp and PageDown keys go further.
    await app.slider.focus();
    await page.keyboard.press('PageUp');
    await app.expectStep(0);
    const blank = page.getByLabel(/^Blank: /);
    await page.keyboard.press('.');
    await expect(blank).toBeVisible();
    await page.keyboard.press('PageDown');
    await expect(blank).toHaveCount(0);
    await app.expectStep(0);
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
  await test.step('a story is presented by frames, digits answer its questions, and E switches to every step', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await app.go('#2/watch?src=example:digits-fc2-70&a=macko&b=none&frame=4');
    await app.ready();
    await expect(app.count).toHaveText('frame 4 of 11');
    await page.keyboard.press('p');
    const stage = page.getByRole('main', { name: 'Presentation' });
    const count = stage.locator('.present-keys p');
    const headline = stage.locator('.present-narration');
    await expect(count).toHaveText('frame 4 of 11');
    await expect(app.slider).toHaveCount(0);
    await expect(stage.getByText('E every step')).toBeVisible();
    await page.keyboard.press('PageDown');
    await expect(count).toHaveText('frame 5 of 11');
    // All of a frame's sentence has one size.
    await expect(headline).toContainText('add 1 + skip');
    expect(await headline.evaluate((s) => Math.round(parseFloat(getComputedStyle(s).fontSize)))).toBe(40);

    await page.keyboard.press('ArrowRight');
    await expect(count).toHaveText('frame 6 of 11, a question');
    await expect(stage.getByText('1 to 4 answer')).toBeVisible();
    const answers = page.getByRole('region', { name: 'Answers' });
    const right = answers.getByRole('button', { name: '15', exact: true });
    const blank = page.getByLabel(/^Blank: /);
    await page.keyboard.press('b');
    await expect(blank).toBeVisible();
    await page.keyboard.press('2');
    await expect(blank).toHaveCount(0);
    await expect(right).toHaveAttribute('aria-pressed', 'false');
    await page.keyboard.press('2');
    await expect(right).toHaveAttribute('aria-pressed', 'true');
    await expect(answers).toContainText('16 numbers: 0 to 15');
    await page.keyboard.press('PageDown');
    await expect(count).toHaveText('frame 7 of 11');
    await page.keyboard.press('PageUp');
    await expect(count).toHaveText('frame 6 of 11, a question');
    await page.keyboard.press('ArrowRight');
    await expect(answers).toContainText('16 numbers: 0 to 15');
    await page.keyboard.press('ArrowRight');
    await expect(count).toHaveText('frame 7 of 11');

    await page.keyboard.press('e');
    await expect(app.slider).toBeVisible();
    await expect(count).toHaveText(/^step \d+ of \d+$/);
    await page.keyboard.press('e');
    await expect(count).toHaveText('frame 7 of 11');
    await stage.getByRole('button', { name: 'Frame 3, Skip' }).click();
    await page.keyboard.press('Escape');
    await expect(app.count).toHaveText('frame 3 of 11');
  });
});

test(
  'axe finds nothing in the presented stage',
  scheduled('axe takes seconds for each state of the page', 'e2e/axe.spec.ts, which has Watch'),
  async ({ app, page }) => {
    await app.open('#2/watch?src=generated:uniform&shape=64x64&density=0.3&seed=1&a=macko&b=none&moment=3');
    await page.keyboard.press('p');
    await expect(page.getByRole('main', { name: 'Presentation' }).locator('canvas').first()).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('e');
    await expect(page.getByRole('group', { name: 'Frames' })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
  },
);

/** The size of a GIF's header without colors, and the bytes that begin its blocks. */
const [GIF_HEADER_BYTES, GIF_EXTENSION, GIF_GRAPHIC_CONTROL, GIF_END] = [13, 0x21, 0xf9, 0x3b];

/** The delays of a GIF's pictures, in hundredths of a second. */
function delaysOf(gif: Uint8Array): readonly number[] {
  const view = new DataView(gif.buffer, gif.byteOffset, gif.byteLength);
  const colorTableSize = (flags: number): number => (flags & 0x80 ? 3 * (2 << (flags & 7)) : 0);
  /** The offset behind a list of data blocks, each with its length in front. */
  const afterBlocks = (from: number): number => {
    let offset = from;
    while (gif[offset] !== 0) offset += gif[offset] + 1;
    return offset + 1;
  };
  const delays: number[] = [];
  let offset = GIF_HEADER_BYTES + colorTableSize(gif[10]);
  while (gif[offset] !== GIF_END) {
    if (gif[offset] === GIF_EXTENSION) {
      if (gif[offset + 1] === GIF_GRAPHIC_CONTROL) delays.push(view.getUint16(offset + 4, true));
      offset = afterBlocks(offset + 2);
    } else offset = afterBlocks(offset + 11 + colorTableSize(gif[offset + 9]));
  }
  return delays;
}

test(
  'a story can be saved as numbered pictures with texts, saved as a film, shown as text, and printed',
  scheduled(
    'every picture of a story is drawn three times',
    'src/pages/present/exported-pictures.test.ts for the pictures; how their files are written, by nothing',
  ),
  async ({ app, page }) => {
    await page.addInitScript(() => {
      window.print = () => Object.assign(window, { printed: true });
    });
    await app.open('#2/watch?src=generated:uniform&shape=4x16&density=0.3&seed=1&a=csr&a.indexBits=32&b=none&moment=2');
    await page.keyboard.press('e');
    await app.button('Export').click();
    const dialog = page.getByRole('dialog', { name: 'Embed and export' });
    const countOf = async (name: RegExp): Promise<number> =>
      Number(/\((\d+)\)/.exec((await dialog.getByText(name).textContent()) ?? '')?.[1]);
    const count = await countOf(/^frames/);
    expect(count).toBeGreaterThanOrEqual(3);
    expect(await countOf(/^every step/)).toBeGreaterThan(count);
    const savedFile = async (name: string): Promise<Uint8Array> => {
      const download = page.waitForEvent('download');
      await dialog.getByRole('button', { name }).click();
      return new Uint8Array(readFileSync(await (await download).path()));
    };
    for (const kind of ['png', 'svg'] as const) {
      const zip = unzipSync(await savedFile(`Numbered ${kind.toUpperCase()}s`));
      const names = Object.keys(zip);
      expect(names).toHaveLength(count + 1);
      expect(names[0]).toMatch(new RegExp(`^csr-frames-01-[a-z].*\\.${kind}$`));
      const texts = new TextDecoder().decode(zip[names[count]]).trim().split('\n');
      expect(texts).toHaveLength(count);
      const sizes = names.slice(0, count).map((name, i) => {
        if (kind === 'png')
          return new DataView(zip[name].buffer, zip[name].byteOffset + 16, 8).getBigUint64(0).toString();
        const svg = new TextDecoder().decode(zip[name]);
        const [word] = texts[i].replace(/^\d+\. /, '').split(' ');
        expect(svg).toContain(`>${word}`);
        return /height="(\d+)"/.exec(svg)?.[1];
      });
      expect(new Set(sizes).size).toBe(1);
    }
    const delays = delaysOf(await savedFile('Film (GIF)'));
    // The film rests at every frame until the sentence can be read, and moves between frames.
    expect(delays.filter((delay) => delay >= 180)).toHaveLength(count);
    expect(delays.length).toBeGreaterThan(2 * count);

    await dialog.getByRole('button', { name: 'As text' }).click();
    await expect(dialog.getByRole('article').getByRole('listitem')).toHaveCount(count);
    await dialog.getByRole('button', { name: 'Print' }).click();
    await expect.poll(() => page.evaluate(() => 'printed' in window)).toBe(true);
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('.step-sheet img')).toHaveCount(count);
    await expect(page.locator('.step-sheet img').first()).toBeVisible();
    await expect(dialog).toBeHidden();
    await page.emulateMedia({ media: null });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect(page.locator('.step-sheet')).toHaveCount(0);
  },
);
