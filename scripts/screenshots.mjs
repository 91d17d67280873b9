// node scripts/screenshots.mjs [NAME]: takes the pictures of README.md and docs from the built page, in Chromium; with a name,
// only the pictures whose file begins with it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { ensureChromium } from './chromium.mjs';
import { ROOT } from './packages.mjs';
import { movingPicture, PAGE_SIZE, STILLS, STORIES, takeStill, takeStory } from './pictures.mjs';

const name = process.argv[2] ?? '';
/** @param {{ readonly file: string }} picture */
const isRequested = ({ file }) => file.startsWith(name);

if (![...STILLS, ...STORIES].some(isRequested)) {
  const files = [...STILLS, ...STORIES].map(({ file }) => file).join(', ');
  console.error(`screenshots: found '${name}', expected the beginning of one of ${files}`);
  process.exit(2);
}
await build({ root: ROOT, logLevel: 'warn' });
const server = await preview({ root: ROOT, preview: { port: 0 }, logLevel: 'warn' });
const site = server.resolvedUrls?.local[0] ?? '';
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ['--no-sandbox'] });
const folder = join(ROOT, 'docs/images');
/** @param {string} file @param {Buffer} bytes */
const write = async (file, bytes) => {
  await writeFile(join(folder, file), bytes);
  console.log(`docs/images/${file}: ${Math.round(bytes.length / 1024)} KiB`);
};
try {
  await mkdir(folder, { recursive: true });
  for (const still of STILLS.filter(isRequested)) {
    const page = await browser.newPage({ viewport: PAGE_SIZE, reducedMotion: 'reduce' });
    await write(still.file, await takeStill(page, site, still));
    await page.close();
  }
  for (const story of STORIES.filter(isRequested)) {
    const page = await browser.newPage({ viewport: PAGE_SIZE, reducedMotion: 'reduce' });
    await write(story.file, await movingPicture(await takeStory(page, site, story)));
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
