import type { ShaderFile } from '../../core/kernel/shader.ts';

/** The lines of a loop in a file, from 1. */
export interface Loop {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

interface NestedLoop extends Loop {
  /** number of loops around it */
  readonly depth: number;
  /** it contains another loop */
  readonly hasLoop: boolean;
  readonly text: string;
}

type File = Pick<ShaderFile, 'path' | 'code'>;

/**
 * The lines in which a kernel spends its time: the innermost loop that multiplies weights with x. Of several, the most
 * deeply nested of those that add; if none adds, the most deeply nested.
 * Otherwise the line that the format's story quotes, after `// step: product` or `// step: gather`, else the first
 * innermost loop, else null. Files that formats share are ignored. `files`: the kernel's own first.
 */
export function innerLoop(files: readonly File[]): Loop | null {
  const formatFiles = files.filter(({ path }) => !path.startsWith('common/'));
  const loops = formatFiles.flatMap(loopsOf).filter(({ hasLoop }) => !hasLoop);
  const highestScored = (candidates: readonly NestedLoop[]): NestedLoop | null =>
    candidates.reduce<NestedLoop | null>((max, loop) => (max && scoreOf(max) >= scoreOf(loop) ? max : loop), null);
  const bestLoop = highestScored(loops.filter(({ text }) => MULTIPLIES.test(text)));
  if (bestLoop) return linesOf(bestLoop);
  for (const { path, code } of formatFiles) {
    const marker = code.split('\n').findIndex((line) => QUOTED.test(line));
    if (marker >= 0) return { path, first: marker + 2, last: marker + 2 };
  }
  const anyLoop = highestScored(loops);
  return anyLoop && linesOf(anyLoop);
}

/** Text in a loop that multiplies weights with x, or calls a WGSL function that does, by the names that kernels use. */
const MULTIPLIES = /\bfma\(|\bdot\w*\(|[\])]\s*\*\s*\w+[[(]|\binner_steps\(|\bproducts?\(|\bgather\(/;
const ADDS = /\+=|\bfma\(/;
/** The comment before a line that a story quotes for the product: see MARKER in story/code-excerpt.ts. */
const QUOTED = /\/\/ step: (?:product|gather)\b/;

/** The rank of a loop: its nesting depth, and 10 more if its body adds, so that any loop that adds ranks first. */
function scoreOf({ depth, text }: NestedLoop): number {
  return depth + (ADDS.test(text.replace(/^[^{]*/, '')) ? 10 : 0);
}

function linesOf({ path, first, last }: NestedLoop): Loop {
  return { path, first, last };
}

/** All loops of a file, found by their braces, in the order of their first lines. */
function loopsOf({ path, code }: File): readonly NestedLoop[] {
  const lines = code.split('\n').map((line) => line.replace(/\/\/.*/, ''));
  const loops: NestedLoop[] = [];
  /** for each open brace: the line on which its loop begins, or null */
  const openBraces: { readonly loop: number | null; hasLoop: boolean }[] = [];
  lines.forEach((line, i) => {
    let beginsLoop = /^\s*(?:for|while|loop)\b/.test(line);
    for (const brace of line.matchAll(/[{}]/g)) {
      if (brace[0] === '{') {
        if (beginsLoop) for (const outer of openBraces) outer.hasLoop = true;
        openBraces.push({ loop: beginsLoop ? i : null, hasLoop: false });
        beginsLoop = false;
      } else {
        const closedBrace = openBraces.pop();
        if (closedBrace?.loop === null || closedBrace === undefined) continue;
        const depth = openBraces.filter(({ loop }) => loop !== null).length;
        const text = lines.slice(closedBrace.loop, i + 1).join('\n');
        loops.push({ path, first: closedBrace.loop + 1, last: i + 1, depth, hasLoop: closedBrace.hasLoop, text });
      }
    }
  });
  return loops.toSorted((a, b) => a.first - b.first);
}

/**
 * The lines to show first: from the function around a loop, with its comment, to the loop's end; null for a short file,
 * which is shown whole.
 */
export function linesToLoop(code: string, { first, last }: Loop): readonly [number, number] | null {
  const lines = code.trimEnd().split('\n');
  if (lines.length < 80) return null;
  let from = first;
  while (from > 1 && !/^(?:fn|@)/.test(lines[from - 1])) from--;
  while (from > 1 && /^(?:\/\/|@)/.test(lines[from - 2])) from--;
  return [from, last];
}
