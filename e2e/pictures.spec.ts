import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { PAGE_SIZE, STILLS, STORIES, takeStill, takeStory } from '../scripts/pictures.mjs';
import { expect, scheduled, test } from './fixtures.ts';

const IMAGES = join(import.meta.dirname, '../docs/images');

/** Of 255, how far red, green or blue of a pixel are apart at most for a GIF's few colours or another anti-aliasing. */
const FAINT = 48;

/** Of all pixels, how many differ by more than a GIF's few colours, or another version of Chromium, explain. */
async function shareOfOther(kept: Sharp, taken: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [kept, sharp(taken)].map((image) => image.ensureAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  const { width, height } = b.info;
  expect([a.info.width, a.info.height]).toEqual([width, height]);
  let other = 0;
  for (let at = 0; at < b.data.length; at += 4) {
    if ([0, 1, 2].some((of) => Math.abs(a.data[at + of] - b.data[at + of]) > FAINT)) other++;
  }
  return other / (width * height);
}

test.use({ details: '', hasRecordings: true, reducedMotion: 'reduce', colorScheme: 'light' });

for (const still of STILLS) {
  test(
    `${still.file} of the README is what the page shows`,
    scheduled(
      'its share of pixels depends on the version of Chromium',
      'nothing: a picture of the README shows a fault of the page that other tests of it find',
    ),
    async ({ page, baseURL }) => {
      await page.setViewportSize(PAGE_SIZE);
      const taken = await takeStill(page, `${baseURL}/`, still);
      const other = await shareOfOther(sharp(join(IMAGES, still.file)), taken);
      expect(other, 'take it anew: node scripts/screenshots.mjs').toBeLessThan(0.01);
    },
  );
}

for (const story of STORIES) {
  test(
    `${story.file} of the docs is what the page exports`,
    scheduled(
      'its share of pixels depends on the version of Chromium',
      'test/golden/stories.test.ts for what is told, nothing for its pixels',
    ),
    async ({ page, baseURL }) => {
      const file = join(IMAGES, story.file);
      await page.setViewportSize(PAGE_SIZE);
      const { pictures, restsMs } = await takeStory(page, `${baseURL}/`, story);
      expect((await sharp(file).metadata()).delay).toEqual(restsMs);
      for (const [frame, taken] of pictures.entries()) {
        const other = await shareOfOther(sharp(file, { page: frame }), taken);
        expect(other, `frame ${frame + 1}: take it anew: node scripts/screenshots.mjs`).toBeLessThan(0.01);
      }
    },
  );
}
