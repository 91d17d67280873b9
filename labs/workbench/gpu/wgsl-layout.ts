// Sizes of WGSL types in bytes, from the text of a kernel: the stride of an array's elements.

import { type WgslToken, wgslTokens } from './wgsl-functions.ts';

/** Size and alignment of a type in bytes (WGSL specification, 14.4.1). */
interface Layout {
  readonly size: number;
  readonly align: number;
}

/** Bytes of scalars by their names, and by their suffixes in shorthands such as 'vec4f'. */
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

/** Types nested deeper than this have no known layout, like those that contain themselves. */
const MAX_NESTED = 16;

/**
 * Returns a function that returns the stride in bytes of an array whose element type is written as `type` in one of the
 * WGSL `texts`, which need not compile; null for types that are neither built in nor declared there, or contain arrays.
 */
export function elementStrides(texts: readonly (readonly WgslToken[])[]): (type: string) => number | null {
  const declared = new Map(texts.flatMap(declarations));
  /** layouts of declared types; null also while one is being computed */
  const layouts = new Map<string, Layout | null>();

  const layoutOf = (type: readonly string[], depth: number): Layout | null => {
    const [name, open, inner] = type;
    if (depth > MAX_NESTED || name === undefined) return null;
    if (name === 'atomic' && open === '<') return scalar(inner);
    const builtIn = open === '<' && type.length === 4 ? composite(name, inner) : type.length === 1 ? plain(name) : null;
    return builtIn ?? (type.length === 1 ? declaredLayout(name, depth) : null);
  };

  const declaredLayout = (name: string, depth: number): Layout | null => {
    const declaration = declared.get(name);
    if (!declaration || layouts.has(name)) return layouts.get(name) ?? null;
    layouts.set(name, null);
    const layout =
      declaration.kind === 'alias' ? layoutOf(declaration.type, depth + 1) : structLayout(declaration.members, depth);
    layouts.set(name, layout);
    return layout;
  };

  const structLayout = (members: readonly Member[], depth: number): Layout | null => {
    let end = 0;
    let align = 1;
    for (const member of members) {
      const layout = layoutOf(member.type, depth + 1);
      if (!layout) return null;
      const multiple = member.align ?? layout.align;
      end = roundUp(end, multiple) + (member.size ?? layout.size);
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
  /** bytes that its attributes @size and @align give; null without the attribute */
  readonly size: number | null;
  readonly align: number | null;
}

type Declaration =
  | { readonly kind: 'alias'; readonly type: readonly string[] }
  | { readonly kind: 'struct'; readonly members: readonly Member[] };

/** The aliases and structs of a text by name. Both keywords occur at module scope only. */
function declarations(tokens: readonly WgslToken[]): readonly (readonly [string, Declaration])[] {
  const words = tokens.map(({ text }) => text);
  const byName: (readonly [string, Declaration])[] = [];
  for (let i = 0; i < words.length; i++) {
    const kind = words[i];
    if (kind !== 'alias' && kind !== 'struct') continue;
    // After the name comes '=' or '{'.
    const from = i + 3;
    const end = words.indexOf(kind === 'alias' ? ';' : '}', from);
    if (end < 0) break;
    const inner = words.slice(from, end);
    byName.push([words[i + 1], kind === 'alias' ? { kind, type: inner } : { kind, members: membersOf(inner) }]);
    i = end;
  }
  return byName;
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

/** Returns the type of a struct's member, and its attributes @size and @align. */
function memberOf(words: readonly string[]): Member {
  const attribute = (name: string): number | null => {
    const index = words.findIndex((word, i) => word === name && words[i - 1] === '@');
    const value = index < 0 ? Number.NaN : Number.parseInt(words[index + 2], 10);
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
