import { KernelError } from '../../../core/errors.ts';
import type { AccessSite, AccessTrace } from '../theory/access-steps.ts';
import type { KernelPlan } from '../../../core/kernel/kernel.ts';
import { declaredArrays, indexings, inserted, type Insertion, isWritten } from './array-accesses.ts';
import { type WgslFunction, type WgslFunctions, wgslFunctions, type WgslToken, wgslTokens } from './wgsl-functions.ts';

/** Bytes of a type, and its alignment: WGSL, 14.4.1. */
interface Layout {
  readonly size: number;
  readonly align: number;
}

/** Every way to write a scalar: its name, and the suffix of shorthands such as 'vec4f'. */
const SCALARS: ReadonlyMap<string, number> = new Map([
  ['bool', 4],
  ['u32', 4],
  ['i32', 4],
  ['f32', 4],
  ['f16', 2],
  ['u', 4],
  ['i', 4],
  ['f', 4],
  ['h', 2],
]);

/** Types nested deeper than this are left alone, as are those that contain themselves. */
const MAX_NESTED = 16;

/**
 * Bytes from one element of an array to the next, by the element type as written; aliases and structs are looked up in
 * the texts. Null for what the texts do not declare, and for elements that contain arrays. The texts need not compile.
 */
export function elementStrides(texts: readonly (readonly WgslToken[])[]): (type: string) => number | null {
  const declared = new Map(texts.flatMap(declarations));
  /** of declared types; null also while its own is being computed */
  const known = new Map<string, Layout | null>();

  const layoutOf = (type: readonly string[], depth: number): Layout | null => {
    const [name, open, inner] = type;
    if (depth > MAX_NESTED || name === undefined) return null;
    if (name === 'atomic' && open === '<') return scalar(inner);
    const built = open === '<' && type.length === 4 ? composite(name, inner) : type.length === 1 ? plain(name) : null;
    return built ?? (type.length === 1 ? declaredLayout(name, depth) : null);
  };

  const declaredLayout = (name: string, depth: number): Layout | null => {
    const own = declared.get(name);
    if (!own || known.has(name)) return known.get(name) ?? null;
    known.set(name, null);
    const layout = own.kind === 'alias' ? layoutOf(own.type, depth + 1) : structLayout(own.members, depth);
    known.set(name, layout);
    return layout;
  };

  const structLayout = (members: readonly Member[], depth: number): Layout | null => {
    let end = 0;
    let align = 1;
    for (const member of members) {
      const own = layoutOf(member.type, depth + 1);
      if (!own) return null;
      const multiple = member.align ?? own.align;
      end = roundUp(end, multiple) + (member.size ?? own.size);
      align = Math.max(align, multiple);
    }
    return members.length === 0 ? null : { size: roundUp(end, align), align };
  };

  return (type) => {
    const layout = layoutOf(
      wgslTokens(type).map(({ text }) => text),
      0,
    );
    return layout && roundUp(layout.size, layout.align);
  };
}

interface Member {
  readonly type: readonly string[];
  /** of its attributes; null without one */
  readonly size: number | null;
  readonly align: number | null;
}

type Declaration =
  | { readonly kind: 'alias'; readonly type: readonly string[] }
  | { readonly kind: 'struct'; readonly members: readonly Member[] };

/** The aliases and structs of a text by name. Neither word can be a name, and both are at module scope. */
function declarations(tokens: readonly WgslToken[]): readonly (readonly [string, Declaration])[] {
  const words = tokens.map(({ text }) => text);
  const found: (readonly [string, Declaration])[] = [];
  for (let i = 0; i < words.length; i++) {
    const kind = words[i];
    if (kind !== 'alias' && kind !== 'struct') continue;
    // After the name comes '=' or '{'.
    const from = i + 3;
    const end = words.indexOf(kind === 'alias' ? ';' : '}', from);
    if (end < 0) break;
    const inner = words.slice(from, end);
    found.push([words[i + 1], kind === 'alias' ? { kind, type: inner } : { kind, members: membersOf(inner) }]);
    i = end;
  }
  return found;
}

/** The members between the braces of a struct, each up to the comma that no bracket encloses. */
function membersOf(words: readonly string[]): readonly Member[] {
  const members: Member[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i <= words.length; i++) {
    if (words[i] === '<' || words[i] === '(') depth++;
    if (words[i] === '>' || words[i] === ')') depth--;
    if (i < words.length && (words[i] !== ',' || depth > 0)) continue;
    const member = words.slice(from, i);
    if (member.length > 0) members.push(memberOf(member));
    from = i + 1;
  }
  return members;
}

function memberOf(words: readonly string[]): Member {
  const attribute = (name: string): number | null => {
    const at = words.findIndex((word, i) => word === name && words[i - 1] === '@');
    const value = at < 0 ? Number.NaN : Number.parseInt(words[at + 2], 10);
    return value > 0 ? value : null;
  };
  return { type: words.slice(words.lastIndexOf(':') + 1), size: attribute('size'), align: attribute('align') };
}

function scalar(name: string): Layout | null {
  const bytes = SCALARS.get(name);
  return bytes === undefined || name.length === 1 ? null : { size: bytes, align: bytes };
}

/** A scalar, or a shorthand: 'vec4f', 'mat2x3h'. */
function plain(name: string): Layout | null {
  const [, base, suffix] = /^((?:vec|mat\dx)\d)([uifh])$/.exec(name) ?? [];
  return base === undefined ? scalar(name) : composite(base, suffix);
}

/** 'vec4' or 'mat2x3' of a scalar. A vector of three is aligned like a vector of four. */
function composite(name: string, inner: string): Layout | null {
  const [, columns, rows] = /^(?:vec|mat([2-4])x)([2-4])$/.exec(name) ?? [];
  const bytes = SCALARS.get(inner);
  if (rows === undefined || bytes === undefined) return null;
  const size = Number(rows) * bytes;
  const align = bytes * (rows === '2' ? 2 : 4);
  return columns === undefined ? { size, align } : { size: Number(columns) * roundUp(size, align), align };
}

function roundUp(bytes: number, align: number): number {
  return Math.ceil(bytes / align) * align;
}

/** The subject of a trace. */
export interface TraceOptions {
  /** index of the pass */
  readonly pass: number;
  /** index of the workgroup in its dispatch, row by row */
  readonly workgroup: number;
  /** lanes of a workgroup; further ones are not traced */
  readonly lanes: number;
  /** accesses recorded per lane */
  readonly max: number;
}

/** A plan that records which elements its lanes touch. */
export interface TracedPlan {
  readonly plan: KernelPlan;
  /** The trace, and the words of the plan's own outputs, from what it wrote. */
  read(words: Uint32Array<ArrayBuffer>): { readonly trace: AccessTrace; readonly words: Uint32Array<ArrayBuffer> };
}

const TRACE = 'sparsescope_trace';

/**
 * The same plan with one workgroup traced: every index into an array of a buffer or of workgroup memory passes through
 * a function that records it and returns it unchanged. The text must compile. One more storage buffer is bound. Throws
 * KernelError if there is no such pass.
 */
export function withAccessTrace(plan: KernelPlan, options: TraceOptions): TracedPlan {
  const pass = plan.passes.at(options.pass);
  if (!pass) throw new KernelError(`pass: found ${options.pass}, expected one of ${plan.passes.length}`);
  const { lanes, max } = options;
  const parts = pass.files.map(({ path, code }) => ({ path, found: wgslFunctions(code) }));
  const arrays = new Map(parts.flatMap(({ found }) => declaredArrays(found, pass.bindings)).map((a) => [a.name, a]));
  const strideOf = elementStrides(parts.map(({ found }) => found.tokens));
  const sites: AccessSite[] = [];
  // After the recorded accesses comes a slot for all that follow.
  const stride = 1 + 2 * (max + 1);
  const files = parts.map(({ path, found }) => {
    const insertions: Insertion[] = [];
    for (const fn of found.functions) {
      for (const { open, close, name } of indexings(found, fn, arrays)) {
        const array = arrays.get(name);
        if (!array) continue;
        const { tokens, code } = found;
        const line = code.slice(0, tokens[open].at).split('\n').length;
        const { element, ...declared } = array;
        const writes = isWritten(tokens, close);
        sites.push({ file: path, line, ...declared, elementBytes: strideOf(element), writes });
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
      const siteOf = new Uint32Array(lanes * max);
      const elements = new Uint32Array(lanes * max);
      for (let lane = 0; lane < lanes; lane++) {
        const at = own + lane * stride;
        // A lane without accesses has written nothing: the poison there is a count that no lane reaches.
        counts[lane] = words[at] <= MAX_COUNTED ? words[at] : 0;
        for (let i = 0; i < Math.min(counts[lane], max); i++) {
          siteOf[lane * max + i] = words[at + 1 + 2 * i];
          elements[lane * max + i] = words[at + 2 + 2 * i];
        }
      }
      return { trace: { sites, lanes, max, counts, siteOf, elements }, words: words.slice(0, own) };
    },
  };
}

/** Lanes stop counting there. */
const MAX_COUNTED = 2 ** 30;

function traceCode(binding: number, { max }: TraceOptions): string {
  return `@group(0) @binding(${binding}) var<storage, read_write> ${TRACE}: array<u32>;
var<private> sparsescope_at: u32 = 0u;
var<private> sparsescope_count: u32 = 0u;
fn sparsescope_seen(site: u32, element: u32) -> u32 {
  let at = sparsescope_at + 2u * min(sparsescope_count, ${max}u);
  ${TRACE}[at + 1u] = site;
  ${TRACE}[at + 2u] = element;
  sparsescope_count += 1u;
  ${TRACE}[sparsescope_at] = sparsescope_count;
  return element;
}
`;
}

/** Gives the lane its id, adding parameters to main if necessary. */
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
