import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { labPlugins } from '../scripts/labs.mjs';
import { matchingGlobs } from '../scripts/matching-globs.ts';
import { shaderModules } from '../scripts/shader-modules.ts';
import { withoutStories } from '../scripts/without-stories.ts';

/**
 * The Git commit of the sources, which a recording stores: eight hexadecimal digits, with '-dirty' if tracked files have
 * changes; 'unknown' without Git.
 */
export function sourceCommit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=8', '--exclude=*'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}

/** Programs that draw stories are built in the mode 'stories'; the others show none. */
const plugins = [matchingGlobs, shaderModules('texts'), ...(await labPlugins())];

/** One file, .cache/bench.mjs, that needs nothing but Node and the 'webgpu' package. */
// oxlint-disable-next-line import/no-default-export -- the shape that Vite expects
export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL('..', import.meta.url)),
  publicDir: false,
  define: { SOURCE_COMMIT: JSON.stringify(sourceCommit()) },
  plugins: mode === 'stories' ? plugins : [withoutStories, ...plugins],
  ssr: { noExternal: true, external: ['webgpu'] },
  build: {
    ssr: 'bench/main.ts',
    target: 'node20',
    outDir: '.cache',
    emptyOutDir: false,
    minify: false,
    rollupOptions: { output: { entryFileNames: 'bench.mjs' } },
  },
}));
