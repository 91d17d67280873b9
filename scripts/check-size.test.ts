// The checks of the built site: the size of its first scripts, and that no story or kernel is among them.

import { describe, expect, test } from 'vitest';
import { checkShaders, initialScripts, storyScripts, workerScripts } from './check-size.mjs';

describe('initialScripts', () => {
  const html = `
    <script type="module" crossorigin src="./assets/index-1.js"></script>
    <link rel="modulepreload" crossorigin href="./assets/react-2.js">
    <link rel="stylesheet" href="./assets/index-3.css">`;

  test('counts scripts and module preloads of the page, not its styles', () => {
    expect(initialScripts(html, {})).toEqual(['assets/index-1.js', 'assets/react-2.js']);
  });

  test('follows static imports, each once, and leaves dynamic ones out', () => {
    const manifest = {
      'index.html': { file: 'assets/index-1.js', imports: ['_react', '_shared'], dynamicImports: ['lazy.ts'] },
      _react: { file: 'assets/react-2.js' },
      _shared: { file: 'assets/shared-4.js', imports: ['_deep', '_react'] },
      _deep: { file: 'assets/deep-5.js' },
      'lazy.ts': { file: 'assets/lazy-6.js' },
    };
    expect(initialScripts(html, manifest)).toEqual([
      'assets/deep-5.js',
      'assets/index-1.js',
      'assets/react-2.js',
      'assets/shared-4.js',
    ]);
  });

  test('finds nothing in a page without scripts', () => {
    expect(initialScripts('<p>empty</p>', {})).toEqual([]);
  });
});

describe('storyScripts', () => {
  const manifest = {
    'index.html': { file: 'assets/index-1.js' },
    'src/formats/csr/story/index.ts': { file: 'assets/story-csr-2.js' },
    'src/ui/story.ts': { file: 'assets/story-3.js' },
  };

  test('finds the chunks of the formats', () => {
    expect(storyScripts(manifest, ['assets/index-1.js'])).toEqual(['assets/story-csr-2.js']);
  });

  test('rejects a story on the first screen', () => {
    expect(() => storyScripts(manifest, ['assets/index-1.js', 'assets/story-csr-2.js'])).toThrow(
      'src/formats/csr/story/index.ts: found it on the first screen',
    );
  });

  test('rejects a build without chunks for stories', () => {
    expect(() => storyScripts({ 'index.html': { file: 'assets/index-1.js' } }, [])).toThrow(
      'found no chunk of a story',
    );
  });
});

describe('workerScripts', () => {
  test('follows static imports of the engine, each once, and leaves dynamic ones out', () => {
    const texts = {
      'index-1.js': 'new Worker("engine.worker-2.js")',
      'engine.worker-2.js':
        'import{a}from"./first.worker-3.js";import"./more.worker-4.js";import("./later.worker-5.js")',
      'first.worker-3.js': 'import { b } from "./more.worker-4.js"; export const a = b;',
      'more.worker-4.js': 'export const b = 1;',
      'later.worker-5.js': '',
    };
    expect(workerScripts(texts)).toEqual(['engine.worker-2.js', 'first.worker-3.js', 'more.worker-4.js']);
  });

  test('rejects a site without an engine', () => {
    expect(() => workerScripts({ 'index-1.js': '' })).toThrow('found 0 scripts of the engine');
  });
});

describe('checkShaders', () => {
  const worker = { 'engine.worker-1.js': 'const main = `@compute @workgroup_size(64) fn main() {}`;' };

  test('allows kernels in workers, and quoted lines in the page', () => {
    expect(() => checkShaders({ ...worker, 'story-macko-2.js': 'let sum = subgroupAdd(x);' })).not.toThrow();
  });

  test('rejects a chunk of the page with a kernel', () => {
    const page = { 'index-3.js': 'export default { code: "@compute fn main() {}" }' };
    expect(() => checkShaders({ ...worker, ...page })).toThrow('index-3.js: found the text of a kernel');
  });

  test('rejects a site without any kernel', () => {
    expect(() => checkShaders({ 'index-3.js': '' })).toThrow('found no kernel in any file');
  });
});
