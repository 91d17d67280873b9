/**
 * Words that WGSL keeps for itself, and names that every kernel of one's own has: an array or a parameter of such a name
 * gets a line behind it. Source: WGSL, 15.1 keywords and 15.2 reserved words.
 */
const TAKEN = new Set(
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

/** Names in a kernel's text, each for one thing. */
export class KernelNames {
  readonly #given = new Set<string>();

  /** The name that an array or a parameter has in the text: its own wherever WGSL allows that. */
  of(name: string, also: (name: string) => readonly string[] = () => []): string {
    let found = name.replace(/^_+/, '') || 'a';
    if (/^\d/.test(found)) found = `a${found}`;
    const isFree = (each: string): boolean => !TAKEN.has(each) && !this.#given.has(each);
    while (![found, ...also(found)].every(isFree)) found += '_';
    for (const each of [found, ...also(found)]) this.#given.add(each);
    return found;
  }
}
