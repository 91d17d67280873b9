import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { filesIn, LAB_PARTS, labFiles, labNames, partsOfLabs } from '../scripts/labs.mjs';
import { emptyGlobs } from '../scripts/matching-globs.ts';
import { ROOT } from '../scripts/packages.mjs';
import { LABS } from '../src/app/labs.ts';

/** Temporary folders to delete after a test. */
const folders: string[] = [];

/** Writes files to a new temporary folder, and returns its path. */
function project(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'labs-'));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Part of the name of a script that does not exist: written apart, so that test/project.test.ts does not report it. */
const RUN = 'npm run';

/** Files that repeat the list of labs: they still name the lab `gone`, whose folder was deleted. */
const PROJECT = {
  ...Object.fromEntries(['bench', 'e2e', 'fuzz', 'scripts', 'src', 'test'].map((folder) => [`${folder}/a.ts`, ''])),
  'package.json': JSON.stringify({
    devDependencies: { drawing: '1.0.0', editor: '1.0.0' },
    scripts: { unit: 'vitest', gone: 'node scripts/run.mjs labs/gone/bench/gone.ts', labs: 'node scripts/labs.mjs' },
  }),
  'README.md': 'Kept.\n- [Gone](labs/gone/README.md)\n- [Some](labs/some/README.md), with labs/X/lab.ts\n',
  'CONTRIBUTING.md': 'npm run unit\n',
  'docs/a.md': `Measured by \`${RUN} gone\`.\n`,
  'src/a.json': `{ "source": "${RUN} gone, and ${RUN} goner" }\n`,
  'labs/README.md': '# Labs\n\n<!-- labs -->\n<!-- /labs -->\nMore.\n',
};
/** The files of a lab. */
const SOME_LAB = {
  'labs/some/lab.ts': '',
  'labs/some/scripts.json': '{ "try": "bench/try.ts" }',
  'labs/some/README.md': '# Some lab\n\nThe first sentence. The second.\n',
};

test('files that repeat the list of labs are up to date', () => {
  const written = [...labFiles()].filter(([path, text]) => readFileSync(join(ROOT, path), 'utf8') !== text);
  expect(
    written.map(([path]) => path),
    'run `npm run labs` and commit what it writes',
  ).toEqual([]);
  expect(LABS).toHaveLength(labNames().length);
});

test('labFiles removes the line, the scripts and the links of a lab that does not exist', () => {
  const files = labFiles(project({ ...PROJECT, ...SOME_LAB }));
  expect(files.get('src/app/labs.ts')).toContain("import { some } from '../../labs/some/lab.ts';\n");
  expect(files.get('src/app/labs.ts')).toContain('LABS: readonly Lab[] = [some];');
  expect(JSON.parse(files.get('package.json') ?? '').scripts).toEqual({
    unit: 'vitest',
    labs: 'node scripts/labs.mjs',
    try: 'node scripts/run.mjs labs/some/bench/try.ts',
  });
  expect(files.get('README.md')).toBe('Kept.\n- [Some](labs/some/README.md), with labs/X/lab.ts\n');
  // The sources of figures keep the name of the removed script.
  expect(files.get('docs/a.md')).toBe('Measured by `gone`.\n');
  expect(files.get('src/a.json')).toBe(`{ "source": "gone, and ${RUN} goner" }\n`);
  expect(files.get('labs/README.md')).toBe(
    '# Labs\n\n<!-- labs -->\n\n- [Some lab](some/README.md). The first sentence.\n\n<!-- /labs -->\nMore.\n',
  );
  expect(files.has('CONTRIBUTING.md')).toBe(false);
});

test('labFiles lists what only one lab imports, and keeps the list of a lab that does not exist', () => {
  const root = project({
    ...PROJECT,
    ...SOME_LAB,
    'src/a.ts': "import { draw } from 'drawing';\nimport { shared } from './kit/b.ts';\n",
    'labs/some/page/a.ts': [
      "import { draw } from 'drawing';",
      "import Editor, { type Line } from 'editor';",
      "import { readFileSync } from 'node:fs';",
      "import { shared, type Kind, size as bytes } from '../../../src/kit/b.ts';",
      "export { size } from '../../../src/kit/c.ts';",
      "import { own } from '../own.ts';",
      "import { help } from '../../../test/a.ts';",
    ].join('\n'),
    'labs/other/lab.ts': "import {\n  shared,\n  size,\n} from '../../src/kit/b.ts';\n",
    'labs/other/README.md': '# Other\n\nA sentence.\n',
    'labs/gone.uses.ts': "export type { size } from '../src/kit/b.ts';\n",
  });
  const written = [...labFiles(root)].filter(([path]) => path.endsWith('.uses.ts'));
  const head = (lab: string): string =>
    `// Written by \`npm run labs\`: exports and packages that only labs/${lab} uses. Nothing imports this file. It keeps knip, which\n// finds unused exports, from reporting them while that folder is removed. Delete it when the lab is gone for good.\n`;
  expect(Object.fromEntries(written)).toEqual({
    'labs/other.uses.ts': `${head('other')}export type { size } from '../src/kit/b.ts';\n`,
    'labs/some.uses.ts': `${head('some')}import type {} from 'editor';
export type { Kind, size } from '../src/kit/b.ts';
export type { size as sizeToo } from '../src/kit/c.ts';
`,
  });
});

describe('a wrong path is an error instead of an empty list', () => {
  test('labNames and partsOfLabs reject a wrong folder or file name', () => {
    expect(labNames(project({ 'labs/README.md': '' }))).toEqual([]);
    expect(() => labNames(project({ 'src/a.ts': '' }))).toThrow('expected that of the labs');
    expect(() => labNames(project({ 'labs/some/a.ts': '' }))).toThrow('labs/some: found no lab.ts');
    expect(partsOfLabs('lab.ts', project(SOME_LAB))).toEqual(['labs/some/lab.ts']);
    expect(partsOfLabs('worker.ts', project(SOME_LAB))).toEqual([]);
    expect(() => partsOfLabs('workers.ts')).toThrow("'workers.ts': found no such file of a lab");
  });

  test('filesIn rejects a folder without a matching file, except without labs', () => {
    const root = project({ ...SOME_LAB, 'src/a.ts': '', 'src/deep/b.tsx': '' });
    expect(filesIn(['src', 'labs'], /\.tsx?$/, root)).toEqual(['src/a.ts', 'src/deep/b.tsx', 'labs/some/lab.ts']);
    expect(() => filesIn(['src', 'labs'], /\.css$/, root)).toThrow('src: found no file like /\\.css$/');
    expect(() => filesIn(['labs'], /\.css$/, root)).toThrow('labs: found no file');
    expect(() => filesIn(['source'], /\.ts$/, root)).toThrow('ENOENT');
    expect(filesIn(['labs'], /\.css$/, project({ 'labs/README.md': '' }))).toEqual([]);
  });

  test('emptyGlobs reports import.meta.glob patterns that match no file', () => {
    const root = project({ ...SOME_LAB, 'src/app/a.ts': '', 'src/app/texts/1-a.md': '' });
    const globErrors = (pattern: string): readonly string[] =>
      emptyGlobs(join(root, 'src/app/a.ts'), `import.meta.glob<A<(b: C) => D>>(${pattern}, {\n eager: true })`, root);
    expect(
      ['./texts/*.md', './*/1-*.md', '../../labs/*/lab.ts'].flatMap((pattern) => globErrors(`'${pattern}'`)),
    ).toEqual([]);
    // A lab may lack an optional part.
    expect(globErrors("'../../labs/*/worker.ts'")).toEqual([]);
    expect(globErrors("['./texts/*.md', '../labs/*/worker.ts']")).toEqual([
      "src/app/a.ts: import.meta.glob('../labs/*/worker.ts') finds no file, expected at least one",
    ]);
    for (const pattern of ['./texts/*.txt', './text/*.md', '../../labs/*/workers.ts'])
      expect(globErrors(`'${pattern}'`), pattern).toHaveLength(1);
  });
});

test('every path in LAB_PARTS exists in some lab', () => {
  const files = filesIn(['labs'], /./);
  const missing = LAB_PARTS.filter((part) => {
    const pattern = new RegExp(`^labs/[^/]+/${part.replaceAll('.', '\\.').replace(/\*+/, '.*')}$`);
    return !files.some((file) => pattern.test(file));
  });
  // Other parts may be missing: the only lab with such a part can be removed.
  expect(missing.filter((part) => /^(?:lab|worker)\.ts$|^lessons/.test(part))).toEqual([]);
});
