/** A WGSL file, or one variant of it: a part of a program. */
export interface ShaderModule {
  /** below shaders/; a variant has its name behind it: common/values.wgsl#f16 */
  readonly path: string;
  /** null on the page, where kernels are listed but not run, and for a file that needs a chosen variant */
  readonly code: string | null;
  /** for each of its include lines the possible modules; one of them is chosen */
  readonly includes: readonly (readonly ShaderModule[])[];
  /** of a variant, for each line of `code` its number in the file */
  readonly lines?: readonly number[];
}

/**
 * The value of an imported WGSL file (scripts/shader-modules.ts).
 *
 * @public the type of `*.wgsl` in src/raw-imports.d.ts
 */
export interface ShaderSource extends ShaderModule {
  /** by name; empty if the file has none */
  readonly variants: Readonly<Record<string, ShaderModule>>;
}

/** A part of a WGSL program: the path of its module, for messages, and its text. */
export interface ShaderFile {
  readonly path: string;
  readonly code: string;
  readonly lines?: readonly number[];
}

/** The path of a module's file: the path of the module without the name of a variant. */
export function fileOf(path: string): string {
  return path.replace(/#.*/, '');
}

/** Whether `name` is the path of a module, or the path of its file if the module is a variant. */
export function refersTo(path: string, name: string): boolean {
  return path === name || fileOf(path) === name;
}

/**
 * All files of the program whose main file is `kernel`: every included file once, before the first that includes it,
 * the kernel last. `pieces` are the choices: if an include line offers several files, exactly one of them must be among
 * the pieces. Throws RangeError for a missing or a double choice and for a piece that no line offers, and if the texts
 * are missing.
 */
export function shaderFiles(kernel: ShaderModule, pieces: readonly ShaderModule[] = []): readonly ShaderFile[] {
  const files = new Map<ShaderModule, ShaderFile>();
  const visit = (module: ShaderModule, includers: readonly ShaderModule[]): void => {
    if (files.has(module)) return;
    const { path, code, includes, lines } = module;
    if (code === null) throw new RangeError(`${path}: found no text, expected one of its variants`);
    if (includers.includes(module)) {
      throw new RangeError(`${path}: includes itself, through ${includers.map((m) => m.path).join(', ')}`);
    }
    for (const offered of includes) visit(chosen(path, offered, pieces), [...includers, module]);
    files.set(module, lines === undefined ? { path, code } : { path, code, lines });
  };
  visit(kernel, []);
  const stray = pieces.find((piece) => !files.has(piece));
  if (stray) throw new RangeError(`${kernel.path}: found ${stray.path} among the pieces`);
  return [...files.values()];
}

/** The one offered file that the pieces choose. */
function chosen(path: string, offered: readonly ShaderModule[], pieces: readonly ShaderModule[]): ShaderModule {
  if (offered.length === 1) return offered[0];
  const taken = offered.filter((module) => pieces.includes(module));
  if (taken.length === 1) return taken[0];
  const found = taken.length === 0 ? 'none' : taken.map((m) => m.path).join(' and ');
  throw new RangeError(
    `${path}: found ${found} among the pieces, expected one of ${offered.map((m) => m.path).join(', ')}`,
  );
}
