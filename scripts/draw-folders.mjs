// Draws docs/images/folders.svg from the sources: the folders of src and the labs, with an arrow for each import.
// `node scripts/draw-folders.mjs` writes it; test/folders.test.ts compares the file with the code.

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { importGraph } from './import-graph.mjs';

const ROOT = resolve(import.meta.dirname, '..');
export const PICTURE = join(ROOT, 'docs/images/folders.svg');

// Lengths in px.
const WIDTH = 1200;
const BOX = { width: 132, height: 40 };
/** Height of a layer: folders are drawn in layers, above the folders that they import. */
const LAYER_HEIGHT = 92;
const MARGIN = 24;

/**
 * The drawn folder to which a source file belongs: usually its folder of src. Each folder and each single file of core is drawn,
 * and so is every page and every lab. The fuzz targets and benchmarks of labs count as fuzz and bench.
 *
 * @param {string} path
 * @returns {string}
 */
export function folderOf(path) {
  const [top, folder, ...rest] = path.split('/');
  if (top === 'labs')
    return rest[0] === 'fuzz' ? 'fuzz' : /^(?:bench|command\.ts)$/.test(rest[0]) ? 'bench' : `labs/${folder}`;
  if (top !== 'src') return top;
  if (folder === 'core') return rest.length > 1 ? `core/${rest[0]}` : `core/${rest[0].replace('.ts', '')}`;
  if (folder === 'pages') return `${folder}/${rest[0]}`;
  return rest.length === 0 ? 'src' : folder;
}

/**
 * The drawn folders and the folders that they import, with the number of files that import from there.
 *
 * @param {ReadonlyMap<string, ReadonlySet<string>>} graph
 * @returns {Map<string, Map<string, number>>}
 */
export function folderGraph(graph) {
  /** @type {Map<string, Map<string, number>>} */
  const folders = new Map();
  for (const [file, targets] of graph) {
    const from = folderOf(file);
    const arrows = folders.get(from) ?? new Map();
    folders.set(from, arrows);
    for (const to of new Set([...targets].map(folderOf))) if (to !== from) arrows.set(to, (arrows.get(to) ?? 0) + 1);
  }
  const imported = new Set([...folders.values()].flatMap((arrows) => [...arrows.keys()]));
  for (const to of imported) if (!folders.has(to)) folders.set(to, new Map());
  return folders;
}

/**
 * The layer of every folder: one above the highest layer that it imports from. Throws if folders import each other in a circle.
 *
 * @param {ReadonlyMap<string, { keys(): Iterable<string> }>} folders
 * @returns {Map<string, number>}
 */
export function layersOf(folders) {
  /** @type {Map<string, number>} */
  const layers = new Map();
  /**
   * @param {string} folder
   * @param {readonly string[]} importers
   * @returns {number}
   */
  const layerOf = (folder, importers) => {
    const cached = layers.get(folder);
    if (cached !== undefined) return cached;
    const path = [...importers, folder];
    if (importers.includes(folder)) throw new Error(`rooms: ${path.join(' imports ')}, a circle`);
    const layersAboveImports = [...(folders.get(folder)?.keys() ?? [])].map((to) => layerOf(to, path) + 1);
    const layer = layersAboveImports.reduce((a, b) => Math.max(a, b), 0);
    layers.set(folder, layer);
    return layer;
  };
  for (const folder of folders.keys()) layerOf(folder, []);
  return layers;
}

/**
 * The arrows that are drawn (transitive reduction): all except those that follow from two others through another folder.
 *
 * @param {ReadonlyMap<string, ReadonlyMap<string, number>>} folders
 * @returns {[from: string, to: string][]}
 */
function drawnArrows(folders) {
  /** @type {Map<string, Set<string>>} */
  const cache = new Map();
  /**
   * The folders that a folder imports, directly or through others.
   *
   * @param {string} folder
   * @returns {Set<string>}
   */
  const reachableFrom = (folder) => {
    const cached = cache.get(folder);
    if (cached) return cached;
    const reachable = new Set([...(folders.get(folder)?.keys() ?? [])].flatMap((to) => [to, ...reachableFrom(to)]));
    cache.set(folder, reachable);
    return reachable;
  };
  return [...folders].flatMap(([from, arrows]) =>
    [...arrows.keys()]
      .filter((to) => ![...arrows.keys()].some((other) => other !== to && reachableFrom(other).has(to)))
      .map((to) => /** @type {[string, string]} */ ([from, to])),
  );
}

/**
 * Returns the picture as SVG. The same imports give the same text.
 *
 * @param {string} [root]
 * @returns {string}
 */
export function drawFolders(root = ROOT) {
  const folders = folderGraph(importGraph(root));
  const layers = layersOf(folders);
  const top = [...layers.values()].reduce((a, b) => Math.max(a, b), 0);
  /** @type {Map<string, { x: number, y: number }>} */
  const positions = new Map();
  for (let layer = 0; layer <= top; layer++) {
    const layerFolders = [...layers].filter(([, other]) => other === layer).map(([folder]) => folder);
    // Within a layer, folders are sorted by the mean x position of the folders that they import, then by name.
    const meanX = (/** @type {string} */ folder) => {
      const xs = [...(folders.get(folder)?.keys() ?? [])].flatMap((to) => positions.get(to)?.x ?? []);
      return xs.length === 0 ? WIDTH / 2 : xs.reduce((a, b) => a + b) / xs.length;
    };
    const sorted = layerFolders.toSorted((a, b) => meanX(a) - meanX(b) || a.localeCompare(b, 'en'));
    const step = (WIDTH - 2 * MARGIN) / sorted.length;
    sorted.forEach((folder, i) =>
      positions.set(folder, { x: Math.round(MARGIN + step * (i + 0.5)), y: MARGIN + (top - layer) * LAYER_HEIGHT }),
    );
  }
  const height = 2 * MARGIN + top * LAYER_HEIGHT + BOX.height;
  const positionOf = (/** @type {string} */ folder) => positions.get(folder) ?? { x: 0, y: 0 };
  const arrows = drawnArrows(folders)
    .toSorted(([a, b], [c, d]) => `${a} ${b}`.localeCompare(`${c} ${d}`, 'en'))
    .map(([from, to]) => {
      const a = positionOf(from);
      const b = positionOf(to);
      // A curve from the bottom of one box to the top of the other, which ends 5 px above it, at the tip of the arrow.
      const [y1, y2] = [a.y + BOX.height, b.y];
      const bend = Math.round((y2 - y1) / 2);
      const title = `${from} imports ${to}`;
      return `  <path d="M${a.x} ${y1} C${a.x} ${y1 + bend} ${b.x} ${y2 - bend} ${b.x} ${y2 - 5}"><title>${title}</title></path>`;
    });
  const boxes = [...positions]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([folder, { x, y }]) => {
      const isCore = folder.startsWith('core/');
      const left = x - BOX.width / 2;
      return `  <g><rect class="${isCore ? 'core' : 'room'}" x="${left}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4"/><text x="${x}" y="${y + 25}">${folder}</text></g>`;
    });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="The rooms of SparseScope; every arrow leads down, to what a room imports">
  <style>
    text { font: 600 13px system-ui, sans-serif; text-anchor: middle; fill: #15171c; }
    rect { stroke: #cbccc4; }
    .room { fill: #ffffff; }
    .core { fill: #e2e8f9; }
    path { fill: none; stroke: #8a8f98; stroke-width: 1.2; marker-end: url(#head); }
  </style>
  <defs><marker id="head" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z" style="fill:#8a8f98;stroke:none"/></marker></defs>
  <rect x="0" y="0" width="${WIDTH}" height="${height}" style="fill:#fafaf7;stroke:none"/>
${arrows.join('\n')}
${boxes.join('\n')}
</svg>
`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(PICTURE, drawFolders());
