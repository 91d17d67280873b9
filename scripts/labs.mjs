// The labs: folders of labs/, each with everything that belongs to it. `node scripts/labs.mjs`, the first part of
// `npm run labs`, writes what repeats their list: src/app/labs.ts, the list in labs/README.md, their scripts in package.json,
// and lines of docs that link to a lab which is gone. It also writes labs/X.uses.ts, which keeps exports that only
// lab X imports from being reported as unused while it is removed. test/labs.test.ts checks that all of it is written.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './packages.mjs';

/**
 * Optional files of a lab that the rest of the project finds by their path. All other files of a lab are imported by these, or
 * are tests.
 */
export const LAB_PARTS = [
  'lab.ts',
  'worker.ts',
  'command.ts',
  'plugins.mjs',
  'scripts.json',
  'lessons/*.md',
  'public/**',
  'shaders/**',
  'fuzz/targets.ts',
  'fuzz/cases.json',
  'test/offers.ts',
  'test/passes.ts',
  'test/queries.json',
];

/**
 * The names of all labs, sorted; none if the folder labs has none. Throws Error if there is no such folder, or for a folder
 * in it without a lab.ts.
 *
 * @param {string} [root]
 * @returns {readonly string[]}
 */
export function labNames(root = ROOT) {
  const folder = join(root, 'labs');
  if (!existsSync(folder)) throw new Error(`found no folder ${folder}, expected that of the labs`);
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  for (const name of names) {
    if (!existsSync(join(folder, name, 'lab.ts')))
      throw new Error(`labs/${name}: found no lab.ts, expected that of a lab`);
  }
  return names;
}

/**
 * A file of every lab that has it: its path in the project.
 *
 * @param {string} part one of LAB_PARTS
 * @param {string} [root]
 * @returns {readonly string[]}
 */
export function partsOfLabs(part, root = ROOT) {
  if (!LAB_PARTS.includes(part) || part.includes('*'))
    throw new Error(`'${part}': found no such file of a lab, expected one of ${LAB_PARTS.join(', ')}`);
  return labNames(root)
    .map((name) => `labs/${name}/${part}`)
    .filter((path) => existsSync(join(root, path)));
}

/**
 * The files below folders of the project, and of labs. Throws Error where a folder has none: a list of nothing would pass
 * every check.
 *
 * @param {readonly string[]} folders such as 'src'; 'labs' may have no lab
 * @param {RegExp} pattern of their paths, which are relative to the root, with slashes
 * @param {string} [root]
 * @returns {readonly string[]}
 */
export function filesIn(folders, pattern, root = ROOT) {
  return folders.flatMap((folder) => {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => pattern.test(path));
    if (files.length === 0 && !(folder === 'labs' && labNames(root).length === 0))
      throw new Error(`${folder}: found no file like ${pattern}`);
    return files;
  });
}

/**
 * The Vite plugins that builds need for labs: `plugins` of each plugins.mjs.
 *
 * @returns {Promise<readonly import('vite').Plugin[]>}
 */
export async function labPlugins() {
  const modules = await Promise.all(
    partsOfLabs('plugins.mjs').map((path) => import(pathToFileURL(join(ROOT, path)).href)),
  );
  return modules.flatMap(({ plugins }) => plugins);
}

const WRITTEN_BY = '// Written by `npm run labs` from the folders of labs/.';

/** @param {readonly string[]} names */
const listModule = (names) => {
  const variable = (/** @type {string} */ name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
  return `${[
    WRITTEN_BY,
    "import type { Lab } from '../kit/lab.ts';",
    ...names.map((name) => `import { ${variable(name)} } from '../../labs/${name}/lab.ts';`),
    '',
    '/** The labs, optional parts of the page. */',
    `export const LABS: readonly Lab[] = [${names.map(variable).join(', ')}];`,
  ].join('\n')}\n`;
};

/** Names that a source imports or re-exports from another. */
const IMPORTED = /\b(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?\{([^{}]*)\}\s*from\s*'([^']+)'/g;

/**
 * For each lab, a module that re-exports the names of `src` that only this lab imports, and imports packages that only it
 * uses. Names are exported as types, so that the module has no code. It is outside of the lab's folder, so that it stays when
 * the lab is removed: knip, which finds unused exports and packages, counts it as a use.
 *
 * @param {readonly string[]} names
 * @param {string} root
 * @returns {readonly (readonly [path: string, text: string])[]}
 */
function usesModules(names, root) {
  const packages = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies ?? {});
  /** @type {Set<string>} a module and a name of it, with a space between them */
  const usesOfOthers = new Set();
  /** @type {Map<string, Set<string>>} */
  const usesOfLabs = new Map(names.map((name) => [name, new Set()]));
  for (const file of filesIn(['bench', 'e2e', 'fuzz', 'labs', 'scripts', 'src', 'test'], /\.(?:tsx?|mjs)$/, root)) {
    const [, usesFile, lab] = /^labs\/(?:([^/]+\.uses\.ts)|([^/]+)\/)/.exec(file) ?? [];
    if (usesFile !== undefined) continue;
    for (const [, list, from] of readFileSync(join(root, file), 'utf8').matchAll(IMPORTED)) {
      const source = from.startsWith('.') ? posix.join(dirname(file), from) : from;
      for (const part of list.split(',')) {
        const name = part
          .replace(/^\s*(?:type\s)?/, '')
          .replace(/\sas\s[^]*/, '')
          .trim();
        if (name !== '') (lab === undefined ? usesOfOthers : usesOfLabs.get(lab))?.add(`${source} ${name}`);
      }
    }
  }
  const packagesOfOthers = new Set([...usesOfOthers].map((use) => use.split(' ')[0]));
  return names.map((lab) => {
    const usesOfLabAlone = [...(usesOfLabs.get(lab) ?? [])].filter((use) => !usesOfOthers.has(use)).toSorted();
    const sources = [...new Set(usesOfLabAlone.map((use) => use.split(' ')[0]))];
    /** @type {Set<string>} */
    const exported = new Set();
    const lines = sources.flatMap((source) => {
      if (packages.includes(source)) return packagesOfOthers.has(source) ? [] : [`import type {} from '${source}';`];
      if (!source.startsWith('src/')) return [];
      const exports = usesOfLabAlone.flatMap((use) => {
        const [from, name] = use.split(' ');
        if (from !== source) return [];
        // Two modules may have exports of the same name.
        let alias = name;
        while (exported.has(alias)) alias += 'Too';
        exported.add(alias);
        return [alias === name ? name : `${name} as ${alias}`];
      });
      const line = `export type { ${exports.join(', ')} } from '../${source}';`;
      return [line.length <= 120 ? line : `export type {\n  ${exports.join(',\n  ')},\n} from '../${source}';`];
    });
    const head = [
      `// Written by \`npm run labs\`: exports and packages that only labs/${lab} uses. Nothing imports this file. It keeps knip, which`,
      '// finds unused exports, from reporting them while that folder is removed. Delete it when the lab is gone for good.',
    ];
    return [`labs/${lab}.uses.ts`, `${[...head, ...lines, ...(exported.size > 0 ? [] : ['export {};'])].join('\n')}\n`];
  });
}

const BEGIN = '<!-- labs -->';
const END = '<!-- /labs -->';

/**
 * A line of labs/README.md for each lab: its title, with a link, and the first sentence of its README.
 *
 * @param {readonly string[]} names
 * @param {(path: string) => string} read
 */
function listLines(names, read) {
  return names.map((name) => {
    const [, title, message] = /^# (.+)\n+(.+?\.)(?= |\n)/.exec(read(`labs/${name}/README.md`)) ?? [];
    if (title === undefined) throw new Error(`labs/${name}/README.md: found no title with a sentence below it`);
    return `- [${title}](${name}/README.md). ${message}`;
  });
}

/**
 * The files that repeat the list of labs, with their correct contents, by path.
 *
 * @param {string} [root]
 * @returns {ReadonlyMap<string, string>}
 */
export function labFiles(root = ROOT) {
  const names = labNames(root);
  const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
  /** @type {Map<string, string>} */
  const files = new Map([['src/app/labs.ts', listModule(names)], ...usesModules(names, root)]);

  // Scripts of labs follow those of the project.
  const project = JSON.parse(read('package.json'));
  const isOfLab = (/** @type {unknown} */ command) => String(command).startsWith('node scripts/run.mjs labs/');
  const scriptsBefore = Object.entries(project.scripts);
  const labScripts = partsOfLabs('scripts.json', root).flatMap((path) =>
    Object.entries(JSON.parse(read(path))).map(([name, program]) => [
      name,
      `node scripts/run.mjs ${path.replace('scripts.json', program)}`,
    ]),
  );
  const scripts = Object.fromEntries([...scriptsBefore.filter(([, command]) => !isOfLab(command)), ...labScripts]);
  files.set('package.json', `${JSON.stringify({ ...project, scripts }, null, 2)}\n`);

  // Removes whole lines: paragraphs, items and rows are one line each. In other lines, a removed script stays as a plain name.
  const removedScripts = scriptsBefore.map(([name]) => name).filter((name) => !(name in scripts));
  const runRemovedScript =
    removedScripts.length > 0 ? new RegExp(`npm run (?=(?:${removedScripts.join('|')})\\b)`, 'g') : /(?!)/g;
  const linksToRemovedLab = (/** @type {string} */ line) =>
    [...line.matchAll(/(?<![\w-])labs\/([a-z][a-z-]*)\//g)].some(([, name]) => !names.includes(name));
  for (const path of filesIn(['docs', 'src'], /\.(?:md|json)$/, root).concat('README.md', 'CONTRIBUTING.md')) {
    const text = read(path);
    const lines = path.endsWith('.md') ? text.split('\n').filter((line) => !linksToRemovedLab(line)) : [text];
    const changed = lines.join('\n').replaceAll(runRemovedScript, '');
    if (changed !== text) files.set(path, changed);
  }

  const list = read('labs/README.md');
  const [from, to] = [list.indexOf(BEGIN), list.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`labs/README.md: found no lines between ${BEGIN} and ${END}`);
  const printed = [BEGIN, '', ...listLines(names, read), '', END].join('\n');
  files.set('labs/README.md', list.slice(0, from) + printed + list.slice(to + END.length));
  return files;
}

// A program that bundles this file has another file name.
if (process.argv[1] === join(ROOT, 'scripts', 'labs.mjs')) {
  for (const [path, text] of labFiles()) {
    if (existsSync(join(ROOT, path)) && readFileSync(join(ROOT, path), 'utf8') === text) continue;
    writeFileSync(join(ROOT, path), text);
    console.log(`wrote ${relative(process.cwd(), join(ROOT, path))}`);
  }
}
