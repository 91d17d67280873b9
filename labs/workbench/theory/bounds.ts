/** Limits of a draft, a kernel that the user edits: in a link, a file, the editor and this browser's storage. */
export const DRAFT_BOUNDS = {
  /** characters of all its files, with the comments that a saved file adds: twice the largest kernel */
  length: 2 ** 16,
  /** characters of its compressed text in a link: enough for `length` characters that do not compress */
  code: 2 ** 18,
  /** characters */
  name: 80,
  /** characters of a path, a kernel's id, the name of a constant or parameter, or a parameter's value */
  word: 100,
  files: 32,
  overrides: 64,
  params: 32,
  /** stored texts of one draft */
  versions: 10_000,
  /** messages of a compiler about one program; the page shows as many */
  messages: 100,
} as const;

/** Limits of a module, the code of a custom format, in the same sources. */
export const MODULE_BOUNDS = {
  /** characters: several times the longest that a user would write */
  length: 2 ** 16,
  /** characters of its compressed text in a link */
  code: 2 ** 18,
  /** characters */
  name: 40,
  /** stored texts of one module */
  versions: 1000,
} as const;

/** Limits of the WGSL of one pass of a draft, so that a compiler finishes: several times the largest kernel. */
export const PROGRAM_BOUNDS = {
  /** in all of its files */
  loops: 64,
  functions: 512,
  /** of WGSL, once every call is inlined as compilers of shaders do */
  tokens: 2 ** 16,
} as const;
