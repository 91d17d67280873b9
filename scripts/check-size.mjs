// Fails when the first screen loads more JavaScript than it may: the entry of dist/index.html and all that it imports
// statically, gzipped as a server would send it. What is imported later is not counted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const LIMIT_KIB = 220;

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
  for (const file of seen) {
    const chunk = chunks.find((c) => c.file === file);
    for (const name of chunk?.imports ?? []) seen.add(manifest[name].file);
  }
  return [...seen].toSorted();
}

/** @param {string} dist folder of the built site */
function check(dist) {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));
  const files = initialScripts(html, manifest);
  if (files.length === 0) throw new Error(`${dist}/index.html: found no script, expected the entry of the application`);
  let total = 0;
  for (const file of files) {
    const kib = gzipSync(readFileSync(join(dist, file))).length / 1024;
    total += kib;
    console.log(`${kib.toFixed(1).padStart(7)} KiB  ${file}`);
  }
  console.log(`${total.toFixed(1).padStart(7)} KiB gzip of initial JavaScript, at most ${LIMIT_KIB} allowed`);
  if (total > LIMIT_KIB) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  check(join(fileURLToPath(import.meta.url), '..', '..', 'dist'));
}
