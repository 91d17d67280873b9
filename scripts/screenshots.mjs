// node scripts/screenshots.mjs: takes the pictures of README.md from the built page, in Chromium.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { ensureChromium } from './chromium.mjs';
import { ROOT } from './packages.mjs';

/** File below docs/images, the address and the key moment that it shows, and words that appear once it is drawn. */
const PICTURES = [
  {
    file: 'watch.png',
    address: '#2/watch?src=example:digits-fc2-70&a=macko&b=csr&win=40,0,5,32',
    moment: 4,
    shows: 'padding zero',
  },
];

await build({ root: ROOT, logLevel: 'warn' });
const server = await preview({ root: ROOT, preview: { port: 0 }, logLevel: 'warn' });
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ['--no-sandbox'] });
try {
  const folder = join(ROOT, 'docs/images');
  await mkdir(folder, { recursive: true });
  for (const { file, address, moment, shows } of PICTURES) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    await page.goto(`${server.resolvedUrls?.local[0]}${address}`);
    // The answer comes once both formats are encoded.
    await page.getByText('stores this matrix in').first().waitFor();
    for (let i = 0; i < moment; i++) await page.getByRole('button', { name: 'Next moment' }).click();
    await page.getByText(shows).first().waitFor();
    await page.screenshot({ path: join(folder, file) });
    await page.close();
    console.log(`docs/images/${file}`);
  }
} finally {
  await browser.close();
  await server.close();
}
