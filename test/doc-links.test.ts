// Links, headings, paths and identifiers that the docs name exist.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LAB_PARTS } from '../scripts/labs.mjs';

const root = resolve(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const pages = files.filter((path) => /^(?:docs\/.*|labs\/(?!.*\/(?:lessons|texts)\/).*|[^/]+)\.md$/.test(path));

/** Markdown without code blocks, in which nothing is a link or a heading. */
function withoutBlocks(markdown: string): string {
  return markdown.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '');
}

/** Returns the ids that GitHub gives to the headings of a page. */
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

/** Returns the problem with a link; null if its file and heading exist. */
function broken(page: string, target: string): string | null {
  const [path, fragment] = target.split('#', 2);
  const file = path === '' ? join(root, page) : resolve(root, dirname(page), decodeURI(path));
  if (!existsSync(file)) return `${page}: ${target}, found no such file`;
  if (fragment === undefined || !file.endsWith('.md')) return null;
  return slugsOf(readFileSync(file, 'utf8')).has(fragment) ? null : `${page}: ${target}, found no such heading`;
}

describe('links of the docs', () => {
  it('linksOf finds many links in the docs', () => {
    const links = pages.flatMap((page) => linksOf(readFileSync(join(root, page), 'utf8')));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((link) => link.includes('#')).length).toBeGreaterThan(15);
  });

  it('slugsOf gives headings the same ids as GitHub', () => {
    const page = '# On `x`, 2:4 & more\n## Same\n```\n# code\n```\n## Same\n### [A _link_](a.md): snake_case\n';
    expect([...slugsOf(page)]).toEqual(['on-x-24--more', 'same', 'same-1', 'a-link-snake_case']);
  });

  it('linksOf ignores links in code and to other sites', () => {
    expect(linksOf('[a](b.md#c) `[d](e)` [f](https://g) ![h](i.svg)\n```md\n[j](k)\n```\n')).toEqual([
      'b.md#c',
      'i.svg',
    ]);
  });

  it('a link is broken if its file or heading does not exist', () => {
    expect(broken('README.md', 'docs/nowhere.md')).toContain('no such file');
    expect(broken('README.md', 'CONTRIBUTING.md#nowhere')).toContain('no such heading');
  });

  it.each(pages)('links in %s lead to files and headings that exist', (page) => {
    const targets = linksOf(readFileSync(join(root, page), 'utf8'));
    expect(targets.map((target) => broken(page, target)).filter((problem) => problem !== null)).toEqual([]);
  });
});

/** Pages in which code spans must be names of this repository. */
const NAMING = pages.filter((path) =>
  /^(?:CONTRIBUTING|docs\/(?:api|architecture|glossary|reference|start-here|decisions\/.*))\.md$/.test(path),
);

/** All paths as one text, one per line: files, parts that a lab may contain, folders, and kernels by their ids. */
const paths = `\n${[
  ...new Set(
    [...files, ...LAB_PARTS.map((part) => `labs/X/${part}`)].flatMap((path) => [
      path,
      path.replace(/\.wgsl$/, ''),
      ...[...path.matchAll(/\//g)].map((m) => path.slice(0, m.index)),
    ]),
  ),
].join('\n')}\n`;

/** Names in capitals that stand for any name, as in src/formats/X/card.ts. */
const PLACEHOLDER = /\b(?:X|NAME|FILE|KERNEL)\b|HOW|X(?=Page\.tsx)/g;

/** Whether a path exists, from the root or from a folder on. A placeholder or `*` is any name. */
function pathExists(path: string): boolean {
  const glob = path.replace(/\/$/, '').replace(PLACEHOLDER, '*');
  if (!glob.includes('*')) return paths.includes(`\n${glob}\n`) || paths.includes(`/${glob}\n`);
  return new RegExp(`[\n/]${glob.replaceAll('.', '\\.').replaceAll('*', '[^/\n]*')}\n`).test(paths);
}

/** Code spans, and paths and names in them, that are examples or belong to another program. */
const EXAMPLES: readonly (readonly [name: RegExp, why: string])[] = [
  [/^#2\//, 'an address of the page'],
  [/^[@{[]/, 'marks of a lesson, which src/lessons/lessons.test.ts checks'],
  [
    /^\/\/|^feat\(|^cell 0,5$|^frame |^end$|^pack\b|^values\[3\]$|^!$/,
    'the text of a comment, a commit, a step or an id',
  ],
  [/^That leaves|^often\b|HowOften\.tsx$|\btoy\b/, 'what the reader of “Your first hour” writes'],
  [/^NAME_at/, 'WGSL that is generated for an array called NAME'],
  [/^test-results$|^dist\b/, 'a folder that a program writes'],
  [/^sed$|^poll$|^noEmit$|^tsconfig$|^override$/, 'belongs to the shell, Vitest, TypeScript or WGSL'],
  [/^config\.json$/, 'a file of a model'],
  [/^tokens$|^prove$/, 'a program of the command that a lab adds'],
  [/^sparsescope\//, 'an entry of the package, which test/package.test.ts checks'],
  [/^(?:rtx-4090$|typed:)/, 'a value in an address'],
];
const isExample = (name: string): boolean => EXAMPLES.some(([pattern]) => pattern.test(name));

/** Sections whose names must be declared in some folders; names of other sections, anywhere in SOURCES. */
const SCOPES: readonly (readonly [heading: string, folders: RegExp])[] = [
  ['Adding a format', /^src\/(?:core|story|lessons\/demonstrations|formats)\//],
  ['Writing the story of a paper', /^src\/(?:story|core\/text|formats\/[\w-]+\/story)\//],
  ['Adding a page', /^src\/(?:kit|state|pages)\//],
];
const SOURCES = /^(?:src|labs|scripts|test)\/|^[^/]+$/;

const codeBelow = new Map<RegExp, string>();

/** Returns the code of the sources below some folders, without comments; cached in `codeBelow`. */
function codeOf(folders: RegExp): string {
  const cached = codeBelow.get(folders);
  if (cached !== undefined) return cached;
  const sources = files.filter(
    (path) => folders.test(path) && /\.(?:tsx?|mjs)$/.test(path) && path !== 'test/doc-links.test.ts',
  );
  if (sources.length === 0) throw new Error(`${folders}: found no source, expected some`);
  const code = sources
    .map((path) => readFileSync(join(root, path), 'utf8').replace(/^\s*(?:\/\*|\*|\/\/).*|\s\/\/ .*/gm, ''))
    .join('\n');
  codeBelow.set(folders, code);
  return code;
}

/** Whether code declares or calls a name, has it as a property, or as a text of this one word. */
function isDeclared(name: string, code: string): boolean {
  for (let start = code.indexOf(name); start >= 0; start = code.indexOf(name, start + 1)) {
    const end = start + name.length;
    const [before, after] = [code.slice(start - 12, start), code.slice(end, end + 4)];
    if (/[\w$]$/.test(before) || /^[\w$]/.test(after)) continue;
    if (/\b(?:const|let|function\*?|class|interface|type)\s+$|\.$/.test(before)) return true;
    if (/^(?:\??[:(<]|\s*=>)/.test(after) || (/[{,([]\s*$/.test(before) && /^\s*[,})\]]/.test(after))) return true;
    if (before.endsWith("'") && after.startsWith("'")) return true;
  }
  return false;
}
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };

const PATH = /^[\w.*-]*\/[\w./*-]*$|^[\w.*-]+\.(?:tsx?|mjs|md|wgsl|json|svg|py|html)$/;
const COMMAND = /^(?:[A-Z_0-9]+=\S+ )?(?:npm|npx|node|rm|sed)\b/;
const KEYWORDS = /^(?:any|await|continue|const|from|if|import|new|null|return|yield|\w)$/;

/** Paths and identifiers in the code spans of a page that do not exist, each with its section. */
function unknownNames(markdown: string): readonly string[] {
  return withoutBlocks(markdown)
    .split(/^(?=## )/m)
    .flatMap((section) => {
      const [, heading = ''] = /^## (.+)/.exec(section) ?? [];
      const [, folders = SOURCES] = SCOPES.find(([scopeHeading]) => scopeHeading === heading) ?? [];
      const spans = [...section.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);
      const unknown = spans
        .filter((span) => !isExample(span))
        .flatMap((span) => {
          const tokens = span.split(/[\s'"(){},;<>=|]+/).map((token) => token.replace(/^(?:\.\.?\/)+|:$/g, ''));
          const missing = tokens.filter((token) => PATH.test(token) && !isExample(token) && !pathExists(token));
          if (COMMAND.test(span) || (tokens.length === 1 && PATH.test(span))) return missing;
          // The id of an operation, such as up-down, is a text of the code as a whole.
          if (/^[a-z]+(?:-[a-z]+)+$/.test(span) && isDeclared(span, codeOf(folders))) return missing;
          const names = span.replace(/'[^']*'/g, '').match(/(?<![\w$])[A-Za-z_$][\w$]*/g) ?? [];
          return missing.concat(
            names.filter(
              (name) =>
                !KEYWORDS.test(name) &&
                !isExample(name) &&
                !isDeclared(name, codeOf(folders)) &&
                !(name in scripts) &&
                !paths.includes(`\n${name}\n`) &&
                !paths.includes(`\nsrc/${name}\n`),
            ),
          );
        });
      return [...new Set(unknown)].map((name) => `${heading}: \`${name}\``);
    });
}

describe('names in the docs', () => {
  it.each(NAMING)('code spans in %s are paths and identifiers that exist', (page) => {
    expect(unknownNames(readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });

  it('every exception is used, and every section in SCOPES exists', () => {
    const texts = NAMING.map((page) => withoutBlocks(readFileSync(join(root, page), 'utf8'))).join('\n');
    const spans = [...texts.matchAll(/`([^`\n]+)`/g)].flatMap(([, span]) => [span, ...span.split(/[^\w./-]+/)]);
    expect(EXAMPLES.filter(([pattern]) => !spans.some((span) => pattern.test(span)))).toEqual([]);
    expect(SCOPES.filter(([heading]) => !texts.includes(`\n## ${heading}\n`))).toEqual([]);
  });

  it('unknownNames reports paths and identifiers that do not exist', () => {
    const section = '## Writing the story of a paper\n';
    const unknown = [
      'src/story/flow/nothing.ts',
      'src/nowhere/',
      'src/formats/X/nothing.ts',
      '*.nothing.ts',
      'nearTo',
      'directed(story(t))',
    ];
    const existing = [
      'src/story/flow/cells.ts',
      'src/story/',
      'flow/cells.ts',
      'src/formats/X/card.ts',
      '*.gpu.test.ts',
      'tightStack',
    ];
    expect(unknownNames(section + existing.map((span) => `\`${span}\` `).join(''))).toEqual([]);
    expect(
      unknownNames(section + unknown.map((span) => `\`${span}\` `).join('')).map((line) => line.split('`')[1]),
    ).toEqual(unknown.map((span) => span.replace('(story(t))', '')));
    expect(unknownNames('`npx vitest run src/no.test.ts`, `declareNothing({ arrays })`')).toEqual([
      ': `src/no.test.ts`',
      ': `declareNothing`',
    ]);
  });

  it('docs/architecture.md lists all folders of the project', () => {
    const [, tree = ''] =
      /^## Layers\n[^]*?```\n([^]*?)```/m.exec(readFileSync(join(root, 'docs/architecture.md'), 'utf8')) ?? [];
    const listed = [...tree.matchAll(/^( {2})?([\w-]+)\/(?:\s|$)/gm)].map(([, inSrc, name]) =>
      inSrc ? `src/${name}` : name,
    );
    const folders = files.map((path) => /^(?:src\/)?[\w-]+(?=\/)/.exec(path)?.[0] ?? '').filter((path) => path !== '');
    expect(listed.toSorted()).toEqual([...new Set([...folders, 'src'])].toSorted());
  });
});
