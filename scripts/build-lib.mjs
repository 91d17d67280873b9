// `npm run build:lib`: builds the package in dist-package, with its types, its command and its pages, and prints sizes. Fails
// if one is too large. `npm pack ./dist-package` packs it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { build } from 'vite';
import { ENTRIES, PACKAGE_FOLDER } from './package-entries.mjs';
import { ROOT } from './packages.mjs';

/** Types of each source, as tsc writes them. */
const SOURCE_TYPES = join(ROOT, '.cache', 'lib-types');

/** Files that the package contains unchanged, except for links to files that it does not contain. */
const FILES = [
  'LICENSE',
  'CHANGELOG.md',
  'docs/api.md',
  'docs/reference.md',
  'docs/numpy/pyproject.toml',
  'docs/numpy/sparsescope.py',
];

/** The example in README.md of the project; it replaces the line EXAMPLE_LINE in README.md of the package. */
const EXAMPLE = /```js\n(.*?)```/s;
const EXAMPLE_LINE = 'EXAMPLE';

/**
 * Programs that import the package, and the maximum size in kB of each in one file, minified and gzipped. Those of
 * 'sparsescope/core' contain only what they use, the others also the modules that a format may load later.
 *
 * @type {Readonly<Record<string, { readonly code: string, readonly limitKB: number }>>}
 */
const PROGRAMS = {
  'encode (core)': {
    code: `import { encode, fromDense } from 'sparsescope/core';
import { macko } from 'sparsescope/macko';
globalThis.stored = encode(fromDense(1, 2, [0, 1]), macko);`,
    limitKB: 12,
  },
  encode: {
    code: `import { encode, fromDense } from 'sparsescope';
import { macko } from 'sparsescope/macko';
globalThis.stored = encode(fromDense(1, 2, [0, 1]), macko);`,
    limitKB: 30,
  },
  'encode and run (core)': {
    code: `import { encode, fromDense, openDevice, run } from 'sparsescope/core';
import { macko } from 'sparsescope/macko/kernels';
globalThis.y = run(await openDevice(), encode(fromDense(1, 2, [0, 1]), macko), [1, 1]);`,
    limitKB: 72,
  },
  'encode and run': {
    code: `import { encode, fromDense, openDevice, run } from 'sparsescope';
import { macko } from 'sparsescope/macko';
globalThis.y = run(await openDevice(), encode(fromDense(1, 2, [0, 1]), macko), [1, 1]);`,
    limitKB: 180,
  },
};

/** Maximum size of the packed package, in kB. */
const PACKED_LIMIT_KB = 500;

/** @type {(path: string) => string} */
const inPackage = (path) => join(PACKAGE_FOLDER, path);

/** @type {(path: string) => string} */
const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');

/**
 * package.json of the package: those fields of the project's that programs which install the package need. The address of
 * the project is only in its field `repository`, without .git; while that is empty, the package has no addresses.
 *
 * @param {Readonly<Record<string, any>>} project package.json of the project
 * @returns {Readonly<Record<string, any>>}
 */
export function manifestOf(project) {
  const { name, version, description, keywords, repository, license, author, engines } = project;
  const { peerDependencies, peerDependenciesMeta } = project;
  /** @type {(entry: string) => object} */
  const exportOf = (file) => ({ types: `./dist-lib/types/${file}.d.ts`, default: `./dist-lib/${file}.js` });
  return {
    name,
    version,
    description,
    keywords,
    ...(repository && {
      homepage: `${repository}#readme`,
      bugs: `${repository}/issues`,
      repository: { type: 'git', url: `git+${repository}.git` },
    }),
    license,
    author,
    // Lets bundlers leave out unused modules. package.json of the project lacks it, since its sources have side effects.
    sideEffects: ['./dist-lib/command/**'],
    type: 'module',
    bin: { sparsescope: 'dist-lib/command/main.mjs' },
    exports: {
      ...Object.fromEntries(Object.entries(ENTRIES).map(([path, file]) => [path, exportOf(file)])),
      './sparsescope.py': './docs/numpy/sparsescope.py',
      './package.json': './package.json',
    },
    // Only Node imports the package webgpu; other programs get a module that throws.
    imports: { '#webgpu': { node: 'webgpu', default: './dist-lib/no-webgpu.js' } },
    peerDependencies,
    peerDependenciesMeta,
    engines,
  };
}

/** Sections of CHANGELOG.md about the page and the repository, which the package does not contain. */
const OTHER_SECTIONS = ['See a format', 'Choose and open', 'Measure', 'The page', 'The repository'];

/**
 * CHANGELOG.md of the package: the changes of the newest version only, since earlier packages contain those of theirs.
 *
 * @param {string} text of CHANGELOG.md
 */
function newestChanges(text) {
  const [head, ...versions] = text.split(/^(?=## \[)/m);
  // After a release, [Unreleased] is empty.
  const newest = versions.find((version) => version.includes('\n### ')) ?? '';
  const sections = newest.split(/^(?=### )/m);
  const kept = sections.filter((section) => !OTHER_SECTIONS.some((title) => section.startsWith(`### ${title}\n`)));
  return `${head}${kept.join('').trimEnd()}\n`;
}

/** The section of docs/reference.md about what the page stores, which the package does not contain. */
const STORED_NAMES = /^### Stored names\n.*/ms;

/**
 * A page without the relative links to files that the package does not contain: their words stay.
 *
 * @param {string} path in the package
 * @param {string} text
 */
function withContainedLinks(path, text) {
  return text.replaceAll(/\[([^\]]+)\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g, (link, words, target) =>
    existsSync(inPackage(join(dirname(path), target))) ? link : words,
  );
}

/** Writes everything but code and types. */
function writePages() {
  for (const path of FILES) {
    mkdirSync(dirname(inPackage(path)), { recursive: true });
    cpSync(join(ROOT, path), inPackage(path));
  }
  const [example = ''] = EXAMPLE.exec(textOf('README.md')) ?? [];
  writeFileSync(
    inPackage('README.md'),
    textOf('src/lib/README.md').replace(EXAMPLE_LINE, () => example),
  );
  writeFileSync(inPackage('CHANGELOG.md'), newestChanges(textOf('CHANGELOG.md')));
  writeFileSync(inPackage('docs/reference.md'), `${textOf('docs/reference.md').replace(STORED_NAMES, '').trimEnd()}\n`);
  for (const path of ['README.md', ...FILES].filter((page) => page.endsWith('.md'))) {
    writeFileSync(inPackage(path), withContainedLinks(path, readFileSync(inPackage(path), 'utf8')));
  }
  writeFileSync(
    inPackage('package.json'),
    `${JSON.stringify(manifestOf(JSON.parse(textOf('package.json'))), null, 2)}\n`,
  );
  writeFileSync(
    inPackage('dist-lib/no-webgpu.js'),
    "export const globals = {};\nexport function create() {\n  throw new Error('the program was built for a browser');\n}\n",
  );
}

/**
 * Names of WebGPU and of the DOM in the types of the package, each with its type where no library of the program's
 * compiler declares it.
 */
const GLOBALS = {
  Blob: '{ readonly size: number; arrayBuffer(): Promise<ArrayBuffer>; slice(start?: number, end?: number): unknown }',
  GPU: '{ requestAdapter(options?: object): Promise<unknown> }',
  GPUDevice: '{ readonly lost: Promise<unknown>; destroy(): void }',
};

/** Declares in a file of types the globals that a compiler may not know, and removes the comments that name its sources. */
function declareGlobals(/** @type {string} */ file) {
  const text = readFileSync(file, 'utf8').replaceAll(/^\/\/ \S+\.d\.ts\n/gm, '');
  const code = text.replaceAll(/\/\*.*?\*\//gs, '');
  const declared = Object.entries(GLOBALS).flatMap(([name, fallbackType]) =>
    new RegExp(`\\b${name}\\b`).test(code)
      ? [
          `type ${name} = typeof globalThis extends { ${name}: { prototype: infer Declared } } ? Declared : ${fallbackType};\n`,
        ]
      : [],
  );
  writeFileSync(file, `${text.trimEnd()}\n${declared.join('')}`);
}

/** Writes the types: one file for each entry, and one that they share. */
async function writeTypes() {
  rmSync(SOURCE_TYPES, { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['-p', 'tsconfig.lib.json', '--outDir', SOURCE_TYPES];
  const { status } = spawnSync(process.execPath, [tsc, ...options], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('tsconfig.lib.json: found errors');
  const bundle = await rolldown({
    input: Object.fromEntries(
      Object.values(ENTRIES).map((file) => [file, join(SOURCE_TYPES, 'src/lib', `${file}.d.ts`)]),
    ),
    plugins: [dts({ dtsInput: true, tsconfig: false })],
  });
  await bundle.write({
    dir: inPackage('dist-lib/types'),
    entryFileNames: '[name].d.ts',
    chunkFileNames: '[name].d.ts',
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
  });
  await bundle.close();
  for (const name of readdirSync(inPackage('dist-lib/types'), { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.d.ts')) declareGlobals(inPackage(join('dist-lib/types', name)));
  }
}

/**
 * The files that an import of an entry loads, the entry first; not what it imports later, on request.
 *
 * @param {string} file
 * @returns {readonly string[]}
 */
function loadedBy(file) {
  const seen = new Set([file]);
  // The loop also visits files that are added during it.
  for (const current of seen) {
    const text = readFileSync(current, 'utf8');
    for (const [, path] of text.matchAll(/\b(?:from|import)\s*["'`](\.[^"'`]+)["'`]/g)) {
      seen.add(join(dirname(current), path));
    }
  }
  return [...seen];
}

/** @type {(text: string | Buffer) => number} */
const gzippedKB = (text) => gzipSync(text).length / 1000;

/**
 * A program in one minified file, as bundlers write it for a browser.
 *
 * @param {string} code
 */
async function inOneFile(code) {
  const bundle = await rolldown({
    input: 'program',
    cwd: PACKAGE_FOLDER,
    plugins: [
      // The package imports itself by its name.
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? join(PACKAGE_FOLDER, 'program.js') : null),
        load: (id) => (id === join(PACKAGE_FOLDER, 'program.js') ? code : null),
      },
    ],
    resolve: { conditionNames: ['browser', 'import', 'default'] },
  });
  const { output } = await bundle.generate({ codeSplitting: false, minify: true, comments: false });
  await bundle.close();
  if (output.length !== 1) throw new Error(`found ${output.length} files, expected one`);
  return output[0].code;
}

/**
 * Prints a size, and fails if it is above its limit.
 *
 * @param {string} what
 * @param {number} kB
 * @param {number} [limitKB]
 */
function checkSize(what, kB, limitKB = Infinity) {
  console.log(`${kB.toFixed(1).padStart(6)} kB  ${what}${limitKB < Infinity ? `, at most ${limitKB}` : ''}`);
  if (kB > limitKB) process.exitCode = 1;
}

/** Prints sizes, gzipped. */
async function checkSizes() {
  for (const [name, { code, limitKB }] of Object.entries(PROGRAMS)) {
    checkSize(`in one file: ${name}`, gzippedKB(await inOneFile(code)), limitKB);
  }
  for (const [path, name] of Object.entries(ENTRIES)) {
    const files = loadedBy(inPackage(`dist-lib/${name}.js`));
    const kB = files.reduce((sum, file) => sum + gzippedKB(readFileSync(file)), 0);
    checkSize(`${path}, ${files.length} files that a page without a bundler loads`, kB);
  }
  const paths = readdirSync(PACKAGE_FOLDER, { recursive: true, encoding: 'utf8' })
    .map(inPackage)
    .filter((path) => statSync(path).isFile());
  // As one stream, like an archive.
  const packed = gzippedKB(Buffer.concat(paths.map((path) => readFileSync(path))));
  checkSize(`the package, ${paths.length} files`, packed, PACKED_LIMIT_KB);
}

async function main() {
  rmSync(PACKAGE_FOLDER, { recursive: true, force: true });
  await build({ configFile: join(ROOT, 'scripts/lib.vite.config.ts') });
  writePages();
  await writeTypes();
  await checkSizes();
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--of-project')) {
    console.error('npm pack: found the project, expected the package: npm run build:lib && npm pack ./dist-package');
    process.exit(1);
  }
  await main();
}
