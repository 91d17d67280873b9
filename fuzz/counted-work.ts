import { parseSync, type Plugin } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: unknown;
}

const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** What `workDone` of work.ts reads: one count for all chunks. */
const COUNT = 'const __steps = (globalThis.fuzzSteps ??= new Float64Array(1));\n';

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/**
 * The same program, which counts the turns of its loops and the calls of its functions. A call into the engine, such as a
 * regular expression, is not counted: of those, only one that hangs is found.
 */
export function withCountedWork(code: string): string {
  const inserted: { readonly at: number; readonly text: string }[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    if (!isNode(value)) return;
    const { type, body } = value;
    const isCounted = (LOOPS.has(type) || FUNCTIONS.has(type)) && isNode(body);
    const [before, after] =
      isCounted && body.type !== 'BlockStatement' ? (FUNCTIONS.has(type) ? '()' : '{}') : ['', ''];
    if (isCounted) {
      if (before === '') inserted.push({ at: body.start + 1, text: '__steps[0]++;' });
      else inserted.push({ at: body.start, text: `${before}__steps[0]++${before === '(' ? ',' : ';'}` });
    }
    for (const child of Object.values(value)) visit(child);
    // After its children, which end at the same position.
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

export const countedWork: Plugin = {
  name: 'counted-work',
  renderChunk: (code) => ({ code: withCountedWork(code), map: null }),
};
