import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(
    (path) => /^(?:docs\/.*|labs\/(?!.*\/(?:lessons|texts)\/).*|[^/]+)\.md$/.test(path) && existsSync(join(root, path)),
  );

/** Markdown without code blocks, in which nothing is a link or a heading. */
function withoutBlocks(markdown: string): string {
  return markdown.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '');
}

/** Ids that GitHub gives to the headings of a page. */
function slugsOf(markdown: string): ReadonlySet<string> {
  const slugs = new Set<string>();
  for (const [, heading] of withoutBlocks(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/(?<!\w)_([^_]+)_(?!\w)/g, '$1');
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    let unique = slug;
    for (let n = 1; slugs.has(unique); n++) unique = `${slug}-${n}`;
    slugs.add(unique);
  }
  return slugs;
}

/** Targets of links and pictures that lead to this repository. */
function linksOf(markdown: string): readonly string[] {
  const text = withoutBlocks(markdown).replace(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|(?:src|href)="([^"]+)"/g)];
  return targets.map(([, link, attribute]) => link ?? attribute).filter((target) => !/^[a-z]+:/.test(target));
}

/** The problem with a link, or null. */
function broken(page: string, target: string): string | null {
  const [path, fragment] = target.split('#', 2);
  const file = path === '' ? join(root, page) : resolve(root, dirname(page), decodeURI(path));
  if (!existsSync(file)) return `${page}: ${target}, found no such file`;
  if (fragment === undefined || !file.endsWith('.md')) return null;
  return slugsOf(readFileSync(file, 'utf8')).has(fragment) ? null : `${page}: ${target}, found no such heading`;
}

describe('links of the docs', () => {
  it('are recognised', () => {
    const links = pages.flatMap((page) => linksOf(readFileSync(join(root, page), 'utf8')));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((link) => link.includes('#')).length).toBeGreaterThan(15);
  });

  it('headings have the ids that GitHub gives them', () => {
    const page = '# On `x`, 2:4 & more\n## Same\n```\n# code\n```\n## Same\n### [A _link_](a.md): snake_case\n';
    expect([...slugsOf(page)]).toEqual(['on-x-24--more', 'same', 'same-1', 'a-link-snake_case']);
  });

  it('links in code are ignored', () => {
    expect(linksOf('[a](b.md#c) `[d](e)` [f](https://g) ![h](i.svg)\n```md\n[j](k)\n```\n')).toEqual([
      'b.md#c',
      'i.svg',
    ]);
  });

  it('a link to a file or heading that does not exist is found', () => {
    expect(broken('README.md', 'docs/nowhere.md')).toContain('no such file');
    expect(broken('README.md', 'CONTRIBUTING.md#nowhere')).toContain('no such heading');
  });

  it.each(pages)('%s links to files and headings that exist', (page) => {
    const targets = linksOf(readFileSync(join(root, page), 'utf8'));
    expect(targets.map((target) => broken(page, target)).filter((found) => found !== null)).toEqual([]);
  });
});
