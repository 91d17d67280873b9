// `npm run build:lib`: builds the package in dist-lib with its types, and prints the size of its entries. Fails if one is too large.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { ROOT } from './packages.mjs';

const OUT = join(ROOT, 'dist-lib');

/** Maximum size of each entry with all files that its import loads, in kB, each file gzipped. */
const LIMITS_KB = { 'codecs/macko.js': 17, 'formats.js': 250, 'index.js': 80, 'files.js': 60 };

/**
 * The files that an import of an entry loads, the entry first; not what it imports later, on request.
 *
 * @param {string} file
 * @returns {readonly string[]}
 */
function loadedBy(file) {
  const seen = new Set([file]);
  // The loop also visits files that are added during it.
  for (const current of seen) {
    const text = readFileSync(current, 'utf8');
    for (const [, path] of text.matchAll(/\b(?:from|import)\s*["'`](\.[^"'`]+)["'`]/g)) {
      seen.add(join(dirname(current), path));
    }
  }
  return [...seen];
}

/**
 * Gzipped bytes of files, each by itself, as a server sends them.
 *
 * @param {readonly string[]} files
 */
const gzipped = (files) => files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);

async function main() {
  rmSync(OUT, { recursive: true, force: true });
  await build({ configFile: join(ROOT, 'scripts/lib.vite.config.ts') });
  await build({
    configFile: join(ROOT, 'bench/vite.config.ts'),
    mode: 'stories',
    logLevel: 'error',
    build: {
      ssr: 'bench/command/main.ts',
      outDir: join(OUT, 'command'),
      minify: true,
      rollupOptions: { output: { entryFileNames: 'main.mjs', chunkFileNames: '[name].mjs' } },
    },
  });
  // Lets bundlers leave out unused code. It is not in the root package.json, since some modules of src have side effects.
  const facts = { type: 'module', sideEffects: ['./command/**'] };
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(facts)}\n`);
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.lib.json'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('tsconfig.lib.json: found errors');
  for (const [name, limit] of Object.entries(LIMITS_KB)) {
    const file = join(OUT, name);
    const kB = gzipped(loadedBy(file)) / 1000;
    console.log(`${relative(ROOT, file)}: ${kB.toFixed(1)} kB gzipped, at most ${limit} kB`);
    if (kB > limit) process.exitCode = 1;
  }
}

if (process.argv[1] === import.meta.filename) await main();
