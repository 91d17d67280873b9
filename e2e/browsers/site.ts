import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { serveStatic, type StaticServer } from '../static-server.ts';

const DIST = resolve(import.meta.dirname, '../../dist');

/** Runs before the page's own code, and keeps what goes wrong: not every browser tells it to who drives it. */
const WATCH = `
window.faults = [];
addEventListener('error', (event) => {
  const { message, target } = event;
  faults.push(message ? 'thrown: ' + message : 'did not load: ' + (target.src || target.href || target));
}, true);
addEventListener('unhandledrejection', ({ reason }) => faults.push('rejected: ' + reason));
const { error } = console;
console.error = (...words) => {
  faults.push('logged: ' + words.join(' '));
  error.apply(console, words);
};
`;

/** The built page, which keeps in `window.faults` what was thrown, rejected, logged as an error or could not be loaded. */
export async function serveWatched(): Promise<StaticServer> {
  const html = await readFile(resolve(DIST, 'index.html'), 'utf8');
  const watched = html.replace('<head>', '<head><script src="./watch.js"></script>');
  if (watched === html) throw new Error('dist/index.html: found no <head>');
  return serveStatic(DIST, '/', { 'index.html': watched, 'watch.js': WATCH });
}
