// The pictures of the README and the docs equal what the current page shows.

import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { PAGE_SIZE, STILLS, STORIES, takeStill, takeStory } from '../scripts/pictures.mjs';
import { expect, scheduled, test } from './fixtures.ts';

const IMAGES = join(import.meta.dirname, '../docs/images');

/** Differences of red, green or blue (0 to 255) up to this are ignored: they come from a GIF's palette or from anti-aliasing. */
const FAINT = 48;

/** Returns the share of pixels that differ by more than FAINT between a picture of the docs and one taken now. */
async function shareOfDifferent(stored: Sharp, taken: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [stored, sharp(taken)].map((image) => image.ensureAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  const { width, height } = b.info;
  expect([a.info.width, a.info.height]).toEqual([width, height]);
  let different = 0;
  for (let pixel = 0; pixel < b.data.length; pixel += 4) {
    const isDifferent = [0, 1, 2].some(
      (channel) => Math.abs(a.data[pixel + channel] - b.data[pixel + channel]) > FAINT,
    );
    if (isDifferent) different++;
  }
  return different / (width * height);
}

test.use({ details: '', hasRecordings: true, reducedMotion: 'reduce', colorScheme: 'light' });

for (const still of STILLS) {
  test(
    `the picture ${still.file} of the README equals the page`,
    scheduled(
      'its share of pixels depends on the version of Chromium',
      'nothing: a picture of the README shows a fault of the page that different tests of it find',
    ),
    async ({ page, baseURL }) => {
      await page.setViewportSize(PAGE_SIZE);
      const taken = await takeStill(page, `${baseURL}/`, still);
      const different = await shareOfDifferent(sharp(join(IMAGES, still.file)), taken);
      expect(different, 'take it anew: node scripts/screenshots.mjs').toBeLessThan(0.01);
    },
  );
}

for (const story of STORIES) {
  test(
    `the animation ${story.file} of the docs equals the page’s export`,
    scheduled(
      'its share of pixels depends on the version of Chromium',
      'test/golden/stories.test.ts for its texts, nothing for its pixels',
    ),
    async ({ page, baseURL }) => {
      const file = join(IMAGES, story.file);
      await page.setViewportSize(PAGE_SIZE);
      const { pictures, restsMs } = await takeStory(page, `${baseURL}/`, story);
      expect((await sharp(file).metadata()).delay).toEqual(restsMs);
      for (const [frame, taken] of pictures.entries()) {
        const different = await shareOfDifferent(sharp(file, { page: frame }), taken);
        expect(different, `frame ${frame + 1}: take it anew: node scripts/screenshots.mjs`).toBeLessThan(0.01);
      }
    },
  );
}
