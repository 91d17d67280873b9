import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importGraph } from '../scripts/import-graph.mjs';
import { FACES } from '../scripts/import-rules.mjs';

// The flows in docs/architecture.md name files that exist, each connected to an earlier one by an import.

const root = resolve(import.meta.dirname, '..');
const page = readFileSync(resolve(root, 'docs/architecture.md'), 'utf8');
const graph = importGraph(root, ['src', 'labs']);

/** Files that only pass on other files: index.ts of folders, and the contexts of the session and the page. */
const LISTS = [
  ...FACES.map(({ folder }) => `${folder.replace(/^src\//, '')}/index.ts`),
  'state/session/session-context.ts',
  'kit/app-context.ts',
];

interface Flow {
  readonly title: string;
  readonly files: readonly string[];
}

/** Returns the flows of a page. A flow begins with its title, '**A to B.**', and ends at the next flow or heading. */
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

/** Returns the path in the project of a file as the page names it: below src, or in a lab. */
const pathOf = (name: string): string => (name.startsWith('labs/') ? name : `src/${name}`);

/** Returns the files that a file imports, also through LISTS. */
function importsOf(file: string): ReadonlySet<string> {
  const imports = new Set<string>();
  const add = (from: string): void => {
    for (const target of graph.get(pathOf(from)) ?? []) {
      const name = target.replace(/^src\//, '');
      if (imports.has(name)) continue;
      imports.add(name);
      if (LISTS.includes(name)) add(name);
    }
  };
  add(file);
  return imports;
}

/** Returns whether a file belongs to a format, which other code reaches through the registry. */
function isOfFormat(file: string): boolean {
  const [, format] = /^formats\/([\w-]+)\//.exec(file) ?? [];
  return format !== undefined && importsOf('formats/registry.ts').has(`formats/${format}/index.ts`);
}

/** Returns the files of a flow without an import from or to an earlier file of the flow. */
function unreached(files: readonly string[]): readonly string[] {
  return files.filter((file, i) => {
    const earlier = files.slice(0, i);
    const imports = importsOf(file);
    return i > 0 && !isOfFormat(file) && !earlier.some((other) => imports.has(other) || importsOf(other).has(file));
  });
}

describe('the flows of docs/architecture.md', () => {
  const flows = flowsOf(page);

  test('the page has the flows of a matrix to a picture, of a kernel run to a figure, and of labs', () => {
    expect(flows.slice(0, 2).map(({ title }) => title)).toEqual(['A matrix to a picture', 'A kernel run to a figure']);
  });

  test.each(flows)('$title: names each file once, and each exists', ({ files }) => {
    expect(files.length).toBeGreaterThan(5);
    expect([[...new Set(files)], files.filter((file) => !graph.has(pathOf(file)))]).toEqual([files, []]);
  });

  test.each(flows)('$title: each file imports an earlier one, or is imported by one', (flow) => {
    expect(unreached(flow.files)).toEqual([]);
  });

  test('unreached reports a file without an import to the others', () => {
    const files = ['render/scene-view.ts', 'render/pointed-mark.ts', 'gpu/timer.ts', 'formats/macko/encode.ts'];
    expect(unreached(files)).toEqual(['gpu/timer.ts']);
  });

  test('flowsOf reads the title and the files of a flow', () => {
    const text = '## Three flows\n\n**A to B.**\n\n1. `a/b.ts` hands on to `c/d-e.tsx`, `f` and `g.ts`.\n\n## More\n';
    expect(flowsOf(text)).toEqual([{ title: 'A to B', files: ['a/b.ts', 'c/d-e.tsx'] }]);
  });
});
