import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const pages = execFileSync('git', ['ls-files', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/*.md'])
  .toString()
  .trim()
  .split('\n')
  .filter(existsSync);

/** The anchors that GitHub gives the headings of a page; a second one of the same name would get a number. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(page, 'utf8').replace(/```[\s\S]*?```/g, '');
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  );
}

/** Links to files of the repository, as pairs of a file and, where there is one, a heading. */
function linksOf(page: string): readonly (readonly [path: string, anchor: string | undefined])[] {
  const text = readFileSync(page, 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path = '', anchor]) => [
    path === '' ? page : join(dirname(page), path),
    anchor,
  ]);
}

test('every link from one page of the docs to another finds its file and its heading', () => {
  const links = pages.flatMap((page) => linksOf(page).map(([path, anchor]) => ({ page, path, anchor })));
  expect(links.length).toBeGreaterThan(100);
  const dead = links.filter(
    ({ path, anchor }) => !existsSync(path) || (anchor !== undefined && !anchorsOf(path).has(anchor)),
  );
  expect(dead).toEqual([]);
});
