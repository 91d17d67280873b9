import { join, resolve } from 'node:path';
import { minifySync } from 'rolldown/utils';
import { defineConfig, type Plugin } from 'vite';
import { sourceCommit } from '../bench/vite.config.ts';
import { labPlugins } from './labs.mjs';
import { licences } from './licences.ts';
import { matchingGlobs } from './matching-globs.ts';
import { ENTRIES, PACKAGE_FOLDER } from './package-entries.mjs';
import { shaderModules } from './shader-modules.ts';
import { withoutStories } from './without-stories.ts';

const ROOT = resolve(import.meta.dirname, '..');

/**
 * Names the package webgpu as #webgpu: package.json of the package maps that to webgpu under Node, and to a module
 * without a GPU elsewhere, so that bundlers for browsers do not read code for Node.
 */
const webgpuUnderNode: Plugin = {
  name: 'webgpu-under-node',
  enforce: 'pre',
  resolveId: (id) => (id === 'webgpu' ? { id: '#webgpu', external: true } : null),
};

/** The command's entry. */
const COMMAND = 'command/main';

/**
 * Minifies the chunks that only the command loads. What programs import keeps the names of its sources, for messages of
 * errors and for debuggers.
 */
const smallCommand: Plugin = {
  name: 'small-command',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
    const imported = new Set(chunks.filter(({ isEntry, name }) => isEntry && name !== COMMAND));
    for (const { imports, dynamicImports } of imported) {
      for (const chunk of chunks) {
        if ([...imports, ...dynamicImports].includes(chunk.fileName)) imported.add(chunk);
      }
    }
    for (const chunk of chunks) {
      if (imported.has(chunk)) continue;
      const { code, errors } = minifySync(chunk.fileName, chunk.code, {
        module: true,
        compress: true,
        mangle: { keepNames: { class: true, function: false } },
        codegen: true,
      });
      if (errors.length > 0) throw new Error(`${chunk.fileName}: ${errors[0].message}`);
      chunk.code = code;
    }
  },
};

/** Builds the package, with its command, in dist-package. It depends on no package but webgpu, and on that only under Node. */
// oxlint-disable-next-line import/no-default-export -- the shape that Vite expects
export default defineConfig({
  root: ROOT,
  publicDir: false,
  logLevel: 'warn',
  define: { SOURCE_COMMIT: JSON.stringify(sourceCommit()) },
  plugins: [
    webgpuUnderNode,
    withoutStories,
    matchingGlobs,
    shaderModules('uncommented'),
    ...(await labPlugins()),
    licences(ROOT).page,
    smallCommand,
  ],
  build: {
    outDir: join(PACKAGE_FOLDER, 'dist-lib'),
    target: 'es2023',
    minify: false,
    lib: {
      entry: {
        ...Object.fromEntries(Object.values(ENTRIES).map((name) => [name, `src/lib/${name}.ts`])),
        [COMMAND]: 'bench/command/main.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      external: [/^node:/],
      // Modules of src have no effects when they are imported: an entry contains only those that it uses.
      treeshake: { moduleSideEffects: [{ test: /\/src\//, sideEffects: false }] },
      output: {
        entryFileNames: ({ name }) => (name.startsWith('command/') ? '[name].mjs' : '[name].js'),
        chunkFileNames: 'shared/[name]-[hash].js',
        // Inlines constants and joins statements; names stay, for messages of errors and for debuggers.
        minify: {
          compress: { keepNames: { class: true, function: true } },
          mangle: false,
          codegen: true,
        },
        comments: { annotation: true, jsdoc: false, legal: true },
      },
    },
  },
});
