import { KernelError } from '../../core/errors.ts';
import type { AccessSite, AccessTrace } from '../../core/kernel/access-steps.ts';
import type { KernelPlan } from '../../core/kernel/kernel.ts';
import { type WgslFunction, type WgslFunctions, wgslFunctions, type WgslToken } from './wgsl-functions.ts';

/** What is traced of a plan. */
export interface TraceOptions {
  /** which pass, from 0 */
  readonly pass: number;
  /** which workgroup of its dispatch, row by row */
  readonly workgroup: number;
  /** lanes of a workgroup; what more there are is not traced */
  readonly lanes: number;
  /** accesses that are kept of a lane */
  readonly most: number;
}

/** A plan that writes down which elements its lanes touch. */
export interface TracedPlan {
  readonly plan: KernelPlan;
  /** The trace, and the words of the plan's own outputs, out of what it wrote. */
  read(words: Uint32Array<ArrayBuffer>): { readonly trace: AccessTrace; readonly words: Uint32Array<ArrayBuffer> };
}

const TRACE = 'sparsescope_trace';

/** An array at module scope. */
interface DeclaredArray {
  readonly name: string;
  readonly space: AccessSite['space'];
  readonly buffer: string | null;
  readonly elementBytes: number | null;
}

/** Text that is put into a file at an offset. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * The same plan with one workgroup watched: every index into an array of a buffer or of workgroup memory passes through a
 * function that writes it down, and computes what it did. The text is one that compiles. One more storage buffer is bound.
 * Throws KernelError where there is no such pass.
 */
export function withAccessTrace(plan: KernelPlan, options: TraceOptions): TracedPlan {
  const pass = plan.passes.at(options.pass);
  if (!pass) throw new KernelError(`pass: found ${options.pass}, expected one of ${plan.passes.length}`);
  const { lanes, most } = options;
  const parts = pass.files.map(({ path, code }) => ({ path, found: wgslFunctions(code) }));
  const arrays = new Map(parts.flatMap(({ found }) => declaredArrays(found, pass.bindings)).map((a) => [a.name, a]));
  const sites: AccessSite[] = [];
  // After the accesses that are kept comes a place for all that follow.
  const stride = 1 + 2 * (most + 1);
  const files = parts.map(({ path, found }) => {
    const insertions: Insertion[] = [];
    for (const fn of found.functions) {
      for (const { open, close, name } of indexings(found, fn, arrays)) {
        const array = arrays.get(name);
        if (!array) continue;
        const { tokens, code } = found;
        const line = code.slice(0, tokens[open].at).split('\n').length;
        sites.push({ file: path, line, ...array, writes: isWritten(tokens, close) });
        insertions.push({ at: tokens[open].at + 1, text: `sparsescope_seen(${sites.length - 1}u, ` });
        insertions.push({ at: tokens[close].at, text: ')' });
      }
      if (fn.isEntry) insertions.push(...entryInsertions(found, fn, pass.workgroups[0], options, stride)); // bounded: at most four
    }
    return { path, code: inserted(found.code, insertions) };
  });
  const trace = { path: 'trace of memory', code: traceCode(pass.bindings.length, options) };
  const passes = plan.passes.map((one, i) =>
    i === options.pass ? { ...one, files: [trace, ...files], bindings: [...one.bindings, TRACE] } : one,
  );
  const bytes = 4 * stride * 2 * lanes;
  return {
    plan: { ...plan, passes, buffers: [...plan.buffers, { role: 'output', name: TRACE, bytes }] },
    read(words) {
      const own = words.length - stride * 2 * lanes;
      const counts = new Uint32Array(lanes);
      const siteOf = new Uint32Array(lanes * most);
      const elements = new Uint32Array(lanes * most);
      for (let lane = 0; lane < lanes; lane++) {
        const at = own + lane * stride;
        // A lane that touched nothing has written nothing: what lies there is no count that a lane reaches.
        counts[lane] = words[at] <= MOST_COUNTED ? words[at] : 0;
        for (let i = 0; i < Math.min(counts[lane], most); i++) {
          siteOf[lane * most + i] = words[at + 1 + 2 * i];
          elements[lane * most + i] = words[at + 2 + 2 * i];
        }
      }
      return { trace: { sites, lanes, most, counts, siteOf, elements }, words: words.slice(0, own) };
    },
  };
}

/** Lanes stop counting there. */
const MOST_COUNTED = 2 ** 30;

function traceCode(binding: number, { most }: TraceOptions): string {
  return `@group(0) @binding(${binding}) var<storage, read_write> ${TRACE}: array<u32>;
var<private> sparsescope_at: u32 = 0u;
var<private> sparsescope_count: u32 = 0u;
fn sparsescope_seen(site: u32, element: u32) -> u32 {
  let at = sparsescope_at + 2u * min(sparsescope_count, ${most}u);
  ${TRACE}[at + 1u] = site;
  ${TRACE}[at + 2u] = element;
  sparsescope_count += 1u;
  ${TRACE}[sparsescope_at] = sparsescope_count;
  return element;
}
`;
}

/** Tells the lane who it is, with parameters of main that may have to be added. */
function entryInsertions(
  { tokens }: WgslFunctions,
  fn: WgslFunction,
  columns: number,
  { workgroup, lanes }: TraceOptions,
  stride: number,
): readonly Insertion[] {
  const added: string[] = [];
  const builtin = (name: string, type: string): string => {
    for (let i = fn.paramsOpen; i < fn.paramsClose; i++) {
      // @builtin ( name ) parameter : type
      if (tokens[i].text === name) return tokens[tokens[i + 1].text === ',' ? i + 3 : i + 2].text;
    }
    const parameter = `sparsescope_${name}`;
    added.push(`@builtin(${name}) ${parameter}: ${type}`);
    return parameter;
  };
  const lane = builtin('local_invocation_index', 'u32');
  const id = builtin('workgroup_id', 'vec3<u32>');
  const isAlone = fn.paramsClose === fn.paramsOpen + 1;
  const parameters = added.length === 0 ? '' : `${added.join(', ')}${isAlone ? '' : ', '}`;
  const watched = `${id}.y * ${columns}u + ${id}.x == ${workgroup}u`;
  return [
    { at: tokens[fn.paramsOpen].at + 1, text: parameters },
    {
      at: tokens[fn.open].at + 1,
      text: ` sparsescope_at = ${stride}u * (min(${lane}, ${lanes - 1}u) + select(${lanes}u, 0u, ${watched}));`,
    },
  ];
}

/** The arrays of buffers and of workgroup memory that a text declares. */
function declaredArrays({ tokens, functions }: WgslFunctions, bindings: readonly string[]): readonly DeclaredArray[] {
  const arrays: DeclaredArray[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const body = functions.find(({ open, close }) => i > open && i < close);
    if (body) i = body.close;
    const space = tokens.at(i + 2)?.text;
    if (tokens[i].text !== 'var' || (space !== 'storage' && space !== 'workgroup')) continue;
    let name = i + 3;
    while (tokens[name - 1].text !== '>') name++;
    let end = name;
    while (end < tokens.length && tokens[end].text !== ';') end++;
    const type = tokens.slice(name + 2, end).map(({ text }) => text);
    if (type[0] !== 'array') continue;
    const buffer = space === 'storage' ? (bindings[bindingBefore(tokens, i)] ?? null) : null;
    arrays.push({ name: tokens[name].text, space, buffer, elementBytes: elementBytes(type.slice(2)) });
  }
  return arrays;
}

/** The number of '@binding(n)' in front of a declaration; -1 without one. */
function bindingBefore(tokens: readonly WgslToken[], at: number): number {
  for (let i = at - 1; i > 0 && tokens[i].text !== ';' && tokens[i].text !== '}'; i--) {
    if (tokens[i].text === 'binding') return Number.parseInt(tokens[i + 2].text, 10);
  }
  return -1;
}

const SCALAR_BYTES: Readonly<Record<string, number>> = { u32: 4, i32: 4, f32: 4, f16: 2 };

/** Bytes from one element to the next, of an element type by its tokens; null for a struct or an alias. */
function elementBytes([first, , inner]: readonly string[]): number | null {
  if (first in SCALAR_BYTES) return SCALAR_BYTES[first];
  if (first === 'atomic') return SCALAR_BYTES[inner] ?? null;
  const [, columns = '1', rows] = /^(?:vec|mat(\d)x)(\d)$/.exec(first) ?? [];
  const scalar = SCALAR_BYTES[inner];
  if (rows === undefined || scalar === undefined) return null;
  // A vector of three takes the room of four.
  return Number(columns) * (rows === '3' ? 4 : Number(rows)) * scalar;
}

/** Where a function indexes one of the arrays: the tokens of the brackets. Its own variables of the same name are none. */
function indexings(
  { tokens }: WgslFunctions,
  fn: WgslFunction,
  arrays: ReadonlyMap<string, unknown>,
): readonly { readonly open: number; readonly close: number; readonly name: string }[] {
  const hidden = hiddenRanges(tokens, fn, arrays);
  const found: { readonly open: number; readonly close: number; readonly name: string }[] = [];
  for (let i = fn.open + 1; i < fn.close; i++) {
    const { text } = tokens[i];
    if (!arrays.has(text) || tokens[i + 1].text !== '[' || tokens[i - 1].text === '.') continue;
    if (hidden.some(({ name, from, to }) => name === text && i > from && i < to)) continue;
    found.push({ open: i + 1, close: closing(tokens, i + 1), name: text });
  }
  return found;
}

/** Where a name means a variable or parameter of the function: from the end of its declaration to the end of its block. */
function hiddenRanges(
  tokens: readonly WgslToken[],
  fn: WgslFunction,
  names: ReadonlyMap<string, unknown>,
): readonly { readonly name: string; readonly from: number; readonly to: number }[] {
  const hidden: { readonly name: string; readonly from: number; readonly to: number }[] = [];
  for (let i = fn.paramsOpen + 1; i < fn.paramsClose; i++) {
    const { text } = tokens[i];
    if (names.has(text) && tokens[i + 1].text === ':') hidden.push({ name: text, from: fn.open, to: fn.close });
  }
  const blocks: number[] = [];
  for (let i = fn.open; i < fn.close; i++) {
    const { text } = tokens[i];
    if (text === '{') blocks.push(i);
    if (text === '}') blocks.pop();
    if ((text !== 'let' && text !== 'var' && text !== 'const') || !names.has(tokens[i + 1].text)) continue;
    let from = i;
    while (from < fn.close && tokens[from].text !== ';') from++;
    hidden.push({ name: tokens[i + 1].text, from, to: closing(tokens, blocks.at(-1) ?? fn.open) });
  }
  return hidden;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The token that closes the bracket at a token. */
function closing(tokens: readonly WgslToken[], open: number): number {
  const [opens, closes] = [tokens[open].text, CLOSING[tokens[open].text]];
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (tokens[i].text === opens) depth++;
    if (tokens[i].text === closes && --depth === 0) return i;
  }
  return tokens.length - 1;
}

/** Whether what is indexed is assigned to: behind the brackets, components of it left out, stands '=' or an operator with it. */
function isWritten(tokens: readonly WgslToken[], close: number): boolean {
  let i = close + 1;
  for (;;) {
    if (tokens[i].text === '.') i += 2;
    else if (tokens[i].text === '[') i = closing(tokens, i) + 1;
    else break;
  }
  const [a, b, c] = [tokens[i], tokens[i + 1], tokens[i + 2]].map((token) => token?.text ?? '');
  if (a === '=') return b !== '=';
  return (/^[-+*/%&|^]$/.test(a) && b === '=') || ((a === '<' || a === '>') && a === b && c === '=');
}

function inserted(code: string, insertions: readonly Insertion[]): string {
  let result = '';
  let from = 0;
  for (const { at, text } of insertions.toSorted((a, b) => a.at - b.at)) {
    result += code.slice(from, at) + text;
    from = at;
  }
  return result + code.slice(from);
}
