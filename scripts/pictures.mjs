// The pictures of README.md: what they show, and how each is taken from the built page. `node scripts/screenshots.mjs`
// writes them; e2e/pictures.spec.ts compares them with the page of now.

/** @typedef {import('playwright').Page} Page */

/**
 * @typedef {object} Still
 * @property {string} file below docs/images
 * @property {string} address
 * @property {string} answer words of its answer, which comes once what it says is known
 * @property {number} moments how often to go on to the next key moment
 * @property {string} shows words that appear once it is drawn
 */

/**
 * @typedef {object} Animation
 * @property {string} file below docs/images
 * @property {string} address of an embedded stage, without its step
 * @property {readonly number[]} steps one frame each
 */

/** @type {readonly Still[]} */
export const STILLS = [
  { file: 'first.png', address: '', moments: 0, answer: 'µs instead of', shows: 'compare all formats' },
  {
    file: 'watch.png',
    address: '#2/watch?src=example:digits-fc2-70&a=macko&b=csr&win=40,0,5,32',
    moments: 4,
    answer: 'stores this matrix in',
    shows: 'stores a zero on the way',
  },
];

/** The four papers, each from the first steps to its first products. @type {readonly Animation[]} */
export const ANIMATIONS = [
  {
    file: 'macko.gif',
    address: '#2/embed?src=example:digits-fc2-70&a=macko&b=none&win=40,0,5,32&theme=light',
    steps: [0, 1, 2, 3, 4, 5, 6, 48, 52, 76, 81, 82, 87, 88, 125],
  },
  {
    file: 'ec-spmv.gif',
    address: '#2/embed?src=example:planted-blocks&a=ec-csr&b=none&win=0,0,16,32&theme=light',
    steps: [0, 1, 8, 9, 15, 17, 29, 30, 31, 33, 34, 67, 68],
  },
  {
    file: 'twell.gif',
    address: '#2/embed?src=example:digits-gate-l1-3e-2&a=twell&b=none&win=94,712,5,32&theme=light',
    steps: [0, 1, 3, 4, 6, 7, 15, 20, 21, 24, 25, 30, 31],
  },
  {
    file: 'slidesparse.gif',
    address: '#2/embed?src=example:digits-fc1-6-8&a=slidesparse&b=none&win=0,0,5,32&theme=light',
    steps: [2, 3, 4, 5, 6, 7, 8, 63, 64, 128, 144, 145, 155, 156],
  },
];

/** How long a frame stays, ms: long enough to read its sentence. */
export const FRAME_MS = 2200;

/** Of the page, for a still and for an animation, px. */
export const STILL_SIZE = { width: 1440, height: 900 };
export const FRAME_SIZE = { width: 640, height: 680 };

/**
 * The page as the picture shows it.
 *
 * @param {Page} page of STILL_SIZE, with reduced motion
 * @param {string} site address of the built page
 * @param {Still} still
 * @returns {Promise<Buffer>} PNG
 */
export async function takeStill(page, site, { address, answer, moments, shows }) {
  await page.goto(`${site}${address}`);
  await page.getByText(answer).first().waitFor();
  for (let i = 0; i < moments; i++) await page.getByRole('button', { name: 'Next moment' }).click();
  await page.getByText(shows).first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  // Words that have changed are underlined for a second.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  return page.screenshot();
}

/**
 * One frame: words and picture of a step, without the player.
 *
 * @param {Page} page of FRAME_SIZE, with reduced motion
 * @param {string} site address of the built page
 * @param {Animation} animation
 * @param {number} step
 * @returns {Promise<Buffer>} PNG
 */
export async function takeFrame(page, site, { address }, step) {
  // Another step of the same address would be a change of its hash, which an open page animates.
  await page.goto('about:blank');
  await page.goto(`${site}${address}&step=${step}`);
  await page.locator(`[role="slider"][aria-valuenow="${step}"]:not([aria-valuemax="0"])`).waitFor();
  await page.locator('canvas').first().waitFor();
  await page.getByText('Loading the animation').waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready);
  const player = await page.locator('.player').boundingBox();
  return page.screenshot({ clip: { x: 0, y: 0, width: FRAME_SIZE.width, height: Math.floor(player?.y ?? 0) } });
}
