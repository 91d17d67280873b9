// Serves the built page with a script that records errors and can speed up the page's clock, for browsers other than Chromium.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { serveStatic, type StaticServer } from '../static-server.ts';

const DIST = resolve(import.meta.dirname, '../../dist');

/**
 * Runs before the page's own code, and records errors: not every browser reports them to its driver. `hurry(times)` lets the
 * page's clock, by which pictures move, run that many times as fast from then on. The details sections of Watch are open.
 */
const ERROR_RECORDER = `
window.faults = [];
if (location.protocol.startsWith('http')) localStorage.setItem('sparsescope.folds', 'bytes step size tables');
addEventListener('error', (event) => {
  const { message, target } = event;
  // Not an exception: the browser reports sizes that changed during layout in the next frame.
  if (/^ResizeObserver loop/.test(message)) return;
  faults.push(message ? 'thrown: ' + message : 'did not load: ' + (target.src || target.href || target));
}, true);
addEventListener('unhandledrejection', ({ reason }) => faults.push('rejected: ' + reason));
const { error } = console;
console.error = (...words) => {
  faults.push('logged: ' + words.join(' '));
  error.apply(console, words);
};
const now = performance.now.bind(performance);
const frame = requestAnimationFrame.bind(window);
// Since the real time 'began', at which the page's clock showed 'shown', it runs 'times' times as fast.
let began = 0, shown = 0, times = 1;
const hurried = (ms) => shown + (ms - began) * times;
performance.now = () => hurried(now());
window.requestAnimationFrame = (run) => frame((ms) => run(hurried(ms)));
window.hurry = (faster) => {
  const ms = now();
  [shown, began, times] = [hurried(ms), ms, faster];
};
`;

/**
 * The built page, which records in `window.faults` what was thrown, rejected, logged as an error or failed to load, and has
 * `window.hurry`. `extra`: further files by name.
 */
export async function serveWithErrorRecorder(extra: Readonly<Record<string, string>> = {}): Promise<StaticServer> {
  const html = await readFile(resolve(DIST, 'index.html'), 'utf8');
  const withRecorder = html.replace('<head>', '<head><script src="./error-recorder.js"></script>');
  if (withRecorder === html) throw new Error('dist/index.html: found no <head>');
  return serveStatic(DIST, '/', { 'index.html': withRecorder, 'error-recorder.js': ERROR_RECORDER, ...extra });
}
