// Installs programs that tests need, if this machine lacks them: Chromium and, for some tests, Firefox; with --all also
// WebKit, NumPy and SciPy. Run as `node scripts/browsers.mjs`.
import { ensureChromium } from './chromium.mjs';
import { ensureNumpy } from './numpy.mjs';
import { ensureOtherBrowsers } from './other-browsers.mjs';

const unknown = process.argv.slice(2).find((option) => option !== '--all');
if (unknown !== undefined) {
  console.error(`browsers: found '${unknown}', expected --all or nothing`);
  process.exit(2);
}
const all = process.argv.includes('--all');
ensureOtherBrowsers(all);
if (all) ensureNumpy();
try {
  console.log(await ensureChromium());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
