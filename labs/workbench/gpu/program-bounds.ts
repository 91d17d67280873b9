// Checks a user's program before it is compiled.

import { PROGRAM_BOUNDS } from '../theory/bounds.ts';
import { excessProblem } from '../../../src/core/bounds/check.ts';
import { clip } from '../../../src/core/bounds/quote.ts';
import type { ShaderFile } from '../../../src/core/kernel/shader.ts';
import { countText } from '../../../src/core/text/words.ts';
import { BUDGET_CALLS, BUDGET_PREFIX } from './loop-budget.ts';
import { callsIn, isLoop, lineOf, OPEN_COMMENT, type WgslFunctions, wgslFunctions } from './wgsl-functions.ts';

/** Number of WGSL tokens that a counter of iterations adds to a loop (`withLoopBudget`). */
const TOKENS_OF_A_COUNTER = 25;

interface ParsedFile {
  readonly path: string;
  readonly parsed: WgslFunctions;
}

function parsedFiles(files: readonly ShaderFile[]): readonly ParsedFile[] {
  return files.map(({ path, code }) => ({ path, parsed: wgslFunctions(code) }));
}

/**
 * Why a user's program is rejected before it is compiled: `withLoopBudget` cannot limit the iterations of a loop, or a
 * compiler would take minutes. Without a full stop; null if neither. `files`: the files of one pass, even files
 * that do not compile.
 */
export function programFault(files: readonly ShaderFile[]): string | null {
  const parts = parsedFiles(files);
  for (const part of parts) {
    const fault = fileFault(part);
    if (fault !== null) return fault;
  }
  const functions = parts.flatMap(({ parsed }) => parsed.functions);
  const loops = functions.reduce((sum, fn) => sum + fn.loops.length, 0);
  const tooMany =
    excessProblem(loops, PROGRAM_BOUNDS.loops, 'loops') ??
    excessProblem(functions.length, PROGRAM_BOUNDS.functions, 'functions');
  if (tooMany !== null) return `${files.at(-1)?.path}, with the files that it includes: ${tooMany}`;
  const sizeOf = inlinedSizes(parts);
  for (const { path, parsed } of parts) {
    for (const { name, open } of parsed.functions) {
      if (sizeOf(name) <= PROGRAM_BOUNDS.tokens) continue;
      const line = lineOf(parsed.code, parsed.tokens[open].offset);
      return `${path}, line ${line}: found a function '${clip(name)}' of more than ${countText(PROGRAM_BOUNDS.tokens)} tokens with all that it calls`;
    }
  }
  return null;
}

/** What in a file would keep `withLoopBudget` from limiting a loop, as a message; null if nothing. */
function fileFault({ path, parsed: { code, tokens, functions } }: ParsedFile): string | null {
  const placeOf = (token: number): string => `${path}, line ${lineOf(code, tokens[token].offset)}`;
  const loops = new Set(functions.flatMap((fn) => fn.loops.map(({ start }) => start)));
  for (const [i, { text }] of tokens.entries()) {
    if (text.startsWith(BUDGET_PREFIX)) {
      return `${placeOf(i)}: found the name '${clip(text)}', expected another: names of loop counters begin with '${BUDGET_PREFIX}'`;
    }
    if (text === 'fn' && BUDGET_CALLS.has(tokens[i + 1]?.text)) {
      return `${placeOf(i)}: found a function '${tokens[i + 1].text}', expected another name: the loop counter calls WGSL’s function of that name`;
    }
    if (text === OPEN_COMMENT) return `${placeOf(i)}: found a comment without an end`;
    if (isLoop(text) && !loops.has(i)) {
      return `${placeOf(i)}: found a loop in no function: close every brace in its file`;
    }
  }
  return null;
}

/** The number of tokens of a function with all its calls inlined, by its name. */
function inlinedSizes(parts: readonly ParsedFile[]): (name: string) => number {
  const all = new Map(
    parts.flatMap(({ parsed }) =>
      parsed.functions.map((fn) => {
        const calls = callsIn(parsed, fn).map(({ name }) => name);
        return [fn.name, { ownSize: fn.close - fn.paramsOpen, calls }] as const;
      }),
    ),
  );
  const sizes = new Map<string, number>();
  // Depth is limited by the number of functions. A function that calls itself does not compile, and counts once.
  const sizeOf = (name: string): number => {
    const cachedSize = sizes.get(name);
    if (cachedSize !== undefined) return cachedSize;
    const { ownSize, calls } = all.get(name) ?? { ownSize: 0, calls: [] };
    sizes.set(name, ownSize);
    const size = calls.reduce((sum, called) => sum + sizeOf(called), ownSize);
    sizes.set(name, size);
    return size;
  };
  return sizeOf;
}

/** The size of one iteration of every loop of a pass, in tokens: its body, everything called there, and its counter. */
export function loopWork(files: readonly ShaderFile[]): number {
  const parts = parsedFiles(files);
  const sizeOf = inlinedSizes(parts);
  let work = 0;
  for (const { parsed } of parts) {
    for (const { start, close } of parsed.functions.flatMap((fn) => fn.loops)) {
      work += close - start + TOKENS_OF_A_COUNTER;
      for (const { name } of callsIn(parsed, { open: start, close })) work += sizeOf(name);
    }
  }
  return work;
}
