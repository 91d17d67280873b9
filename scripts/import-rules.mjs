// The table of allowed imports between folders, and the check of all imports of the repository against it.
// `node scripts/import-rules.mjs` prints each violation; `npm run lint` and test/import-rules.test.ts run it.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { filesIn } from './labs.mjs';
import { ROOT } from './packages.mjs';

/**
 * A row of the table. The first row whose `files` match a source is its rule. The source may import files that match the same
 * row or `may`, types from files that match `types`, and `packages` (default: none). In patterns `*` is a name, `**` any path,
 * and `{X}` the same name throughout the row.
 *
 * @typedef {object} Rule
 * @property {readonly string[]} files
 * @property {readonly string[]} may
 * @property {readonly string[]} [types]
 * @property {readonly string[] | 'any'} [packages]
 * @property {string} because the reason, with which the error message ends
 */

const CARD = 'the page loads nothing of a format but its card, until its story or its published figures are shown';
/** Sources that every part of the page may import. */
const PAGE = [
  'src/core/**',
  'src/story/**',
  'src/theory/**',
  'src/formats/catalog.ts',
  'src/formats/hashes.ts',
  'src/formats/limits.ts',
  'src/generate/generate.ts',
  'src/generate/pattern-meanings.ts',
  'src/generate/patterns.ts',
  'src/generate/spec.ts',
  'src/generate/random-weights.ts',
  'src/io/gallery.ts',
  'src/io/gallery-pictures.ts',
  'src/engine/bridge/latest-only.ts',
  'src/render/**',
  'src/state/**',
];
/** Sources that every service in the worker may import. */
const SERVICE = [
  'src/core/**',
  'src/theory/**',
  'src/formats/registry.ts',
  'src/io/**',
  'src/generate/**',
  'src/gpu/**',
];

/** @type {readonly Rule[]} */
const RULES = [
  {
    files: ['src/core/**'],
    may: ['shaders/common/**'],
    because: 'core knows no format, no story, no file and no device',
  },
  {
    files: ['src/story/**'],
    may: ['src/core/**'],
    because: 'a story is told of whatever format and matrix it is given: it knows no list of formats and no page',
  },
  {
    files: ['src/theory/**'],
    may: ['src/core/**'],
    because: 'theory is mathematics on parameters and knows no format',
  },
  {
    files: ['src/formats/catalog.ts', 'src/formats/limits.ts', 'src/formats/hashes.ts'],
    may: [],
    packages: ['virtual:format-catalog', 'virtual:kernel-limits', 'virtual:kernel-hashes'],
    because: 'the build makes them from the registry',
  },
  {
    files: ['src/formats/*.ts'],
    may: ['src/core/**', 'src/formats/*/index.ts', 'src/story/declared/with-story.ts'],
    because: 'the registry reaches each format through its index.ts',
  },
  {
    files: ['src/formats/{X}/card.ts', 'src/formats/{X}/params.ts'],
    may: [
      'src/core/*.ts',
      'src/core/{bounds,comparison,encoded,matrix,number,operations,statistics,text}/**',
      'src/core/declared/card.ts',
      'src/core/declared/declaration.ts',
      'src/theory/**',
      'src/formats/{X}/published.ts',
      'src/formats/{X}/story/index.ts',
    ],
    types: ['src/story/format-story.ts'],
    because: CARD,
  },
  {
    files: ['src/formats/{X}/story/**', 'src/formats/{X}/story.ts'],
    may: ['src/core/**', 'src/story/**', 'src/theory/**', 'src/formats/{X}/**', 'shaders/{X}/**', 'shaders/common/**'],
    because: 'a format never imports another format: what two of them need belongs in core or story',
  },
  {
    files: ['src/formats/{X}/**'],
    may: ['src/core/**', 'src/theory/**', 'src/formats/{X}/**', 'shaders/{X}/**', 'shaders/common/**'],
    because: 'a format never imports another format: what two of them need belongs in core',
  },
  {
    files: ['src/io/**'],
    may: ['src/core/**'],
    packages: ['fflate'],
    because: 'io turns bytes into a matrix and knows none of its users',
  },
  {
    files: ['src/generate/**'],
    may: ['src/core/**'],
    because: 'generate turns a spec into a matrix and knows none of its users',
  },
  {
    files: [
      'labs/{X}/test/**',
      'labs/{X}/e2e/**',
      'labs/{X}/scripts/**',
      'labs/{X}/plugins.mjs',
      'labs/{X}/command.ts',
    ],
    may: ['**'],
    packages: 'any',
    because: 'tests and scripts of a lab may import what those of the project may',
  },
  {
    files: ['bench/**', 'labs/{X}/bench/**'],
    may: [
      'bench/**',
      'test/**',
      'e2e/**',
      'src/core/**',
      'src/story/**',
      'src/formats/registry.ts',
      'src/generate/**',
      'src/gpu/**',
      'src/io/**',
      'src/lib/**',
      'labs/{X}/**',
      'src/theory/**',
      'scripts/**',
      'package.json',
    ],
    packages: 'any',
    because: 'bench runs the same kernels without a page',
  },
  {
    files: ['fuzz/oracle/**', 'labs/{X}/fuzz/oracle/**'],
    may: [],
    because: 'the oracle shares no code with what it checks',
  },
  {
    files: ['fuzz/**', 'labs/{X}/fuzz/**'],
    may: [
      ...PAGE,
      'fuzz/**',
      'src/formats/registry.ts',
      'src/io/**',
      'src/generate/**',
      'labs/{X}/**',
      'src/lessons/**',
      'src/kit/**',
      'src/papers/**',
      'src/pages/**',
      'test/**',
      'public/**',
      'scripts/**',
      'package.json',
    ],
    types: ['src/engine/**'],
    packages: 'any',
    because: 'fuzz attacks what needs no GPU',
  },
  {
    files: ['labs/{X}/theory/**'],
    may: ['src/core/**', 'src/theory/**'],
    because: 'theory is mathematics on parameters and knows no format',
  },
  {
    files: ['labs/{X}/tales/**'],
    may: ['src/core/**'],
    because: 'tales are a language of their own, drawn and judged without a model, a matrix or a page',
  },
  {
    files: ['labs/{X}/decoders/**'],
    may: [
      'src/core/**',
      'src/theory/**',
      'src/io/**',
      'src/generate/**',
      'src/gpu/**',
      'labs/{X}/shaders/**',
      'shaders/common/**',
    ],
    packages: ['@huggingface/tokenizers'],
    because: 'a model decodes with whatever formats and texts it is given: it knows no format, no tale and no page',
  },
  {
    files: ['labs/{X}/own/**'],
    may: ['src/core/**', 'src/story/**'],
    because: 'a format of one’s own is text and data: it knows no registered format and no page',
  },
  {
    files: ['labs/{X}/gpu/**'],
    may: ['src/core/**', 'src/gpu/**', 'labs/{X}/theory/**'],
    because: 'what changes kernels knows no more than what runs them',
  },
  {
    files: ['labs/{X}/worker.ts', 'labs/{X}/models/**', 'labs/{X}/page/service/**'],
    may: [
      ...SERVICE,
      'src/engine/**',
      'labs/{X}/decoders/**',
      'labs/{X}/gpu/**',
      'labs/{X}/own/**',
      'labs/{X}/theory/**',
      'labs/{X}/tales/*.ts',
    ],
    because: 'it runs in the worker, away from the page, and knows no other lab',
  },
  {
    files: ['labs/{X}/**'],
    may: [
      ...PAGE,
      'src/lessons/**',
      'src/kit/**',
      'src/papers/**',
      'src/pages/**',
      'labs/{X}/own/**',
      'labs/{X}/theory/**',
      'labs/{X}/tales/*.ts',
      'labs/{X}/decoders/decoder.ts',
      'labs/{X}/decoders/piece-bytes.ts',
      'labs/{X}/decoders/stored/recipe.ts',
      'labs/{X}/decoders/quality/recorded-quality.ts',
      'labs/{X}/decoders/quality/text-costs.ts',
    ],
    types: ['src/engine/**', 'labs/{X}/models/**', 'labs/{X}/page/service/**', 'labs/{X}/decoders/**'],
    packages: 'any',
    because: 'a lab may import src and no other lab, and its page asks its service for what computes',
  },
  {
    files: ['src/gpu/**'],
    may: ['src/core/**', 'shaders/common/**'],
    because: 'kernels reach gpu as KernelSpec, so that it never learns the name of a format',
  },
  {
    files: ['src/lib/**'],
    may: [
      'src/core/**',
      'src/theory/**',
      'src/formats/**',
      'src/generate/**',
      'src/gpu/**',
      'src/io/**',
      'package.json',
    ],
    packages: ['webgpu'],
    because: 'the package is the formats and kernels without a page, a worker or a store',
  },
  {
    files: ['src/render/**'],
    may: ['src/core/**', 'src/story/**'],
    packages: ['d3-selection', 'd3-zoom'],
    because: 'render draws scenes and knows neither the format nor the page',
  },
  {
    files: ['src/engine/**'],
    may: SERVICE,
    packages: ['comlink', 'idb-keyval'],
    because: 'the engine runs in a worker and serves any page',
  },
  {
    files: ['src/state/**'],
    may: [
      'src/core/**',
      'src/story/**',
      'src/theory/**',
      'src/formats/catalog.ts',
      'src/generate/**',
      'src/io/gallery.ts',
      'src/io/archives/decompression-limit.ts',
      'src/io/chosen-files.ts',
      'src/io/web/link-target.ts',
      'src/engine/bridge/latest-only.ts',
    ],
    types: ['src/engine/**'],
    packages: ['zustand/vanilla', 'idb-keyval'],
    because: 'state asks the worker for everything that computes, and runs without React',
  },
  {
    files: ['src/lessons/**'],
    may: ['src/core/**', 'src/story/**', 'src/theory/**', 'src/generate/generate.ts', 'src/state/**'],
    packages: ['zustand/vanilla'],
    because: 'lessons are text: formats are handed to them, and how they look is up to the page',
  },
  {
    files: ['src/kit/**'],
    may: PAGE,
    types: ['src/engine/**'],
    packages: 'any',
    because: 'what several pages draw with knows none of them, and asks for everything else through state',
  },
  {
    files: ['src/papers/**'],
    may: [...PAGE, 'src/kit/**'],
    types: ['src/engine/**'],
    packages: 'any',
    because: 'what a paper adds to pages knows none of them',
  },
  {
    files: ['src/pages/{X}/service/**'],
    may: [...SERVICE, 'src/engine/**'],
    because: 'a service runs in the worker, away from the page',
  },
  {
    files: ['src/pages/{X}/**'],
    may: [...PAGE, 'src/lessons/**', 'src/kit/**', 'src/papers/**'],
    types: ['src/engine/**', 'src/pages/{X}/service/**'],
    packages: 'any',
    because: 'a page never imports another page: what two of them need belongs in kit or state',
  },
  {
    files: ['src/app/*.worker.ts', 'src/app/services.ts', 'src/app/start-task-thread.ts'],
    may: [
      'src/engine/**',
      'src/pages/*/service/**',
      'labs/*/worker.ts',
      'src/formats/registry.ts',
      'src/core/**',
      'package.json',
    ],
    because: 'the workers put together the engine and the services of pages and labs',
  },
  {
    files: ['src/app/labs.ts'],
    may: ['labs/*/lab.ts'],
    types: ['src/kit/lab.ts'],
    because: 'it lists the labs',
  },
  {
    files: ['src/app/**'],
    may: [
      ...PAGE,
      'src/engine/bridge/engine.ts',
      'src/lessons/**',
      'src/kit/**',
      'src/papers/**',
      'src/pages/*/*.ts',
      'src/app/labs.ts',
      'package.json',
    ],
    types: ['src/engine/**'],
    packages: 'any',
    because: 'the application knows pages by the list in app/pages.ts, and labs by that in app/labs.ts',
  },
];

/**
 * Folders with a public face: their index.ts re-exports the names that other folders import, and nothing else of the folder is
 * theirs. The page imports the files of `open` directly, since the face would also load code that only the worker needs.
 *
 * @type {readonly { readonly folder: string, readonly open: readonly string[] }[]}
 */
export const FACES = [
  { folder: 'src/gpu', open: [] },
  {
    folder: 'src/io',
    open: [
      'src/io/gallery.ts',
      'src/io/gallery-pictures.ts',
      'src/io/chosen-files.ts',
      'src/io/archives/decompression-limit.ts',
      'src/io/web/link-target.ts',
    ],
  },
  { folder: 'src/render', open: [] },
  { folder: 'src/state', open: [] },
];

/**
 * The regular expression of a pattern. `{X}` matches `name`; without `name` it matches any name and captures it as group X.
 *
 * @param {string} pattern
 * @param {string} [name]
 */
function expression(pattern, name = '(?<X>[^/]+)') {
  const text = pattern
    .replace(/[.+?^$()|[\]\\]/g, '\\$&')
    // \0 and \x01 mark {X} and ** until the single * have been replaced.
    .replaceAll('{X}', '\0')
    .replace(/\{([\w,]+)\}/g, (_, names) => `(?:${names.replaceAll(',', '|')})`)
    .replaceAll('**', '\x01')
    .replaceAll('*', '[^/]*')
    .replaceAll('\x01', '.*')
    .replaceAll('\0', name);
  return new RegExp(`^${text}$`);
}

/**
 * The row that applies to a source, and the name that `{X}` matches in its path; null if no row matches.
 *
 * @param {string} file relative to the root, with slashes
 * @returns {{ rule: Rule, name: string } | null}
 */
export function ruleOf(file) {
  for (const rule of RULES) {
    for (const pattern of rule.files) {
      const match = expression(pattern).exec(file);
      if (match) return { rule, name: match.groups?.X ?? '' };
    }
  }
  return null;
}

/** An import or re-export; groups: keyword, `type`, specifier after `from`, specifier of a bare or dynamic import. */
const IMPORT = /^[ \t]*(import|export)\s+(type\s)?[^'";]*?\bfrom\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/gm;

/**
 * An error message for each import of a source that the table does not allow. Tests may import anything.
 *
 * @param {string} file relative to the root, with slashes
 * @param {string} text
 * @returns {string[]}
 */
export function wrongImports(file, text) {
  const row = ruleOf(file);
  if (!row || /\.test\.tsx?$/.test(file)) return [];
  const { rule, name } = row;
  const isIn = (/** @type {readonly string[]} */ patterns, /** @type {string} */ path) =>
    patterns.some((pattern) => expression(pattern, name).test(path));
  const isSameRow = (/** @type {string} */ path) => {
    const targetRow = ruleOf(path);
    return targetRow?.rule === rule && targetRow.name === name;
  };
  return [...text.matchAll(IMPORT)].flatMap(([, , type, from, bare]) => {
    const specifier = (from ?? bare).replace(/\?.*$/, '');
    const target = specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : null;
    const isAllowed =
      target === null
        ? rule.packages === 'any'
          ? specifier !== 'comlink'
          : (rule.packages ?? []).includes(specifier)
        : isSameRow(target) ||
          isIn(rule.may, target) ||
          (type !== undefined && isIn(rule.types ?? [], target)) ||
          (target.endsWith('.css') && dirname(target).startsWith(dirname(file)));
    return isAllowed ? [] : [`${file} imports ${target ?? specifier}: ${rule.because}.`];
  });
}

/** A static import or re-export of a TypeScript file; not a path with a query, and not `import()`, which loads it later. */
const STATIC_SOURCE = /^[ \t]*(?:import|export)\s(?:[^'";]*?\bfrom\s+)?'(\.[^'?]+\.tsx?)'/gm;
/** The lines that a face may contain: re-exports by name, comments and empty lines. */
const FACE_TEXT = /^(?:export (?:type )?\{[^}]*\} from '\.[^']+';|\/\/.*|\s*)$/gm;

/**
 * An error message for each static import that bypasses the face of a folder, for each import of a face by a file of its own
 * folder, and for any text of a face other than re-exports. Tests and their helpers may import anything.
 *
 * @param {string} file relative to the root, with slashes
 * @param {string} text
 * @returns {string[]}
 */
export function wrongFaces(file, text) {
  const isTest = /\.(?:test|gpu)\.tsx?$|(?:^|\/)(?:test|e2e)\//.test(file);
  return FACES.flatMap(({ folder, open }) => {
    const face = `${folder}/index.ts`;
    if (file === face) {
      const other = text.replace(FACE_TEXT, '').trim();
      return other === '' ? [] : [`${face} has '${other.split('\n')[0]}': a face only re-exports by name.`];
    }
    const isInside = file.startsWith(`${folder}/`);
    const targets = [...text.matchAll(STATIC_SOURCE)].map(([, path]) => normalize(join(dirname(file), path)));
    if (isInside) {
      const isCircle = targets.includes(face);
      return isCircle ? [`${file} imports ${face}: files of a folder import each other, not its face.`] : [];
    }
    if (isTest) return [];
    return targets
      .filter((target) => target.startsWith(`${folder}/`) && target !== face && !open.includes(target))
      .map((target) => `${file} imports ${target}: other folders import ${face}.`);
  });
}

/** Files that may name labs: the list of labs, and files that find parts of every lab by a pattern. */
const KNOW_LABS = [
  'src/app/labs.ts',
  'src/app/engine.worker.ts',
  'src/lessons/index.ts',
  'src/kit/styles/index.css',
  'bench/command/programs.ts',
  'fuzz/targets.ts',
  'test/offers.ts',
  'test/shaders.test.ts',
  // Test cases with labs that do not exist.
  'test/import-rules.test.ts',
  'test/labs.test.ts',
];

/**
 * The name of the lab that a file belongs to; null for a file outside labs.
 *
 * @param {string} path relative to the root, with slashes
 * @returns {string | null}
 */
export function labOf(path) {
  const [top, folder, rest] = path.split('/');
  return top === 'labs' && rest !== undefined ? folder : null;
}

/** A relative path in any quotes, and any mention of a file of a lab, also in a comment. */
const PATH = /(?<=['"`])\.\.?\/[^'"`\s]+(?=['"`])|(?<![\w./-])labs\/[^'"`\s,)]+/g;

/**
 * An error message for each mention of a file of a lab outside this lab, also in tests and comments: the folder of a lab can be
 * deleted, and nothing else may depend on it.
 *
 * @param {string} file relative to the root, with slashes
 * @param {string} text
 * @returns {string[]}
 */
export function wrongLabs(file, text) {
  if (KNOW_LABS.includes(file)) return [];
  const labOfFile = labOf(file);
  return [...text.matchAll(PATH)].flatMap(([path]) => {
    const target = path.startsWith('.') ? normalize(join(dirname(file), path)) : path;
    const lab = labOf(target);
    // A placeholder such as labs/X, in a comment.
    const isPattern = !path.startsWith('.') && lab !== null && !/^[a-z][a-z-]*$/.test(lab);
    if (lab === null || lab === labOfFile || isPattern) return [];
    return [`${file} names ${target}: src knows labs by the list in src/app/labs.ts, and a lab no other lab.`];
  });
}

/** Folders whose files `wrongLabs` checks. */
const CHECKED_FOLDERS = ['src', 'labs', 'bench', 'e2e', 'fuzz', 'scripts', 'test'];

/**
 * The error messages of all files: imports that the table does not allow or that bypass a face, and mentions of files of labs.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function allWrongImports(root) {
  return filesIn(CHECKED_FOLDERS, /(?<!\.d)\.(?:tsx?|mjs|css)$/, root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const importErrors = /\.tsx?$/.test(file) ? [...wrongImports(file, text), ...wrongFaces(file, text)] : [];
    return [...importErrors, ...wrongLabs(file, text)];
  });
}

if (process.argv[1] === import.meta.filename) {
  const wrong = allWrongImports(ROOT);
  for (const message of wrong) console.log(message);
  if (wrong.length > 0) process.exitCode = 1;
}
