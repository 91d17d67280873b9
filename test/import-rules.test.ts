import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** One line of code in one file, and the message that the linter must give; null when it must say nothing. */
interface Case {
  readonly file: string;
  readonly code: string;
  readonly message: string | null;
}

const CORE = 'core imports nothing outside core';
const FORMAT = 'A format imports core, theory, its own folder and its own shaders';
const CARD = 'A card is all that the page loads of a format';
const CATALOG = 'The page takes formats from formats/catalog.ts';
const OTHER_FORMAT = 'A format never imports another format';
const BY_REGISTRY = 'Only the registry knows a format by name';
const WORKERS = 'Workers are started by src/worker/client.ts and src/worker/start-thread.ts alone.';

const LESSONS = `import '../lessons/index.ts';`;
const forbidden: readonly Case[] = [
  { file: 'src/core/x.ts', code: `import '../../shaders/csr/row.wgsl';`, message: CORE },
  { file: 'src/core/matrix/x.ts', code: `import '../../formats/registry.ts';`, message: CORE },
  { file: 'src/core/x.ts', code: `import '../gpu/device.ts';`, message: CORE },
  { file: 'src/core/x.ts', code: `export type { Engine } from '../worker/engine.ts';`, message: CORE },
  { file: 'src/core/x.ts', code: `export * from '../io/read.ts';`, message: CORE },
  { file: 'src/core/x.ts', code: `await import('../ui/App.tsx');`, message: CORE },
  { file: 'src/core/x.ts', code: `import 'd3-array';`, message: 'core imports no package' },
  { file: 'src/core/x.ts', code: `import 'node:fs';`, message: 'core imports no package' },
  { file: 'src/core/story/x.ts', code: `import '../../theory/sliding-windows.ts';`, message: CORE },

  { file: 'src/theory/x.ts', code: `import '../formats/registry.ts';`, message: 'theory imports core alone' },
  { file: 'src/theory/x.ts', code: `import '../ui/App.tsx';`, message: 'theory imports core alone' },
  { file: 'src/theory/x.ts', code: `import 'd3-array';`, message: 'theory imports no package' },

  { file: 'src/formats/registry.ts', code: `import './macko/encode.ts';`, message: 'through its index.ts alone' },
  {
    file: 'src/formats/registry.ts',
    code: `await import('./macko/story/index.ts');`,
    message: 'through its index.ts alone',
  },
  { file: 'src/formats/registry.ts', code: `import '../gpu/device.ts';`, message: 'formats imports core alone' },
  { file: 'src/formats/registry.ts', code: `import 'comlink';`, message: 'formats imports no package' },
  { file: 'src/formats/catalog.ts', code: `import './registry.ts';`, message: 'The catalog is what' },
  { file: 'src/formats/limits.ts', code: `import './registry.ts';`, message: 'The catalog is what' },
  { file: 'src/formats/macko/card.ts', code: `import './encode.ts';`, message: CARD },
  { file: 'src/formats/macko/card.ts', code: `import '../../core/kernel/spmv-plan.ts';`, message: CARD },
  { file: 'src/formats/macko/card.ts', code: `import '../../../shaders/macko/spmv_row.wgsl';`, message: CARD },
  { file: 'src/formats/macko/params.ts', code: `import './layout.ts';`, message: CARD },
  { file: 'src/formats/macko/params.ts', code: `import '../dense/params.ts';`, message: OTHER_FORMAT },
  { file: 'src/formats/macko/x.ts', code: `import '../dense/encode.ts';`, message: OTHER_FORMAT },
  { file: 'src/formats/macko/x.ts', code: `import '../registry.ts';`, message: OTHER_FORMAT },
  { file: 'src/formats/macko/x.ts', code: `import '../../gpu/device.ts';`, message: FORMAT },
  { file: 'src/formats/macko/x.ts', code: `import '../../io/read.ts';`, message: FORMAT },
  { file: 'src/formats/macko/x.ts', code: `import '../../render/stage.ts';`, message: FORMAT },
  { file: 'src/formats/macko/story/x.ts', code: `import '../../dense/encode.ts';`, message: OTHER_FORMAT },
  { file: 'src/formats/macko/x.ts', code: `import 'react';`, message: 'formats imports no package' },

  { file: 'src/io/x.ts', code: `import '../formats/registry.ts';`, message: 'io imports core alone' },
  { file: 'src/io/x.ts', code: `import '../generate/generate.ts';`, message: 'io imports core alone' },
  { file: 'src/io/x.ts', code: `import 'comlink';`, message: 'io imports no package but fflate' },
  { file: 'src/generate/x.ts', code: `import '../io/read.ts';`, message: 'generate imports core alone' },
  { file: 'src/generate/x.ts', code: `import 'd3-array';`, message: 'generate imports no package' },

  { file: 'src/gpu/x.ts', code: `import '../formats/registry.ts';`, message: 'gpu imports core alone' },
  { file: 'src/gpu/x.ts', code: `import '../worker/client.ts';`, message: 'gpu imports core alone' },
  { file: 'src/gpu/x.ts', code: `import 'webgpu';`, message: 'gpu imports no package' },

  { file: 'src/worker/x.ts', code: `import '../state/store.ts';`, message: 'worker imports nothing of the page' },
  { file: 'src/worker/x.ts', code: `import '../formats/macko/encode.ts';`, message: BY_REGISTRY },
  { file: 'src/worker/x.ts', code: `import 'zustand/vanilla';`, message: 'no package but comlink and idb-keyval' },
  { file: 'src/worker/engine.ts', code: `export const w = new Worker('x.js');`, message: WORKERS },

  { file: 'src/state/x.ts', code: `import 'react';`, message: 'state runs without React' },
  { file: 'src/state/x.ts', code: `import 'zustand';`, message: 'state runs without React' },
  { file: 'src/state/x.ts', code: `import 'comlink';`, message: 'state runs without React' },
  { file: 'src/state/x.ts', code: `import '../render/stage.ts';`, message: 'state asks the worker' },
  { file: 'src/state/x.ts', code: `import '../gpu/device.ts';`, message: 'state asks the worker' },
  { file: 'src/state/x.ts', code: `import '../worker/engine.ts';`, message: 'state reaches the worker through' },
  { file: 'src/state/x.ts', code: `import '../io/read.ts';`, message: 'Files are read in the worker' },
  { file: 'src/state/x.ts', code: `import '../formats/registry.ts';`, message: CATALOG },
  { file: 'src/ui/x.ts', code: `import '../formats/registry.ts';`, message: CATALOG },
  { file: 'src/state/x.ts', code: `import '../formats/macko/params.ts';`, message: BY_REGISTRY },
  { file: 'src/state/x.ts', code: `await import('../formats/macko/story/index.ts');`, message: BY_REGISTRY },

  { file: 'src/render/x.ts', code: `import '../formats/registry.ts';`, message: 'render imports core alone' },
  { file: 'src/core/x.ts', code: LESSONS, message: CORE },
  { file: 'src/formats/registry.ts', code: LESSONS, message: 'formats imports core alone' },
  ...['theory', 'io', 'generate', 'gpu', 'render'].map((folder) => ({
    file: `src/${folder}/x.ts`,
    code: LESSONS,
    message: `${folder} imports core alone`,
  })),
  { file: 'src/worker/x.ts', code: LESSONS, message: 'worker imports nothing of the page' },
  { file: 'src/state/x.ts', code: LESSONS, message: 'state asks the worker' },
  { file: 'bench/x.ts', code: `import '../src/lessons/index.ts';`, message: 'bench runs the engine' },
  { file: 'src/lessons/x.ts', code: `import '../formats/registry.ts';`, message: 'lessons are texts' },
  { file: 'src/lessons/x.ts', code: `import '../ui/App.tsx';`, message: 'lessons are texts' },
  { file: 'src/lessons/x.ts', code: `import 'react';`, message: 'lessons import no package' },
  { file: 'src/render/x.ts', code: `import '../state/store.ts';`, message: 'render imports core alone' },
  { file: 'src/render/x.ts', code: `import 'react';`, message: 'no package but d3' },
  { file: 'src/render/x.ts', code: `import 'd3-scale';`, message: 'no package but d3' },

  { file: 'src/ui/stage/x.ts', code: `import '../../gpu/device.ts';`, message: 'ui never touches the device' },
  { file: 'src/ui/x.ts', code: `import '../io/read.ts';`, message: 'Files are read in the worker' },
  { file: 'src/ui/stage/x.ts', code: `import '../../io/npy.ts';`, message: 'Files are read in the worker' },
  { file: 'src/ui/x.ts', code: `import '../generate/prune.ts';`, message: 'Matrices are made in the worker' },
  { file: 'src/ui/x.ts', code: `import '../formats/macko/index.ts';`, message: BY_REGISTRY },
  { file: 'src/ui/x.ts', code: `import '../worker/client.ts';`, message: 'ui asks through state' },
  { file: 'src/ui/x.ts', code: `import 'comlink';`, message: 'comlink belongs to worker' },
  { file: 'src/ui/x.ts', code: `export const w = new SharedWorker('x.js');`, message: WORKERS },

  { file: 'bench/x.ts', code: `import '../src/worker/engine.ts';`, message: 'bench runs the engine without a page' },
  { file: 'bench/x.ts', code: `import '../src/formats/macko/encode.ts';`, message: BY_REGISTRY },

  { file: 'fuzz/x.ts', code: `import '../src/gpu/device.ts';`, message: 'fuzz attacks what needs no GPU' },
  { file: 'fuzz/x.ts', code: `import '../src/gpu/compose.ts';`, message: 'fuzz attacks what needs no GPU' },
  { file: 'fuzz/x.ts', code: `import '../src/worker/engine.ts';`, message: 'fuzz has threads of its own' },
  { file: 'fuzz/formats/x.ts', code: `import '../../src/formats/macko/encode.ts';`, message: BY_REGISTRY },
  { file: 'fuzz/oracle/x.ts', code: `import '../../src/core/oracle.ts';`, message: 'The oracle shares no code' },
  { file: 'fuzz/oracle/x.ts', code: `import type { Find } from '../target.ts';`, message: 'The oracle shares no code' },
  { file: 'fuzz/oracle/x.ts', code: `import 'fast-check';`, message: 'The oracle shares no code' },

  { file: 'src/gpu/x.ts', code: `export const r = Math.random();`, message: 'Unseeded' },
  { file: 'src/ui/any.ts', code: `export const f = (a: any) => a;`, message: 'any' },
  { file: 'src/ui/non-null.ts', code: `export const f = (a?: string) => a!.length;`, message: 'non-null' },
  { file: 'src/ui/default.ts', code: `export default 1;`, message: 'default' },
  { file: 'src/ui/Utils.ts', code: `export {};`, message: 'kebab-case' },
  { file: 'src/ui/cycle-a.ts', code: `import './cycle-b.ts';`, message: 'cycle' },
  { file: 'src/ui/cycle-b.ts', code: `import './cycle-a.ts';`, message: 'cycle' },
  { file: 'src/ui/later.ts', code: `// TODO: later`, message: 'todo' },
];

const allowed: readonly Omit<Case, 'message'>[] = [
  { file: 'src/core/matrix/x.ts', code: `import '../errors.ts';` },
  { file: 'src/core/x.ts', code: `import './matrix/index.ts';` },
  { file: 'src/core/x.ts', code: `import '../../shaders/common/gemm_tile.wgsl';` },
  { file: 'src/formats/registry.ts', code: `import './macko/index.ts';` },
  { file: 'src/formats/registry.ts', code: `import '../core/format.ts';` },
  { file: 'src/formats/macko/x.ts', code: `import './encode.ts';` },
  { file: 'src/formats/macko/index.ts', code: `await import('./story/index.ts');` },
  { file: 'src/formats/macko/x.ts', code: `import '../../core/format.ts';` },
  { file: 'src/formats/macko/x.ts', code: `import '../../../shaders/macko/spmv_subgroup.wgsl';` },
  { file: 'src/formats/macko/story/x.ts', code: `import '../encode.ts';` },
  { file: 'src/formats/macko/story/x.ts', code: `import '../../../core/format.ts';` },
  { file: 'src/formats/contract.test.ts', code: `import 'vitest';` },
  { file: 'src/formats/macko/x.test.ts', code: `import '../registry.ts';` },
  { file: 'src/io/x.ts', code: `import '../core/errors.ts';` },
  { file: 'src/io/x.ts', code: `import 'fflate';` },
  { file: 'src/generate/x.ts', code: `import '../core/random.ts';` },
  { file: 'src/gpu/x.ts', code: `import '../core/kernel.ts';` },
  { file: 'src/worker/x.ts', code: `import '../formats/registry.ts';` },
  { file: 'src/worker/x.ts', code: `import '../gpu/device.ts';` },
  { file: 'src/worker/x.ts', code: `import 'comlink';` },
  { file: 'src/worker/client.ts', code: `export const w = new Worker('x.js');` },
  { file: 'src/worker/start-thread.ts', code: `export const w = new Worker('x.js');` },
  { file: 'src/lessons/x.ts', code: `import '../generate/generate.ts';` },
  { file: 'src/lessons/x.ts', code: `import '../state/index.ts';` },
  { file: 'src/state/x.ts', code: `import '../formats/catalog.ts';` },
  { file: 'src/state/x.ts', code: `import '../worker/client.ts';` },
  { file: 'src/state/x.ts', code: `export type { SpyTile } from '../worker/protocol.ts';` },
  { file: 'src/state/x.ts', code: `import '../io/gallery.ts';` },
  { file: 'src/state/x.ts', code: `import '../io/web/link-target.ts';` },
  { file: 'src/state/x.ts', code: `import 'zustand/vanilla';` },
  { file: 'src/state/x.ts', code: `import 'idb-keyval';` },
  { file: 'src/render/x.ts', code: `import '../core/scene.ts';` },
  { file: 'src/theory/x.ts', code: `import '../core/job.ts';` },
  { file: 'src/formats/macko/x.ts', code: `import '../../theory/sliding-windows.ts';` },
  { file: 'src/render/x.ts', code: `import 'd3';` },
  { file: 'src/ui/x.ts', code: `import 'react';` },
  { file: 'src/ui/x.ts', code: `import 'zustand';` },
  { file: 'src/ui/stage/x.ts', code: `import '../../render/stage.ts';` },
  { file: 'src/ui/x.ts', code: `import '../formats/catalog.ts';` },
  { file: 'src/ui/x.test.ts', code: `import '../formats/registry.ts';` },
  { file: 'src/formats/catalog.ts', code: `import 'virtual:format-catalog';` },
  { file: 'src/formats/limits.ts', code: `import 'virtual:kernel-limits';` },
  { file: 'src/ui/x.ts', code: `await import('../formats/limits.ts');` },
  { file: 'src/formats/macko/card.ts', code: `import './params.ts';` },
  { file: 'src/formats/macko/card.ts', code: `await import('./story/index.ts');` },
  { file: 'src/formats/macko/params.ts', code: `import '../../core/number/index.ts';` },
  { file: 'src/ui/x.ts', code: `import '../io/gallery.ts';` },
  { file: 'src/ui/x.ts', code: `import '../io/gallery-pictures.ts';` },
  { file: 'src/ui/x.ts', code: `import '../generate/generate.ts';` },
  { file: 'src/ui/x.ts', code: `export type { SpyTile } from '../worker/protocol.ts';` },
  { file: 'src/ui/x.ts', code: `import './x.css';` },
  { file: 'bench/x.ts', code: `import '../src/gpu/device.ts';` },
  { file: 'bench/x.ts', code: `import '../src/formats/registry.ts';` },
  { file: 'fuzz/x.ts', code: `import '../src/io/read.ts';` },
  { file: 'fuzz/x.ts', code: `import '../src/formats/registry.ts';` },
  { file: 'fuzz/x.ts', code: `import '../src/gpu/drafts/loop-budget.ts';` },
  { file: 'fuzz/x.ts', code: `export type { MatrixSource } from '../src/worker/protocol.ts';` },
  { file: 'fuzz/oracle/x.ts', code: `import './matrix.ts';` },
];

const isImport = (c: Case): number => Number(c.code.startsWith('import'));
/** Imports first, as the linter wants them in a file. */
const cases: readonly Case[] = [...allowed.map((c) => ({ ...c, message: null })), ...forbidden].toSorted(
  (a, b) => isImport(b) - isImport(a),
);
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
    const found = files.get(d.filename)?.[d.labels[0].span.line - 1];
    if (!found) throw new Error(`${d.filename}: ${d.message} is about no line of a case`);
    findings.set(found, [...(findings.get(found) ?? []), `${d.message} ${d.help ?? ''}`]);
  }
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the linter says about the files below `tree`. */
function lint(tree: string): Promise<readonly Diagnostic[]> {
  const oxlint = join(root, 'node_modules', '.bin', 'oxlint');
  return new Promise((fulfil, reject) => {
    execFile(oxlint, ['--format', 'json', '.'], { cwd: tree, maxBuffer: 2 ** 24 }, (_error, stdout, stderr) => {
      try {
        fulfil(JSON.parse(stdout).diagnostics);
      } catch {
        reject(new Error(`oxlint said: ${stdout}${stderr}`));
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

/** Shader files that the sources of a format import, as paths below shaders/. */
function shadersOf(format: string): readonly string[] {
  const sources = readdirSync(join(root, 'src/formats', format), { recursive: true, encoding: 'utf8' });
  return sources
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(root, 'src/formats', format, name), 'utf8').matchAll(/\/shaders\/([^'?]+)\?raw/g),
    ])
    .map((match) => match[1]);
}

// The linter cannot say this one: what is allowed differs from folder to folder.
describe('a format imports its own shaders and the common ones', () => {
  const formats = readdirSync(join(root, 'src/formats'), { withFileTypes: true }).filter((e) => e.isDirectory());
  for (const { name } of formats) {
    test(name, () => {
      for (const shader of shadersOf(name)) expect([name, 'common']).toContain(shader.split('/')[0]);
    });
  }
});

/** A static import or export of a value from a file: `import type` and `?raw` carry no code. */
const STATIC_IMPORT = /^(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s)?\s*'(\.[^'?]+\.tsx?)'/gm;

/** Every source that is loaded with a file, the file among them. */
function loadedWith(entry: string): readonly string[] {
  const files = new Set([join(root, entry)]);
  for (const file of files) {
    for (const [, path] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) files.add(join(dirname(file), path));
  }
  return [...files].map((file) => relative(root, file));
}

/** What is loaded in the page before and after its first screen. */
const PAGES = ['src/ui/main.tsx', 'src/ui/bench/BenchPage.tsx', 'src/ui/papers/slidesparse/WindowsPage.tsx'];

describe('the page loads a format by its card', () => {
  for (const entry of PAGES) {
    test(`${entry} reaches no engine`, () => {
      const files = loadedWith(entry);
      if (entry === PAGES[0]) expect(files).toContain('src/formats/catalog.ts');
      expect(files.filter((file) => /^src\/formats\/[^/]+\/|\/registry\.ts$|^src\/core\/kernel\//.test(file))).toEqual(
        [],
      );
    });
  }

  for (const { name } of readdirSync(join(root, 'src/formats'), { withFileTypes: true }).filter((e) =>
    e.isDirectory(),
  )) {
    test(`the card of ${name} brings its parameters, and nothing else of its folder`, () => {
      const own = loadedWith(`src/formats/${name}/card.ts`).filter((file) => file.startsWith('src/formats/'));
      expect(own.toSorted()).toEqual([`src/formats/${name}/card.ts`, `src/formats/${name}/params.ts`]);
    });
  }
});

// Nor this one: it is about everything between the entry and the story.
describe('a story is loaded when it is asked for', () => {
  /** the story of a format, and what nothing but a story is made with */
  const ofStories =
    /^src\/formats\/[^/]+\/story\/|^src\/core\/story\/(?:trace|scene-parts|scene-vectors|code-excerpt)\.ts$/;

  const engines = ['src/worker/engine.worker.ts', 'bench/main.ts'];
  for (const entry of [...engines, ...PAGES, 'src/formats/macko/card.ts']) {
    test(`and not with ${entry}`, () => {
      const files = loadedWith(entry);
      if (engines.includes(entry)) expect(files).toContain('src/formats/macko/index.ts');
      expect(files.filter((file) => ofStories.test(file))).toEqual([]);
    });
  }

  test('and brings all that it is made with', () => {
    expect(loadedWith('src/formats/macko/story/index.ts')).toEqual(
      expect.arrayContaining([
        'src/core/story/trace.ts',
        'src/core/story/scene-parts.ts',
        'src/core/story/code-excerpt.ts',
      ]),
    );
  });
});
