// node scripts/check-size.mjs [FOLDER]: fails if the first screen loads more JavaScript than allowed: the entry of
// FOLDER/index.html (default: dist) and everything that it imports statically, gzipped as a server would send it. Later
// imports are not counted; the engine's worker has a separate limit. Also checks that the stories of the formats are
// loaded later, and that no chunk of the page contains the text of a kernel, which only workers need.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** Maximum size of the JavaScript that the first screen loads, gzipped. */
const LIMIT_KIB = 135;
/** Maximum size of the JavaScript that the engine's worker loads before it runs, gzipped. */
const WORKER_LIMIT_KIB = 300;

/**
 * The JavaScript files that a page loads before it runs: scripts and module preloads of its HTML, and from there every
 * static import.
 *
 * @param {string} html text of index.html
 * @param {Record<string, { file: string, imports?: readonly string[] }>} manifest Vite's, chunk by source name
 * @returns {readonly string[]} paths below dist, sorted
 */
export function initialScripts(html, manifest) {
  const tags = html.match(/<(?:script|link)\b[^>]*>/g) ?? [];
  const files = tags.flatMap((tag) => {
    if (!tag.startsWith('<script') && !/\brel="modulepreload"/.test(tag)) return [];
    const address = /\b(?:src|href)="([^"]+)"/.exec(tag);
    return address ? [address[1].replace(/^\.?\//, '')] : [];
  });
  const chunks = Object.values(manifest);
  const seen = new Set(files);
  // The loop also visits files that are added during it.
  for (const file of seen) {
    const chunk = chunks.find((c) => c.file === file);
    for (const name of chunk?.imports ?? []) seen.add(manifest[name].file);
  }
  return [...seen].toSorted();
}

/**
 * The chunks of the formats' stories. Throws Error if one of them is loaded with the page, or if there is none, since they are
 * then inside of other chunks.
 *
 * @param {Record<string, { file: string }>} manifest Vite's, chunk by source name
 * @param {readonly string[]} initial what the page loads before it runs
 * @returns {readonly string[]} paths below dist, in the order of the manifest
 */
export function storyScripts(manifest, initial) {
  const stories = Object.entries(manifest).filter(([source]) => /^src\/formats\/[^/]+\/story\/index\.ts$/.test(source));
  if (stories.length === 0) throw new Error('the manifest: found no chunk of a story, expected one for each format');
  for (const [source, { file }] of stories) {
    if (initial.includes(file))
      throw new Error(`${source}: found it on the first screen, expected it to be loaded later`);
  }
  return stories.map(([, { file }]) => file);
}

/**
 * Throws Error if a file contains the text of a kernel, unless it is a worker, has the kernels of a format to read, or
 * has texts for users to edit: exercises and starters.
 *
 * @param {Readonly<Record<string, string>>} texts of JavaScript files by name
 */
export function checkShaders(texts) {
  const kernels = Object.keys(texts).filter((file) => texts[file].includes('@compute'));
  if (kernels.length === 0) throw new Error('found no kernel in any file, expected a worker that has them');
  const onPage = kernels.filter(
    (file) => !file.includes('.worker-') && !/(?:^|\/)(?:exercises|starters|kernels)-/.test(file),
  );
  if (onPage.length > 0)
    throw new Error(
      `${onPage.join(', ')}: found the text of a kernel, expected it only in workers, kernels to read, exercises and starters`,
    );
}

/**
 * The scripts that the engine's worker loads before it runs: its own and all static imports. Throws Error if there is none.
 *
 * @param {Readonly<Record<string, string>>} texts of JavaScript files by name
 * @returns {readonly string[]} names
 */
export function workerScripts(texts) {
  const seen = new Set(Object.keys(texts).filter((file) => file.startsWith('engine.worker-')));
  if (seen.size !== 1) throw new Error(`found ${seen.size} scripts of the engine's worker, expected one`);
  for (const file of seen) {
    for (const [, imported] of texts[file].matchAll(/\b(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      seen.add(imported);
  }
  return [...seen];
}

/**
 * Prints the gzipped size of a file, and returns it.
 *
 * @param {string} dist folder of the built site
 * @param {string} file path below it
 * @returns {number} KiB
 */
function printSize(dist, file) {
  const kib = gzipSync(readFileSync(join(dist, file))).length / 1024;
  console.log(`${kib.toFixed(1).padStart(7)} KiB  ${file}`);
  return kib;
}

/**
 * Checks a built site, and prints the sizes of its files.
 *
 * @param {string} dist folder of the built site
 */
function check(dist) {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));
  const files = initialScripts(html, manifest);
  if (files.length === 0) throw new Error(`${dist}/index.html: found no script, expected the entry of the application`);
  for (const story of storyScripts(manifest, files)) printSize(dist, story);
  const assets = readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.js'));
  const texts = Object.fromEntries(assets.map((file) => [file, readFileSync(join(dist, 'assets', file), 'utf8')]));
  checkShaders(texts);
  let worker = 0;
  for (const file of workerScripts(texts)) worker += printSize(dist, `assets/${file}`);
  console.log(`${worker.toFixed(1).padStart(7)} KiB gzip of the engine's worker, at most ${WORKER_LIMIT_KIB} allowed`);
  let total = 0;
  for (const file of files) total += printSize(dist, file);
  console.log(`${total.toFixed(1).padStart(7)} KiB gzip of initial JavaScript, at most ${LIMIT_KIB} allowed`);
  if (total > LIMIT_KIB || worker > WORKER_LIMIT_KIB) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  check(resolve(process.argv[2] ?? join(fileURLToPath(import.meta.url), '..', '..', 'dist')));
}
