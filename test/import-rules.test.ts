// The import rules: lint rules, the table of allowed imports, public faces of folders, labs, and what a page loads.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allWrongImports, FACES, wrongFaces, wrongImports, wrongLabs } from '../scripts/import-rules.mjs';

/** One line of code in one file, and the expected message of the linter; null for none. */
interface Case {
  readonly file: string;
  readonly code: string;
  readonly message: string | null;
}

const WORKERS = 'Workers are started by src/app/connect-engine.ts and src/app/start-task-thread.ts alone.';

const forbidden: readonly Case[] = [
  { file: 'src/engine/host.ts', code: `export const w = new Worker('x.js');`, message: WORKERS },
  { file: 'src/kit/x.ts', code: `export const w = new SharedWorker('x.js');`, message: WORKERS },
  { file: 'src/gpu/x.ts', code: `export const r = Math.random();`, message: 'Unseeded' },
  { file: 'src/kit/any.ts', code: `export const f = (a: any) => a;`, message: 'any' },
  { file: 'src/kit/non-null.ts', code: `export const f = (a?: string) => a!.length;`, message: 'non-null' },
  { file: 'src/kit/default.ts', code: `export default 1;`, message: 'default' },
  { file: 'src/kit/Utils.ts', code: `export {};`, message: 'kebab-case' },
  { file: 'src/kit/cycle-a.ts', code: `import './cycle-b.ts';`, message: 'cycle' },
  { file: 'src/kit/cycle-b.ts', code: `import './cycle-a.ts';`, message: 'cycle' },
  { file: 'src/kit/later.ts', code: `// TODO: later`, message: 'todo' },
];

const allowed: readonly Omit<Case, 'message'>[] = [
  { file: 'src/app/connect-engine.ts', code: `export const w = new Worker('x.js');` },
  { file: 'src/app/start-task-thread.ts', code: `export const w = new Worker('x.js');` },
];

const cases: readonly Case[] = [...allowed.map((c) => ({ ...c, message: null })), ...forbidden];
const root = resolve(import.meta.dirname, '..');
const findings = new Map<Case, string[]>();
let folder = '';

interface Diagnostic {
  readonly message: string;
  readonly help?: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

// All cases of one file become the lines of one file, so that a single run of the linter sees everything.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'import-rules-'));
  const { options: _typeAware, ...config } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8'));
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
  const files = new Map<string, Case[]>();
  for (const c of cases) files.set(c.file, [...(files.get(c.file) ?? []), c]);
  for (const [file, lines] of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), lines.map((c) => `${c.code}\n`).join(''));
  }
  for (const d of await lint(folder)) {
    const reportedCase = files.get(d.filename)?.[d.labels[0].span.line - 1];
    if (!reportedCase) throw new Error(`${d.filename}: ${d.message} is about no line of a case`);
    findings.set(reportedCase, [...(findings.get(reportedCase) ?? []), `${d.message} ${d.help ?? ''}`]);
  }
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The linter's messages about the files in `directory`. */
function lint(directory: string): Promise<readonly Diagnostic[]> {
  const oxlint = join(root, 'node_modules', '.bin', 'oxlint');
  return new Promise((fulfil, reject) => {
    execFile(oxlint, ['--format', 'json', '.'], { cwd: directory, maxBuffer: 2 ** 24 }, (_error, stdout, stderr) => {
      try {
        fulfil(JSON.parse(stdout).diagnostics);
      } catch {
        reject(new Error(`oxlint printed: ${stdout}${stderr}`));
      }
    });
  });
}

describe('a forbidden line fails with its reason', () => {
  for (const c of forbidden) {
    test(`${c.file}: ${c.code}`, () => {
      expect(findings.get(c)?.join('\n') ?? 'nothing').toContain(c.message);
    });
  }
});

describe('an allowed line passes', () => {
  for (const c of cases.filter(({ message }) => message === null)) {
    test(`${c.file}: ${c.code}`, () => {
      expect(findings.get(c)).toBeUndefined();
    });
  }
});

/** Lines that break the table of imports, with the text of the error. */
const WRONG: readonly (readonly [file: string, code: string, reason: string])[] = [
  ['src/core/x.ts', `import '../../shaders/csr/row.wgsl';`, 'core knows no format'],
  ['src/core/matrix/x.ts', `import '../../formats/registry.ts';`, 'core knows no format'],
  ['src/core/x.ts', `export type { EngineHost } from '../engine/host.ts';`, 'core knows no format'],
  ['src/core/x.ts', `export * from '../io/read.ts';`, 'core knows no format'],
  ['src/core/x.ts', `await import('../app/App.tsx');`, 'core knows no format'],
  ['src/core/x.ts', `import type { Scene } from '../story/scene.ts';`, 'core knows no format, no story'],
  ['src/core/declared/x.ts', `await import('../../story/declared/index.ts');`, 'core knows no format, no story'],
  ['src/core/x.ts', `import 'd3-array';`, 'core knows no format'],
  ['src/core/x.ts', `import 'node:fs';`, 'core knows no format'],
  ['src/story/x.ts', `import '../formats/registry.ts';`, 'whatever format and matrix'],
  ['src/story/x.ts', `import '../render/still.ts';`, 'whatever format and matrix'],
  ['src/theory/x.ts', `import '../formats/registry.ts';`, 'theory is mathematics'],
  ['src/formats/registry.ts', `import './macko/encode.ts';`, 'through its index.ts'],
  ['src/formats/registry.ts', `import '../gpu/device.ts';`, 'through its index.ts'],
  ['src/formats/registry.ts', `import '../story/declared/index.ts';`, 'through its index.ts'],
  ['src/formats/catalog.ts', `import './registry.ts';`, 'the build makes them'],
  ['src/formats/macko/card.ts', `import './encode.ts';`, 'nothing of a format but its card'],
  ['src/formats/macko/card.ts', `import '../../core/kernel/spmv-plan.ts';`, 'nothing of a format but its card'],
  [
    'src/formats/macko/card.ts',
    `import { loadStory } from '../../story/format-story.ts';`,
    'nothing of a format but its card',
  ],
  ['src/formats/macko/encode.ts', `import '../../story/scene.ts';`, 'never imports another format'],
  ['src/formats/macko/params.ts', `import '../dense/params.ts';`, 'nothing of a format but its card'],
  ['src/formats/macko/x.ts', `import '../dense/encode.ts';`, 'never imports another format'],
  ['src/formats/macko/x.ts', `import '../../../shaders/dense/gemm.wgsl';`, 'never imports another format'],
  ['src/formats/macko/story/x.ts', `import '../../dense/encode.ts';`, 'never imports another format'],
  ['src/formats/macko/x.ts', `import 'react';`, 'never imports another format'],
  ['src/io/x.ts', `import '../formats/registry.ts';`, 'io turns bytes'],
  ['src/io/x.ts', `import 'comlink';`, 'io turns bytes'],
  ['src/generate/x.ts', `import '../io/read.ts';`, 'generate turns a spec'],
  ['src/gpu/x.ts', `import '../formats/registry.ts';`, 'kernels reach gpu as KernelSpec'],
  ['src/gpu/x.ts', `import 'webgpu';`, 'kernels reach gpu as KernelSpec'],
  ['src/render/x.ts', `import '../state/document.ts';`, 'render draws scenes'],
  ['src/render/x.ts', `import 'react';`, 'render draws scenes'],
  ['src/engine/x.ts', `import '../state/document.ts';`, 'the engine runs in a worker'],
  ['src/engine/x.ts', `import '../formats/macko/encode.ts';`, 'the engine runs in a worker'],
  ['src/engine/x.ts', `import type { A } from '../pages/code/service/a.ts';`, 'the engine runs in a worker'],
  ['src/state/x.ts', `import 'react';`, 'state asks the worker'],
  ['src/state/x.ts', `import '../io/read.ts';`, 'state asks the worker'],
  ['src/state/x.ts', `import { createHost } from '../engine/host.ts';`, 'state asks the worker'],
  ['src/lessons/x.ts', `import '../kit/controls/Icon.tsx';`, 'lessons are text'],
  ['src/kit/x.ts', `import '../pages/learn/LearnPage.tsx';`, 'knows none of them'],
  ['src/kit/x.ts', `import 'comlink';`, 'knows none of them'],
  ['src/kit/x.ts', `import '../engine/bridge/engine.ts';`, 'knows none of them'],
  ['src/kit/x.ts', `import '../gpu/device.ts';`, 'knows none of them'],
  ['src/papers/slidesparse/x.ts', `import '../../pages/learn/LearnPage.tsx';`, 'knows none of them'],
  ['src/pages/learn/x.ts', `import '../code/CodePage.tsx';`, 'never imports another page'],
  ['src/pages/learn/x.ts', `import type { A } from '../code/service/a.ts';`, 'never imports another page'],
  ['src/pages/code/x.ts', `import { a } from './service/a.ts';`, 'never imports another page'],
  ['src/pages/code/x.ts', `import '../../formats/registry.ts';`, 'never imports another page'],
  ['src/pages/code/service/x.ts', `import '../CodePage.tsx';`, 'a service runs in the worker'],
  ['src/pages/code/service/x.ts', `import '../../compare/service/x.ts';`, 'a service runs in the worker'],
  ['src/app/x.ts', `import '../pages/learn/deep/x.ts';`, 'by the list in app/pages.ts'],
  ['bench/x.ts', `import '../src/engine/host.ts';`, 'bench runs the same kernels'],
  ['bench/x.ts', `import '../src/formats/macko/encode.ts';`, 'bench runs the same kernels'],
  ['fuzz/x.ts', `import '../src/gpu/device.ts';`, 'fuzz attacks what needs no GPU'],
  ['fuzz/oracle/x.ts', `import '../../src/core/oracle.ts';`, 'shares no code'],
  ['fuzz/oracle/x.ts', `import 'fast-check';`, 'shares no code'],
];

const RIGHT: readonly (readonly [file: string, code: string])[] = [
  ['src/core/matrix/x.ts', `import '../errors.ts';`],
  ['src/core/x.ts', `import '../../shaders/common/gemm_tile.wgsl';`],
  ['src/formats/registry.ts', `import './macko/index.ts';`],
  ['src/formats/catalog.ts', `import 'virtual:format-catalog';`],
  ['src/formats/macko/index.ts', `await import('./story/index.ts');`],
  ['src/formats/registry.ts', `import { withStory } from '../story/declared/with-story.ts';`],
  ['src/formats/macko/card.ts', `import type { FormatStory } from '../../story/format-story.ts';`],
  ['src/formats/macko/story/x.ts', `import '../../../story/scene.ts';`],
  ['src/formats/macko/x.ts', `import '../../../shaders/macko/spmv.wgsl?raw';`],
  ['src/formats/macko/story/x.ts', `import '../encode.ts';`],
  ['src/formats/macko/card.ts', `import './params.ts';`],
  ['src/formats/macko/params.ts', `import '../../core/number/index.ts';`],
  ['src/formats/macko/x.test.ts', `import '../registry.ts';`],
  ['src/io/x.ts', `import 'fflate';`],
  ['src/engine/x.ts', `import { formats } from '../formats/registry.ts';`],
  ['src/state/x.ts', `export type { SpyTile } from '../engine/matrix/matrix-types.ts';`],
  ['src/kit/x.ts', `import type { SpyTile } from '../engine/matrix/matrix-types.ts';`],
  ['src/pages/code/x.ts', `import type { A } from './service/a.ts';`],
  ['src/pages/code/service/x.ts', `import { finishPaced } from '../../../engine/worker-pace.ts';`],
  ['src/pages/learn/x.tsx', `import './x.css';`],
  ['fuzz/oracle/x.ts', `import './matrix.ts';`],
];

describe('the table of import rules', () => {
  test('is satisfied by every source', () => {
    expect(allWrongImports(root)).toEqual([]);
  });
  test.each(WRONG)('%s must not: %s', (file, code, reason) => {
    expect(wrongImports(file, code)).toEqual([expect.stringContaining(reason)]);
  });
  test.each(RIGHT)('%s may: %s', (file, code) => {
    expect(wrongImports(file, code)).toEqual([]);
  });
});

describe('a folder whose face is its index.ts', () => {
  test.each([
    ['src/engine/x.ts', `import { readBytes } from '../io/source.ts';`],
    ['src/engine/x.ts', `import type { FileContents } from '../io/read.ts';`],
    ['src/engine/x.ts', `import {\n  type A,\n  b,\n} from '../io/read.ts';`],
    ['src/engine/x.ts', `export { readMatrix } from '../io/read.ts';`],
    ['src/engine/x.ts', `export * from '../io/read.ts';`],
    ['src/engine/x.ts', `import '../io/read.ts';`],
    ['labs/some/decoders/x.ts', `import { a } from '../../../src/io/web/remote.ts';`],
    ['bench/x.ts', `import { readMatrix } from '../src/io/read.ts';`],
    ['scripts/x.ts', `import { readMatrix } from '../src/io/read.ts';`],
  ])('%s must not pass it by: %s', (file, code) => {
    expect(wrongFaces(file, code)).toEqual([expect.stringContaining('other folders import src/io/index.ts')]);
  });
  test.each([
    ['src/engine/x.ts', `import { readBytes } from '../io/index.ts';`],
    ['src/engine/x.ts', `const readers = () => import('../io/read.ts');`],
    ['src/engine/x.ts', `import text from '../io/read.ts?raw';`],
    ['src/engine/x.test.ts', `import { readMatrix } from '../io/read.ts';`],
    ['src/engine/x.test.ts', `vi.mock('../io/read.ts');`],
    ['test/x.ts', `import { readMatrix } from '../src/io/read.ts';`],
    ['src/state/x.ts', `import { likeliestFirst } from '../io/chosen-files.ts';`],
    ['src/io/x.ts', `import { readBytes } from './source.ts';`],
    [
      'src/io/index.ts',
      `// Files.\nexport {\n  type A,\n  b,\n} from './read.ts';\nexport type { C } from './web/c.ts';`,
    ],
  ])('%s may: %s', (file, code) => {
    expect(wrongFaces(file, code)).toEqual([]);
  });
  test.each(['src/io/x.ts', 'src/io/x.test.ts'])('%s does not import the index.ts of its own folder', (file) => {
    expect(wrongFaces(file, `import { a } from './index.ts';`)).toEqual([expect.stringContaining('import each other')]);
  });
  test.each([`export * from './read.ts';`, `export const a = 1;`, `import './read.ts';`])(
    'has re-exports by name, and not: %s',
    (code) => {
      expect(wrongFaces('src/io/index.ts', code)).toEqual([expect.stringContaining('only re-exports by name')]);
    },
  );
  test.each(FACES)('$folder has its index.ts, and files that are open', ({ folder, open }) => {
    for (const file of [`${folder}/index.ts`, ...open]) expect(existsSync(join(root, file))).toBe(true);
  });
});

describe('src knows no lab, and a lab no other lab', () => {
  test.each([
    ['src/core/x.ts', `import { a } from '../../labs/some/a.ts';`],
    ['src/core/x.ts', `export * from "../../labs/some/a.ts";`],
    ['src/kit/x.ts', 'await import(`../../labs/some/a.ts`);'],
    ['src/app/pages.ts', `import { some } from '../../labs/some/lab.ts';`],
    ['src/kit/x.ts', `import.meta.glob('../../labs/*/a.ts');`],
    ['src/kit/x.test.ts', `vi.mock('../../labs/some/a.ts');`],
    ['src/kit/x.ts', `new URL("../../labs/some/a.worker.ts", import.meta.url);`],
    ['src/kit/x.ts', '// as in labs/some/a.ts'],
    ['src/kit/x.css', `@import '../../labs/some/a.css';`],
    ['bench/a/x.ts', `import '../../labs/some/a.ts';`],
    ['e2e/a/x.spec.ts', `import '../../labs/some/a.ts';`],
    ['scripts/a/x.mjs', `import '../../labs/some/a.ts';`],
    ['test/x.ts', `readFileSync('labs/some/public/a.json');`],
    ['labs/other/x.ts', `import '../some/a.ts';`],
    ['labs/other/x.ts', `await import("../some/deep/a.ts");`],
    ['labs/other/test/x.ts', `import '../../some/a.ts';`],
  ])('%s must not: %s', (file, code) => {
    expect(wrongLabs(file, code)).toEqual([expect.stringContaining('and a lab no other lab')]);
  });
  test.each([
    ['src/app/labs.ts', `import { some } from '../../labs/some/lab.ts';`],
    ['src/app/engine.worker.ts', `import.meta.glob('../../labs/*/worker.ts');`],
    ['labs/some/x.ts', `import '../../src/kit/lab.ts';`],
    ['labs/some/deep/x.ts', `import '../a.ts';`],
    ['src/engine/lab.ts', '// labs/X/worker.ts'],
    ['src/kit/x.ts', '// a folder of labs/, such as labs/*/lab.ts'],
  ])('%s may: %s', (file, code) => {
    expect(wrongLabs(file, code)).toEqual([]);
  });

  test('an import of a lab in src is reported', () => {
    const copy = mkdtempSync(join(tmpdir(), 'planted-'));
    try {
      const files = [
        'src/kit/x.ts',
        'bench/x.ts',
        'e2e/x.ts',
        'fuzz/x.ts',
        'scripts/x.mjs',
        'test/x.ts',
        'labs/some/lab.ts',
      ];
      for (const file of files) {
        mkdirSync(join(copy, dirname(file)), { recursive: true });
        writeFileSync(
          join(copy, file),
          file.startsWith('src') ? `import { some } from '../../labs/some/lab.ts';\n` : '',
        );
      }
      // The import breaks the table of imports, and the rule that src names no lab.
      const messages = allWrongImports(copy);
      expect(messages.map((message) => /^src\/kit\/x\.ts \w+ labs\/some\/lab\.ts: /.test(message))).toEqual([
        true,
        true,
      ]);
      rmSync(join(copy, 'fuzz/x.ts'));
      expect(() => allWrongImports(copy)).toThrow('fuzz: found no file');
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});

/** A static import or export of values from a file, with their names: `import type` and `?raw` carry no code. */
const STATIC_IMPORT = /^(?:import|export)\s(?!type\b)(?:([^'";]*?)\sfrom\s)?\s*'(\.[^'?]+\.tsx?)'/gm;
const faces = FACES.map(({ folder }) => join(root, folder, 'index.ts'));

/** The names of values in the braces of an import or export, as the file that they come from calls them. */
const valueNames = (braces: string): readonly string[] =>
  [...braces.matchAll(/(?<=[{,]\s*)(?:type\s+)?\w+/g)].map(([name]) => name).filter((name) => !/\s/.test(name));

/** The files behind names of a face. */
function behindFace(face: string, names: readonly string[]): readonly string[] {
  return [...readFileSync(face, 'utf8').matchAll(STATIC_IMPORT)]
    .filter(([, braces]) => valueNames(braces).some((name) => names.includes(name)))
    .map(([, , path]) => join(dirname(face), path));
}

/** The file and every source that its static imports load. Of a folder with a face, only files of the imported names count. */
function loadedWith(entry: string): readonly string[] {
  const files = new Set([join(root, entry)]);
  for (const file of files) {
    for (const [, braces = '', specifier] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
      const target = join(dirname(file), specifier);
      const loaded = faces.includes(target) ? behindFace(target, valueNames(braces)) : [target];
      for (const path of loaded) files.add(path);
    }
  }
  return [...files].map((file) => relative(root, file));
}

/** What is loaded in the page before and after its first screen. */
const PAGES = ['src/app/main.tsx', 'src/pages/measure/MeasurePage.tsx', 'src/papers/slidesparse/AnyGroup.tsx'];

describe('the page loads only the card of a format', () => {
  for (const entry of PAGES) {
    test(`${entry} loads no encoder, no registry and no kernel plan`, () => {
      const files = loadedWith(entry);
      if (entry === PAGES[0]) expect(files).toContain('src/formats/catalog.ts');
      expect(files.filter((file) => /^src\/formats\/[^/]+\/|\/registry\.ts$|^src\/core\/kernel\//.test(file))).toEqual(
        [],
      );
    });
  }

  const isFormat = (name: string): boolean => existsSync(join(root, 'src/formats', name, 'card.ts'));
  for (const name of readdirSync(join(root, 'src/formats')).filter(isFormat)) {
    test(`the card of ${name} loads its parameters, and nothing else of its folder`, () => {
      const formatFiles = loadedWith(`src/formats/${name}/card.ts`).filter((file) => file.startsWith('src/formats/'));
      const files = ['card.ts', 'params.ts'].map((file) => `src/formats/${name}/${file}`);
      expect(formatFiles.toSorted()).toEqual(files.filter((file) => existsSync(join(root, file))));
    });
  }
});

// The table cannot express this rule: it is about all files that are loaded between the entry and the story.
describe('a story is loaded on demand', () => {
  /** the story of a format, and the files that only a story needs */
  const storyFiles =
    /^src\/formats\/[^/]+\/story\/|^src\/story\/(?:declared\/|(?:trace|scene-parts|code-excerpt|joined-scene|timeline)\.ts$)/;

  for (const entry of [...PAGES, 'src/formats/macko/card.ts']) {
    test(`a story is not loaded with ${entry}`, () => {
      expect(loadedWith(entry).filter((file) => storyFiles.test(file))).toEqual([]);
    });
  }

  // Programs that show no stories.
  for (const entry of ['src/app/engine.worker.ts', 'bench/main.ts', 'src/lib/formats.ts']) {
    test(`${entry} loads of src/story only the file that adds derived stories to the registry`, () => {
      const files = loadedWith(entry);
      expect(files).toContain('src/formats/macko/index.ts');
      expect(files.filter((file) => /^src\/(?:formats\/[^/]+\/)?story\//.test(file))).toEqual([
        'src/story/declared/with-story.ts',
      ]);
    });
  }

  test('a story loads everything that it needs', () => {
    expect(loadedWith('src/formats/macko/story/index.ts')).toEqual(
      expect.arrayContaining(['src/story/trace.ts', 'src/story/scene-parts.ts', 'src/story/code-excerpt.ts']),
    );
  });
});
