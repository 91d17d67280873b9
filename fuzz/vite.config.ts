import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { formatCatalog } from '../scripts/format-catalog.ts';
import { labPlugins } from '../scripts/labs.mjs';
import { matchingGlobs } from '../scripts/matching-globs.ts';
import { shaderModules } from '../scripts/shader-modules.ts';
import { countedWork } from './counted-work.ts';

/** One file, .cache/fuzz.mjs, that needs nothing but Node. */
// oxlint-disable-next-line import/no-default-export -- the shape that Vite expects
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  publicDir: false,
  plugins: [matchingGlobs, formatCatalog(), shaderModules('texts'), ...(await labPlugins()), countedWork],
  ssr: { noExternal: true },
  build: {
    ssr: 'fuzz/main.ts',
    target: 'node20',
    outDir: '.cache',
    emptyOutDir: false,
    minify: false,
    rollupOptions: { output: { entryFileNames: 'fuzz.mjs' } },
  },
});
