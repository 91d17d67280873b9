import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, parseAst, type Plugin } from 'vite';
import { licences } from './licences.ts';
import { shaderModules } from './shader-modules.ts';
import { withoutStories } from './without-stories.ts';

const ROOT = resolve(import.meta.dirname, '..');
const FORMATS = readdirSync(join(ROOT, 'src/lib/codecs')).map((file) => file.replace('.ts', ''));

const entry = (name: string): string => join(ROOT, 'src/lib', `${name}.ts`);

/** Puts each statement on its own line: Node prints the source line of an uncaught error, and a long line would hide the message. */
const statementLines: Plugin = {
  name: 'statement-a-line',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const starts = parseAst(chunk.code).body.flatMap((statement) =>
        statement.type === 'VariableDeclaration'
          ? [statement.start, ...statement.declarations.slice(1).map(({ start }) => start)]
          : [statement.start],
      );
      const ends = [...starts.slice(1), chunk.code.length];
      chunk.code = starts.map((start, i) => chunk.code.slice(start, ends[i])).join('\n');
    }
  },
};

/** Builds the package in dist-lib. Its only dependency is webgpu, which it needs only under Node. */
// oxlint-disable-next-line import/no-default-export -- the shape that Vite expects
export default defineConfig({
  root: ROOT,
  publicDir: false,
  logLevel: 'warn',
  plugins: [withoutStories, shaderModules('texts'), licences(ROOT).page, statementLines],
  build: {
    outDir: 'dist-lib',
    target: 'es2023',
    lib: {
      entry: {
        ...Object.fromEntries(['index', 'formats', 'files'].map((name) => [name, entry(name)])),
        ...Object.fromEntries(FORMATS.map((id) => [`codecs/${id}`, entry(`codecs/${id}`)])),
      },
      formats: ['es'],
    },
    rolldownOptions: {
      external: ['webgpu'],
      // Modules of src have no effects when they are imported: an entry contains only those that it uses.
      treeshake: { moduleSideEffects: false },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'shared/[name]-[hash].js',
        minify: { compress: true, mangle: { keepNames: { class: true, function: false } }, codegen: true },
      },
    },
  },
});
