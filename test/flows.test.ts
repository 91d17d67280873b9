import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importGraph } from '../scripts/import-graph.mjs';
import { FACES } from '../scripts/import-rules.mjs';

/** The flows that docs/architecture.md walks through, file by file. */

const root = resolve(import.meta.dirname, '..');
const page = readFileSync(resolve(root, 'docs/architecture.md'), 'utf8');
const graph = importGraph(root, ['src', 'labs']);

/** Files through which one reaches others by name: faces of folders, the session's and the page's context. */
const LISTS = [
  ...FACES.map(({ folder }) => `${folder.replace(/^src\//, '')}/index.ts`),
  'state/session/session-context.ts',
  'kit/app-context.ts',
];

interface Flow {
  readonly title: string;
  readonly files: readonly string[];
}

/** Each begins with its title, '**From where to where.**', and lasts until the next one or the next heading. */
function flowsOf(text: string): readonly Flow[] {
  const [, section = ''] = /^## Three flows\n([^]*?)(?=^## |$(?![^]))/m.exec(text) ?? [];
  return section
    .split(/^(?=\*\*)/m)
    .slice(1)
    .map((flow) => {
      const [, title = ''] = /^\*\*(.+)\.\*\*/.exec(flow) ?? [];
      return { title, files: [...flow.matchAll(/`([\w/-]+\/[\w.-]+\.tsx?)`/g)].map((m) => m[1]) };
    });
}

/** A file as the page names it, below src or in a lab, as a path of the project. */
const pathOf = (name: string): string => (name.startsWith('labs/') ? name : `src/${name}`);

/** What a file imports, through the lists too. */
function importsOf(file: string): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (from: string): void => {
    for (const target of graph.get(pathOf(from)) ?? []) {
      const name = target.replace(/^src\//, '');
      if (found.has(name)) continue;
      found.add(name);
      if (LISTS.includes(name)) add(name);
    }
  };
  add(file);
  return found;
}

/** Files of a format are reached through the registry. */
function isOfFormat(file: string): boolean {
  const [, format] = /^formats\/([\w-]+)\//.exec(file) ?? [];
  return format !== undefined && importsOf('formats/registry.ts').has(`formats/${format}/index.ts`);
}

/** Files that no earlier file of the flow imports, and that import none: nothing leads from there to here. */
function unreached(files: readonly string[]): readonly string[] {
  return files.filter((file, i) => {
    const earlier = files.slice(0, i);
    const own = importsOf(file);
    return i > 0 && !isOfFormat(file) && !earlier.some((one) => own.has(one) || importsOf(one).has(file));
  });
}

describe('the flows of docs/architecture.md', () => {
  const flows = flowsOf(page);

  test('are a matrix to a picture, a kernel run to a figure, and the flows of labs', () => {
    expect(flows.slice(0, 2).map(({ title }) => title)).toEqual(['A matrix to a picture', 'A kernel run to a figure']);
  });

  test.each(flows)('$title: names each file once, and each exists', ({ files }) => {
    expect(files.length).toBeGreaterThan(5);
    expect([[...new Set(files)], files.filter((file) => !graph.has(pathOf(file)))]).toEqual([files, []]);
  });

  test.each(flows)('$title: each file imports an earlier one, or is imported by one', (flow) => {
    expect(unreached(flow.files)).toEqual([]);
  });

  test('a file that nothing leads to is found', () => {
    const files = ['render/scene-view.ts', 'render/pointed-mark.ts', 'gpu/timer.ts', 'formats/macko/encode.ts'];
    expect(unreached(files)).toEqual(['gpu/timer.ts']);
  });

  test('the title and the files of a walk are read from its text', () => {
    const text = '## Three flows\n\n**A to B.**\n\n1. `a/b.ts` hands on to `c/d-e.tsx`, `f` and `g.ts`.\n\n## More\n';
    expect(flowsOf(text)).toEqual([{ title: 'A to B', files: ['a/b.ts', 'c/d-e.tsx'] }]);
  });
});
