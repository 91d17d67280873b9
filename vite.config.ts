import { readFileSync } from 'node:fs';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { contentSecurityPolicy } from './scripts/content-security-policy.ts';
import { formatCatalog } from './scripts/format-catalog.ts';
import { licences } from './scripts/licences.ts';
import { FACES } from './scripts/import-rules.mjs';
import { labFilesServed } from './scripts/lab-files.ts';
import { filesIn, labPlugins } from './scripts/labs.mjs';
import { matchingGlobs } from './scripts/matching-globs.ts';
import { offline } from './scripts/offline/plugin.ts';
import { shaderModules } from './scripts/shader-modules.ts';
import { withoutStories } from './scripts/without-stories.ts';
import { CHROMIUM_ARGS, chromiumPath } from './test/chromium.ts';

const executablePath = chromiumPath();
const { page: licencesFile, worker: licencesOfWorkers } = licences(import.meta.dirname);

/** Lines around a quoted one that may be shown with it. */
const QUOTED_AROUND = 4;

/**
 * Scenes quote a few marked lines of real sources (src/story/code-excerpt.ts). The page carries those and their
 * neighbours; the other lines are left empty, so that line numbers stay.
 */
const quotedLines: Plugin = {
  name: 'quoted-lines',
  apply: 'build',
  enforce: 'pre',
  load(id) {
    // The kernels of exercises are shown whole, and formats of one's own take sources home whole.
    if (!/\.(?:ts|wgsl)\?raw$/.test(id) || /\/(?:exercises|own)\//.test(id)) return null;
    const lines = readFileSync(id.replace(/\?raw$/, ''), 'utf8').split('\n');
    const marked = lines.flatMap((line, i) => (line.includes('// step: ') ? [i] : []));
    const kept = lines.map((line, i) => (marked.some((m) => Math.abs(m - i) <= QUOTED_AROUND) ? line : ''));
    return `export default ${JSON.stringify(kept.join('\n'))}`;
  },
};

/** The preview sends files as they are: on the machine that they are for, compressing takes longer than sending. */
const plainPreview: Plugin = {
  name: 'plain-preview',
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      delete request.headers['accept-encoding'];
      next();
    });
  },
};

/** The only kernels that the page carries, by names that scripts/check-size.mjs knows. */
const KERNEL_CHUNKS: readonly string[] = ['exercises', 'starters'];

/**
 * The first script lists all chunks by name: what only other chunks import has none but a hash. The chunk of a story carries
 * the name of its format.
 */
function chunkName(chunk: { readonly name: string; readonly facadeModuleId: string | null }): string {
  const { name, facadeModuleId } = chunk;
  if (facadeModuleId === null) return KERNEL_CHUNKS.includes(name) ? `assets/${name}-[hash].js` : 'assets/[hash].js';
  if (facadeModuleId.startsWith('\0virtual:kernel-texts/')) return 'assets/kernels-[hash].js';
  const story = /\/formats\/([^/]+)\/story\/index\.ts$/.exec(facadeModuleId);
  return story ? `assets/story-${story[1]}-[hash].js` : 'assets/[name]-[hash].js';
}

/** A face only re-exports: whoever imports it loads the files of the names that it uses, and no others. */
const FACE_FILE = new RegExp(`/(?:${FACES.map(({ folder }) => folder).join('|')})/index\\.ts$`);
const treeshake = { moduleSideEffects: [{ test: FACE_FILE, sideEffects: false }] };

/** Tests in Node. */
const inThreads = {
  environment: 'node',
  globalSetup: 'test/provided.ts',
  setupFiles: 'test/seeded-properties.ts',
  // A second, the default, is less than it takes where other work has the cores.
  expect: { poll: { timeout: 30_000 } },
  // Ends a test that hangs. The longest takes 8 s, and much longer where other work has the cores.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // By default one core is left free, which of two is half. A stage of npm test has one worker beside another stage.
  maxWorkers: process.env.TEST_WORKERS ?? '100%',
  // Threads begin sooner than processes.
  pool: 'threads',
} as const;

/** Tests of parts of the page. */
const components = { ...inThreads, setupFiles: [inThreads.setupFiles, 'test/patient-queries.ts'] };

/** Those that replace modules. */
const replacing = filesIn(['src', 'labs'], /\.test\.tsx$/).filter((file) =>
  readFileSync(file, 'utf8').includes('vi.mock('),
);
if (replacing.length === 0)
  throw new Error("found no test with 'vi.mock(', expected those of components that replace modules");

// oxlint-disable-next-line import/no-default-export -- the shape that Vite expects
export default defineConfig({
  base: './',
  plugins: [
    react(),
    tailwindcss(),
    formatCatalog(),
    shaderModules('paths'),
    ...(await labPlugins()),
    labFilesServed(),
    matchingGlobs,
    quotedLines,
    plainPreview,
    contentSecurityPolicy,
    licencesFile,
    offline,
  ],
  // Found late by the browser tests, they would be optimised in the middle of a run and reload the page.
  optimizeDeps: {
    include: [
      '@huggingface/tokenizers',
      'comlink',
      'd3-selection',
      'd3-zoom',
      'fast-check',
      'fflate',
      'idb-keyval',
      'zustand',
      'zustand/vanilla',
    ],
  },
  worker: {
    format: 'es',
    plugins: () => [matchingGlobs, withoutStories, shaderModules('texts'), licencesOfWorkers],
    // What labs do is loaded when it is first asked for; scripts/check-size.mjs knows the chunks by their names.
    rolldownOptions: {
      treeshake,
      output: {
        chunkFileNames: 'assets/[name].worker-[hash].js',
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
      },
    },
  },
  // The manifest tells scripts/check-size.mjs which chunks the first screen loads.
  build: {
    target: 'es2023',
    manifest: true,
    modulePreload: {
      // What the page began with is there: Firefox reports a preload of it as a load that failed.
      resolveDependencies: (_file, dependencies) =>
        dependencies.filter((path) => !/(?:^|\/)index-[\w-]+\.js$/.test(path)),
    },
    rolldownOptions: {
      treeshake,
      output: {
        chunkFileNames: chunkName,
        // What the page cannot do without is one file, also where a story shares a part of it.
        codeSplitting: {
          groups: [
            { name: 'page', tags: ['$initial'] },
            // Stories of declared formats share it: in pieces it would take more names in the first script.
            { name: 'declared', test: /\/(?:core|story)\/declared\// },
            { name: 'exercises', test: /\/workbench\/exercises\// },
            { name: 'starters', test: /\/own\/(?:starters\/.*\.wgsl|kernel\/start-text)/ },
          ],
        },
      },
    },
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          ...inThreads,
          name: 'unit',
          include: ['{src,labs,test,bench,fuzz,scripts}/**/*.test.ts'],
          exclude: ['**/*.gpu.test.ts', 'node_modules/**'],
          // Modules are loaded once for all files of a thread: isolated, they cost a third of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...components,
          name: 'components',
          include: ['{src,labs}/**/*.test.tsx'],
          exclude: replacing,
          isolate: false,
        },
      },
      // Isolated, since modules that a file replaces would stay replaced for the next one.
      { extends: true, test: { ...components, name: 'components that replace modules', include: replacing } },
      {
        extends: true,
        test: {
          name: 'gpu',
          include: ['{src,labs,bench}/**/*.gpu.test.ts'],
          // One page for all files, which loads the modules once.
          isolate: false,
          globalSetup: 'test/provided.ts',
          setupFiles: 'test/seeded-properties.ts',
          testTimeout: 300_000,
          hookTimeout: 300_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            instances: [{ browser: 'chromium' }],
            provider: playwright({
              launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
            }),
          },
        },
      },
    ],
  },
});
