// Instruments code for the fuzzer: counters in loops and functions, by which it finds inputs that need too much
// work.

import { parseSync, type Plugin } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: unknown;
}

const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** The code that declares the counter: one for all chunks of the bundle, read by `workDone` (work.ts). */
const COUNT = 'const __steps = (globalThis.fuzzSteps ??= new Float64Array(1));\n';

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/**
 * Returns the same program, which also counts iterations of loops and calls of functions. Work inside the JavaScript
 * engine, such as a regular expression, is not counted: only a time limit finds it.
 */
export function withCountedWork(code: string): string {
  const inserted: { readonly at: number; readonly text: string }[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const element of value) visit(element);
    if (!isNode(value)) return;
    const { type, body } = value;
    const isCounted = (LOOPS.has(type) || FUNCTIONS.has(type)) && isNode(body);
    // A body without a block gets braces, or parentheses if it is the expression of an arrow function.
    const [before, after] =
      isCounted && body.type !== 'BlockStatement' ? (FUNCTIONS.has(type) ? '()' : '{}') : ['', ''];
    if (isCounted) {
      if (before === '') inserted.push({ at: body.start + 1, text: '__steps[0]++;' });
      else inserted.push({ at: body.start, text: `${before}__steps[0]++${before === '(' ? ',' : ';'}` });
    }
    for (const child of Object.values(value)) visit(child);
    // Inserted after the insertions of its children, which may end at the same position.
    if (isCounted && after !== '') inserted.push({ at: body.end, text: after });
  };
  visit(parseSync('chunk.js', code).program);
  inserted.sort((a, b) => a.at - b.at);
  let [counting, end] = [COUNT, 0];
  for (const { at, text } of inserted) {
    counting += code.slice(end, at) + text;
    end = at;
  }
  return counting + code.slice(end);
}

/** The bundler plugin that instruments every chunk of the fuzzer. */
export const countedWork: Plugin = {
  name: 'counted-work',
  renderChunk: (code) => ({ code: withCountedWork(code), map: null }),
};
