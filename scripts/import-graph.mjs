// The import graph of the sources, types included: for the test that finds circles and for the picture of the rooms.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^'?]+)'/g;

/**
 * Every source of the application and of what runs it, without tests, with the sources that it imports. Paths are
 * relative to `root`, with slashes.
 *
 * @param {string} root
 * @param {readonly string[]} [folders]
 * @returns {Map<string, Set<string>>}
 */
export function importGraph(root, folders = ['src', 'bench', 'fuzz']) {
  const files = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
    )
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$/.test(path));
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const targets = [...text.matchAll(IMPORT)].map(([, path]) => normalize(join(dirname(file), path)));
      return [file, new Set(targets.filter((target) => known.has(target) && target !== file))];
    }),
  );
}

/**
 * Groups of nodes that reach each other, by Tarjan's algorithm. O(nodes + edges).
 *
 * @param {ReadonlyMap<string, ReadonlySet<string>>} graph
 * @returns {string[][]} each sorted
 */
export function circlesOf(graph) {
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const circles = [];
  /**
   * @param {string} node
   * @returns {{ index: number, low: number, open: boolean }}
   */
  const visit = (node) => {
    const state = { index: seen.size, low: seen.size, open: true };
    seen.set(node, state);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      const there = seen.get(next) ?? visit(next);
      if (there.open) state.low = Math.min(state.low, there.low);
    }
    if (state.low === state.index) {
      const group = stack.splice(stack.indexOf(node));
      for (const member of group) {
        const closed = seen.get(member);
        if (closed) closed.open = false;
      }
      if (group.length > 1) circles.push(group.toSorted());
    }
    return state;
  };
  for (const node of graph.keys()) if (!seen.has(node)) visit(node);
  return circles;
}
