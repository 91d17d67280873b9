import type { ElementType } from './element-type.ts';
import type { ArrayDescription } from './record.ts';

/**
 * Words that WGSL reserves, and names that every generated kernel has: an array or a parameter of such a name gets an
 * underscore at its end. Source: WGSL, 15.1 keywords and 15.2 reserved words.
 */
const RESERVED = new Set(
  `alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let
  loop override requires return struct switch true var while
  NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become cast catch class
  co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval
  constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends
  extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import
  inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new
  nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator package
  packoffset partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref
  regardless register reinterpret_cast require resource restrict self set shared sizeof smooth snorm static static_assert
  static_cast std subroutine super target template this thread_local throw trait try type typedef typeid typename typeof
  union unless unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield
  array atomic bool f16 f32 i32 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 ptr sampler u32 vec2 vec3
  vec4 vec2f vec3f vec4f vec2u vec3u vec4u vec2i vec3i vec4i storage uniform workgroup private function read read_write
  bitcast extractBits unpack2x16float select min max abs fma dot arrayLength workgroupBarrier storageBarrier subgroupAdd
  main params Params x y rows cols nnz lane WORKGROUP_SIZE ROWS_PER_WORKGROUP MAX_SUBGROUP_SIZE`.split(/\s+/),
);

/** Assigns distinct WGSL names to the arrays and parameters of a kernel. */
class UniqueNames {
  readonly #assigned = new Set<string>();

  /** A WGSL name like `name`, unused so far. `derived`: names formed from the result, which are reserved as well. */
  give(name: string, derived: (name: string) => readonly string[] = () => []): string {
    let unique = name.replace(/^_+/, '') || 'a';
    if (/^\d/.test(unique)) unique = `a${unique}`;
    const isFree = (candidate: string): boolean => !RESERVED.has(candidate) && !this.#assigned.has(candidate);
    while (![unique, ...derived(unique)].every(isFree)) unique += '_';
    for (const assigned of [unique, ...derived(unique)]) this.#assigned.add(assigned);
    return unique;
  }
}

/** An array of a format, and its names in WGSL. */
interface ArrayInput {
  readonly array: ArrayDescription;
  /** name of the binding */
  readonly name: string;
  /** name of the function that reads an element */
  readonly reader: string;
  /** name of the uniform's field with the number of elements */
  readonly lengthField: string;
}

/** A parameter of a format, and the WGSL constant for it. */
interface ParamInput {
  readonly param: string;
  readonly name: string;
  readonly type: 'u32' | 'i32' | 'f32';
  readonly value: number;
}

/** The arrays and parameters that a kernel of a declared format (given by its arrays, encode and decode) reads. */
export interface DeclaredInputs {
  readonly arrays: readonly ArrayInput[];
  /** only the parameters that are numbers */
  readonly params: readonly ParamInput[];
}

/** The arrays and parameters of a format with their WGSL names. */
export function declaredInputs(
  arrays: readonly ArrayDescription[],
  params: Readonly<Record<string, unknown>>,
): DeclaredInputs {
  const names = new UniqueNames();
  return {
    arrays: arrays.map((array) => {
      const name = names.give(array.name, (unique) => [`${unique}_at`, `${unique}_length`]);
      return { array, name, reader: `${name}_at`, lengthField: `${name}_length` };
    }),
    params: Object.entries(params).flatMap(([param, value]): ParamInput[] => {
      if (typeof value !== 'number') return [];
      const type = !Number.isSafeInteger(value) ? 'f32' : value < 0 ? 'i32' : 'u32';
      return [{ param, name: names.give(param), type, value }];
    }),
  };
}

/** The value of a parameter as a WGSL literal. */
function literal({ type, value }: ParamInput): string {
  if (type === 'u32') return `${value}u`;
  return type === 'i32' ? `${value}i` : `${Number.isInteger(value) ? value.toFixed(1) : value}`;
}

/**
 * The WGSL that declares a kernel's inputs: every array with a function that reads an element, x and y, sizes and
 * parameters. A kernel that uses these functions need not change when an array gets another element type.
 */
export function arraysText(title: string, { arrays, params }: DeclaredInputs): string {
  const bindings = arrays.map(
    ({ array: { name: arrayName, type, byteClass }, name, reader }, i) =>
      `// ${arrayName === name ? '' : `${arrayName}: `}${byteClass} in ${type.name}, ${packing(type)}: ${reader}(i).\n@group(0) @binding(${i + 1}) var<storage, read> ${name}: array<${wordType(type)}>;`,
  );
  const constants = params.map(
    (param) =>
      `// The module's parameter ${param.param}.\noverride ${param.name}: ${param.type} = ${literal(param)};\n`,
  );
  const xBinding = arrays.length + 1;
  return `// The arrays of ${oneLine(title)}, as its module declares them.

struct Params {
  rows: u32,
  cols: u32,
  nnz: u32,
${arrays.map(({ lengthField }) => `  ${lengthField}: u32,\n`).join('')}}

@group(0) @binding(0) var<uniform> params: Params;
${bindings.join('\n')}
// One per column.
@group(0) @binding(${xBinding}) var<storage, read> x: array<f32>;
// One sum per row.
@group(0) @binding(${xBinding + 1}) var<storage, read_write> y: array<f32>;

${constants.join('')}${constants.length > 0 ? '\n' : ''}${arrays.map(readerText).join('\n\n')}
`;
}

/** A text without line breaks, which would end the WGSL line comment that it is in. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\u0085\u2028\u2029\v\f]+/g, ' ');
}

/** The WGSL type of the words that contain elements of this type. */
function wordType({ kind, bits }: ElementType): 'f32' | 'i32' | 'u32' {
  if (bits !== 32) return 'u32';
  return kind === 'float' ? 'f32' : kind === 'signed' ? 'i32' : 'u32';
}

/** How elements are packed into words, as text. */
function packing({ bits }: ElementType): string {
  if (bits === 32) return 'one to a word';
  return 32 % bits === 0 ? `${32 / bits} to a word, the lowest first` : 'bit after bit, across words, the lowest first';
}

/** The WGSL function that reads an element of an array. */
function readerText({ array: { type }, name, reader }: ArrayInput): string {
  const { kind, bits } = type;
  const resultType = kind === 'float' ? 'f32' : kind === 'signed' ? 'i32' : 'u32';
  const head = `fn ${reader}(i: u32) -> ${resultType} {`;
  if (bits === 32) return `${head}\n  return ${name}[i];\n}`;
  if (type.name === 'bf16') {
    return `${head}\n  return bitcast<f32>((${name}[i / 2u] << (16u - 16u * (i % 2u))) & 0xffff0000u);\n}`;
  }
  if (kind === 'float') return `${head}\n  return unpack2x16float(${name}[i / 2u])[i % 2u];\n}`;
  const asType = (word: string): string => (kind === 'signed' ? `bitcast<i32>(${word})` : word);
  if (32 % bits === 0) {
    const perWord = 32 / bits;
    return `${head}\n  return extractBits(${asType(`${name}[i / ${perWord}u]`)}, ${bits}u * (i % ${perWord}u), ${bits}u);\n}`;
  }
  // Bit positions are counted within 32 elements, which fill `bits` whole words, so that none exceeds u32.
  return `${head}
  let bit = ${bits}u * (i % 32u);
  let word = ${bits}u * (i / 32u) + bit / 32u;
  var found = ${name}[word] >> (bit % 32u);
  if (bit % 32u > ${32 - bits}u) {
    found |= ${name}[word + 1u] << (32u - bit % 32u);
  }
  return extractBits(${asType('found')}, 0u, ${bits}u);
}`;
}
