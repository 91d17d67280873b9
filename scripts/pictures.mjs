// The pictures of README.md and docs: what they show, and how each is taken from the built page. `node scripts/screenshots.mjs`
// writes them; e2e/pictures.spec.ts compares them with the current page.

import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import sharp from 'sharp';

/** @typedef {import('playwright').Page} Page */

/**
 * @typedef {object} Still
 * @property {string} file below docs/images
 * @property {string} address
 * @property {string} answer a text of the page that appears once its answer is known
 * @property {string} shows a text of the page that appears once the picture is drawn
 */

/**
 * @typedef {object} Story
 * @property {string} file below docs/images
 * @property {string} name the name of the link on the first screen that opens the story
 */

/** @type {readonly Still[]} */
export const STILLS = [
  { file: 'first.png', address: '', answer: 'µs instead of', shows: 'times slower' },
  {
    file: 'watch.png',
    address: '#2/watch?src=example:digits-fc2-70&a=macko&b=none&win=464,261,4,32&frame=6',
    answer: 'rows 464 to 467 of 512',
    shows: 'does not fit in',
  },
];

/**
 * The stories of the four papers.
 *
 * @type {readonly Story[]}
 */
export const STORIES = [
  { file: 'macko.gif', name: 'MACKO' },
  { file: 'ec-spmv.gif', name: 'EC-SpMV' },
  { file: 'twell.gif', name: 'TwELL' },
  { file: 'slidesparse.gif', name: 'SlideSparse' },
];

/** Size of the browser window, px. */
export const PAGE_SIZE = { width: 1440, height: 900 };
/** The address of the page in a story's pictures, as in docs/claims.md: `npm start` serves the page there. */
const NAMED_SITE = 'http://localhost:4173/';
/** Width of the pictures of a story, px: about as wide as GitHub shows them. */
const STORY_WIDTH = 960;

/**
 * Opens the page of a picture, waits until it is drawn, and takes the picture.
 *
 * @param {Page} page of PAGE_SIZE, with reduced motion
 * @param {string} site address of the built page
 * @param {Still} still
 * @returns {Promise<Buffer>} PNG
 */
export async function takeStill(page, site, { address, answer, shows }) {
  await page.goto(`${site}${address}`);
  await page.getByText(answer).first().waitFor();
  await page.getByText(shows).first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  // Waits for animations: changed words are underlined for a second.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  return page.screenshot();
}

/**
 * Takes the pictures of a story's frames, which the page exports with the text of the frame above each. Questions are left out,
 * since a reader of the picture could not answer them.
 *
 * @param {Page} page of PAGE_SIZE, with reduced motion
 * @param {string} site address of the built page
 * @param {Story} story
 * @returns {Promise<{ readonly pictures: readonly Buffer[], readonly restsMs: readonly number[] }>} PNGs, and how long each stays
 */
export async function takeStory(page, site, { name }) {
  // Links in pictures are made from addresses that begin with '#'. Without this, they would have the changing port of the server.
  await page.addInitScript((namedSite) => {
    globalThis.URL = class extends URL {
      /** @param {string | URL} url @param {string | URL} [base] */
      constructor(url, base) {
        super(url, String(url).startsWith('#') ? namedSite : base);
      }
    };
  }, NAMED_SITE);
  await page.goto(site);
  await page.getByRole('region', { name: 'At first sight' }).getByRole('link', { name }).click();
  await page.getByRole('button', { name: /^Frame 1, / }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  // The last frame shows recorded times once they are there.
  await dialog.getByRole('button', { name: 'As text' }).click();
  await dialog
    .getByText(/Level with|[Ff]aster|as fast|[Ww]orth it|beat|lose|of dense/)
    .last()
    .waitFor();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Numbered PNGs' }).click();
  const files = unzipSync(new Uint8Array(await readFile(await (await download).path())));
  const names = Object.keys(files).filter((name) => name.endsWith('.png'));
  const text = Object.entries(files).find(([name]) => name.endsWith('.txt'));
  const texts = new TextDecoder().decode(text?.[1]).trim().split('\n');
  // A question is written with its choices, and its answer is the next picture.
  const isQuestion = (/** @type {string | undefined} */ message) => message?.includes(' / ') === true;
  const frames = names.map((_, i) => i).filter((i) => !isQuestion(texts[i]) && !isQuestion(texts[i - 1]));
  return {
    pictures: await Promise.all(frames.map((i) => sharp(files[names[i]]).resize(STORY_WIDTH).png().toBuffer())),
    // As long as the player rests on a frame: by the number of words, without the frame's number before them.
    restsMs: frames.map((i) => 1500 + 300 * (texts[i].split(' ').length - 1)),
  };
}

/**
 * Makes an animated picture of a story's pictures, with few colours and without dithering.
 *
 * @param {Awaited<ReturnType<typeof takeStory>>} story
 * @returns {Promise<Buffer>} GIF
 */
export async function movingPicture({ pictures, restsMs }) {
  const palette = { colours: 16, dither: 0 };
  const flat = await Promise.all(
    pictures.map((picture) =>
      sharp(picture)
        .png({ palette: true, ...palette })
        .toBuffer(),
    ),
  );
  return sharp(flat, { join: { animated: true } })
    .gif({ delay: [...restsMs], loop: 0, ...palette })
    .toBuffer();
}
