// The generated WGSL of the starter kernel (starter-kernel.ts).

import type { NamedArray } from '../../../../src/core/encoded/encoded.ts';
import { ROW_OF_LANE, ROW_OVERRIDES } from './start-text.ts';

/** The facts about a format from which its WGSL is generated. */
interface StarterFacts {
  readonly id: string;
  /** of the format */
  readonly title: string;
  readonly uniformFields: readonly string[];
  /** parameters that are strings: 'valueType f16' */
  readonly stringParams: readonly string[];
  /** in the order of their bindings, from 1 */
  readonly arrays: readonly { readonly name: string; readonly data: NamedArray; readonly dtype: string }[];
}

/** WGSL for an array: the element type of its binding, a comment, and the function for elements that share a word. */
interface BindingText {
  readonly type: 'f32' | 'u32' | 'i32';
  readonly comment: string;
  readonly reader: string | null;
}

/** The generated WGSL: the same for all matrices of a format with equal parameters. */
export function starterWgsl({ id, title, uniformFields, stringParams, arrays }: StarterFacts): string {
  const declared = arrays.map(({ name, data, dtype }) => ({ name, ...bindingText(name, data, dtype) }));
  const bindings = declared.flatMap(({ name, type, comment }, i) => [
    `// ${comment}`,
    `@group(0) @binding(${i + 1}) var<storage, read> ${name}: array<${type}>;`,
  ]);
  const readers = declared.flatMap(({ reader }) => (reader === null ? [] : [reader, '']));
  const paramsLine = stringParams.length === 0 ? '' : `\n// The arrays are those of ${stringParams.join(', ')}.`;
  const xBinding = arrays.length + 1;
  return `// ${id}: y = A x, from scratch: the arrays of ${title}, and nothing that computes yet.${paramsLine}
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.

struct Params {
${uniformFields.map((name) => `  ${name}: u32,`).join('\n')}
}

@group(0) @binding(0) var<uniform> params: Params;
${bindings.join('\n')}
// One per column.
@group(0) @binding(${xBinding}) var<storage, read> x: array<f32>;
// One sum per row.
@group(0) @binding(${xBinding + 1}) var<storage, read_write> y: array<f32>;

${ROW_OVERRIDES}
${readers.map((line) => `${line}\n`).join('')}${ROW_OF_LANE}  // Here sum grows by every value of the row times its element of x.
  y[row] = sum;
}
`;
}

function bindingText(name: string, data: NamedArray, dtype: string): BindingText {
  if (data instanceof Float32Array) return { type: 'f32', comment: 'One f32 per element.', reader: null };
  if (data instanceof Int32Array) return { type: 'i32', comment: 'One i32 per element.', reader: null };
  const bits = 8 * data.BYTES_PER_ELEMENT;
  const packed = /^(\d+)-bit\b/.exec(dtype);
  // Narrow fields are packed in words of 32 bits from the low end, like bytes and halves.
  if (packed && 32 % Number(packed[1]) === 0)
    return packedArray(name, Number(packed[1]), `${packed[1]}-bit fields`, 'u32');
  if (bits === 32)
    return { type: 'u32', comment: `Words of 32 bits${dtype === 'u32' ? '' : `: ${dtype}`}.`, reader: null };
  if (dtype === 'f16' || dtype === 'bf16') return halfArray(name, dtype);
  return data instanceof Int8Array
    ? packedArray(name, bits, 'signed bytes', 'i32')
    : packedArray(name, bits, dtype || 'numbers', 'u32');
}

function halfArray(name: string, dtype: 'f16' | 'bf16'): BindingText {
  const reader =
    dtype === 'f16'
      ? `fn ${name}_at(i: u32) -> f32 {
  return unpack2x16float(${name}[i / 2u])[i % 2u];
}`
      : `fn ${name}_at(i: u32) -> f32 {
  return bitcast<f32>(extractBits(${name}[i / 2u], 16u * (i % 2u), 16u) << 16u);
}`;
  return { type: 'u32', comment: `${dtype}, two to a word, the lower half first: ${name}_at(i).`, reader };
}

/** Elements of `bits` bits, several to a word, the lowest first. */
function packedArray(name: string, bits: number, elements: string, type: 'u32' | 'i32'): BindingText {
  const perWord = 32 / bits;
  const word = type === 'u32' ? `${name}[i / ${perWord}u]` : `bitcast<i32>(${name}[i / ${perWord}u])`;
  return {
    type: 'u32',
    comment: `${elements[0].toUpperCase()}${elements.slice(1)}, ${perWord} to a word, the lowest first: ${name}_at(i).`,
    reader: `fn ${name}_at(i: u32) -> ${type} {
  return extractBits(${word}, ${bits}u * (i % ${perWord}u), ${bits}u);
}`,
  };
}
