import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LICENCES_FILE, licences, licencesIn, packageFolder } from './licences.ts';

describe('packageFolder', () => {
  test.each([
    ['/site/src/a.ts', null],
    ['/site/node_modules/d3-dsv/src/csv.js?raw', '/site/node_modules/d3-dsv'],
    ['/site/node_modules/@lezer/common/dist/index.js', '/site/node_modules/@lezer/common'],
    ['/site/node_modules/a/node_modules/b/index.js', '/site/node_modules/a/node_modules/b'],
    ['node_modules/@fontsource/ibm-plex-mono/files/a.woff2', '/site/node_modules/@fontsource/ibm-plex-mono'],
    ['\0vite/preload-helper.js', '/site/node_modules/vite'],
    ['\0virtual:of-ours', null],
  ])('returns for the module %j the folder %j', (id, folder) => {
    expect(packageFolder('/site', id)).toBe(folder);
  });
});

describe('the file of licences of a built site', () => {
  let root = '';
  /** Writes a file of the site. */
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const putPackage = (name: string, files: Readonly<Record<string, string>>): void => {
    put(
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: '1.2.3', license: 'MIT', main: 'index.js' }),
    );
    for (const [file, text] of Object.entries(files)) put(`node_modules/${name}/${file}`, text);
  };
  /** Builds the site, and returns the text of its file of licences. */
  const built = async (): Promise<string> => {
    const { page, worker } = licences(root);
    const output = (await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [page],
      worker: { format: 'es', plugins: () => [worker] },
      build: { write: false, assetsInlineLimit: 0 },
    })) as Rolldown.RolldownOutput;
    const file = output.output.find(({ fileName }) => fileName === LICENCES_FILE);
    if (file?.type !== 'asset') throw new Error(`found no ${LICENCES_FILE}`);
    return String(file.source);
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'licences-'));
    put('LICENSE', 'ours\n');
    put('index.html', '<script type="module" src="./main.js"></script>');
    put(
      'main.js',
      `import a from 'on-the-page'; import './a.css';
       new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }); a();`,
    );
    put('a.css', `@import '@styles/a-style/a.css'; @font-face { font-family: a; src: url('@fonts/a-font/a.woff2'); }`);
    put('worker.js', `import b from 'in-a-worker'; b();`);
    putPackage('on-the-page', {
      'index.js': 'export default () => console.log(1);',
      LICENSE: 'text of a',
      'NOTICE.txt': 'notice of a',
    });
    putPackage('in-a-worker', { 'index.js': 'export default () => console.log(2);', 'license.md': 'text of b' });
    putPackage('@fonts/a-font', { 'a.woff2': 'font', LICENSE: 'text of the font' });
    putPackage('@styles/a-style', { 'a.css': 'p { margin: 0 }', LICENSE: 'text of the style' });
    for (const tool of ['vite', 'rolldown']) putPackage(tool, { LICENSE: `text of ${tool}` });
    putPackage('unused', { 'index.js': 'export default () => console.log(3);', LICENSE: 'text of c' });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test('the file of licences contains those of packages in the page, workers, fonts and style sheets', async () => {
    const texts = licencesIn(await built());
    expect([...texts.keys()].filter((name) => !['vite', 'rolldown'].includes(name))).toEqual([
      'SparseScope',
      '@fonts/a-font',
      '@styles/a-style',
      'in-a-worker',
      'on-the-page',
    ]);
    expect(texts.get('SparseScope')).toBe('\nours');
    expect(texts.get('@fonts/a-font')).toContain('text of the font');
    expect(texts.get('@styles/a-style')).toContain('text of the style');
    expect(texts.get('in-a-worker')).toContain('text of b');
    expect(texts.get('on-the-page')).toBe('MIT\n\ntext of a\nnotice of a');
  });

  test('if a licence is missing, the build fails and names the package', async () => {
    rmSync(join(root, 'node_modules/in-a-worker/license.md'));
    await expect(built()).rejects.toThrow('in-a-worker: found no file with its licence');
  });
});
