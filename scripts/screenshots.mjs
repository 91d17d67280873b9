// node scripts/screenshots.mjs: takes the pictures of README.md from the built page, in Chromium.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { ensureChromium } from './chromium.mjs';
import { ROOT } from './packages.mjs';

/** File below docs/images, the address that it shows, and words that appear once it is drawn. */
const PICTURES = [
  {
    file: 'visualize.png',
    address: '#2/watch?src=example:digits-fc1-90&a=macko&win=0,0,5,32&step=17',
    shows: 'padding zero',
  },
];

await build({ root: ROOT, logLevel: 'warn' });
const server = await preview({ root: ROOT, preview: { port: 0 }, logLevel: 'warn' });
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ['--no-sandbox'] });
try {
  const folder = join(ROOT, 'docs/images');
  await mkdir(folder, { recursive: true });
  for (const { file, address, shows } of PICTURES) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    await page.goto(`${server.resolvedUrls?.local[0]}${address}`);
    await page.getByText(shows).first().waitFor();
    // The inspector's figures and charts appear after the first picture.
    await page.getByText('every element checked').waitFor();
    await page.getByText('even at').waitFor();
    await page.screenshot({ path: join(folder, file) });
    await page.close();
    console.log(`docs/images/${file}`);
  }
} finally {
  await browser.close();
  await server.close();
}
