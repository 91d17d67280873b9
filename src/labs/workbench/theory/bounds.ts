/** A draft of a kernel: in a link, in a file, in the editor and in this browser's storage. */
export const DRAFT_BOUNDS = {
  /** characters of its text as it is saved, all its files and the comments above them: twice the largest kernel */
  length: 2 ** 16,
  /** characters in a link: a draft of that length that does not compress */
  code: 2 ** 18,
  /** characters */
  name: 80,
  /** a path, the id of a kernel, the name of a constant or a parameter, the text of a parameter's value */
  word: 100,
  files: 32,
  overrides: 64,
  params: 32,
  /** texts of one draft that were run, which are kept: more than anyone makes */
  versions: 10_000,
  /** messages of a compiler about one program; the page shows as many */
  messages: 100,
} as const;

/** A format of one's own: its module in a link, in a file, in the editor and in this browser's storage. */
export const MODULE_BOUNDS = {
  /** characters: several times the longest that a person would write */
  length: 2 ** 16,
  /** characters in a link: a module of that length that does not compress */
  code: 2 ** 18,
  /** characters */
  name: 40,
  /** kept texts of one module */
  versions: 1000,
} as const;

/** The program of one pass of a draft: several times the largest kernel, so that a compiler finishes. */
export const PROGRAM_BOUNDS = {
  /** over all of its files */
  loops: 64,
  functions: 512,
  /** of WGSL, once every call is inlined as compilers of shaders do */
  tokens: 2 ** 16,
} as const;
