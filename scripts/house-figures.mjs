// Figures of the size of the sources: `npm test` and `node scripts/house-figures.mjs` print them beside those of the last
// release. None fails a build.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importGraph } from './import-graph.mjs';
import { labOf } from './import-rules.mjs';
import { ROOT } from './packages.mjs';
import { pageTexts, wordCount } from './page-words.mjs';

/**
 * @typedef {object} Figure
 * @property {string} title
 * @property {number} found
 * @property {number} released in release 0.1.0
 */

/** Entry points. Any other source that no source imports serves tests alone: knip finds unused ones. */
const ENTRIES = /\/(?:main\.tsx|(?:\w+\.)?worker\.ts|in-node\.ts)$/;

/**
 * Text of every source that counts: src with its style sheets, and the shaders, without tests.
 *
 * @param {string} root
 * @returns {Map<string, string>} by path relative to `root`, with slashes
 */
function sourcesOf(root) {
  const paths = ['src', 'shaders'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  const counted = paths.filter((path) => /\.(?:tsx?|css|wgsl)$/.test(path) && !/\.test\.tsx?$/.test(path));
  return new Map(counted.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/**
 * @param {string} [root]
 * @returns {readonly Figure[]}
 */
export function houseFigures(root = ROOT) {
  const sources = sourcesOf(root);
  const lines = (/** @type {string} */ path) => (sources.get(path) ?? '').split('\n').length - 1;
  const graph = importGraph(root);
  const imported = new Set([...graph.values()].flatMap((targets) => [...targets]));
  const isOfTests = (/** @type {string} */ path) => graph.has(path) && !imported.has(path) && !ENTRIES.test(path);
  const counted = [...sources.keys()].filter((path) => !isOfTests(path));
  const linesOf = (/** @type {(lab: string | null) => boolean} */ isCounted) =>
    counted.filter((path) => isCounted(labOf(path))).reduce((sum, path) => sum + lines(path), 0);
  const sheets = [...sources.keys()].filter((path) => path.endsWith('.css'));
  const ofHouse = [...graph.keys()].filter((path) => /^src\/(?!labs\/)/.test(path));
  const markdown = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  );
  const readDoc = (/** @type {string} */ path) => readFileSync(join(root, 'docs', path), 'utf8');
  return [
    { title: 'lines of the house', found: linesOf((lab) => lab === null), released: 139_436 },
    { title: 'lines of the labs', found: linesOf((lab) => lab !== null), released: 51_957 },
    { title: 'lines of CSS', found: sheets.reduce((sum, path) => sum + lines(path), 0), released: 9244 },
    {
      title: 'words on the page',
      found: pageTexts(['src'], root).reduce((sum, { text }) => sum + wordCount(text), 0),
      released: 60_349,
    },
    {
      title: 'words of docs',
      found: markdown.reduce((sum, path) => sum + (readDoc(path).match(/\S+/g)?.length ?? 0), 0),
      released: 51_095,
    },
    {
      title: 'lines of the median file of the house',
      found: ofHouse.map(lines).toSorted((a, b) => a - b)[Math.floor(ofHouse.length / 2)],
      released: 77,
    },
  ];
}

/** @param {Figure} figure */
export const figureLine = ({ title, found, released }) => `${title}: ${found} (${released} in 0.1.0)`;

if (process.argv[1] === import.meta.filename) for (const figure of houseFigures()) console.log(figureLine(figure));
