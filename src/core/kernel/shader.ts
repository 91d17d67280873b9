/** A WGSL file as importing it gives it (scripts/shader-modules.ts). */
export interface ShaderModule {
  /** below shaders/ */
  readonly path: string;
  /** null where kernels are listed and not run, which is the page */
  readonly code: string | null;
  /** for each of its include lines the files that it offers, one of which is taken */
  readonly includes: readonly (readonly ShaderModule[])[];
}

/** A part of a WGSL program: path below shaders/, for messages, and its text. */
export interface ShaderFile {
  readonly path: string;
  readonly code: string;
}

/**
 * All files of the program whose own file is `kernel`: every included file once, in front of the first that includes it,
 * the kernel last. `pieces` are the choices: where an include line offers several files, exactly one of them is among the
 * pieces. Throws RangeError for an open or a double choice and for a piece that no line offers, and where the texts are
 * missing.
 */
export function shaderFiles(kernel: ShaderModule, pieces: readonly ShaderModule[] = []): readonly ShaderFile[] {
  const files = new Map<ShaderModule, ShaderFile>();
  const visit = (module: ShaderModule, open: readonly ShaderModule[]): void => {
    if (files.has(module)) return;
    const { path, code, includes } = module;
    if (code === null)
      throw new RangeError(`${path}: found no text, expected a build that runs kernels: the page does not`);
    if (open.includes(module)) {
      throw new RangeError(`${path}: includes itself, through ${open.map((m) => m.path).join(', ')}`);
    }
    for (const offered of includes) visit(chosen(path, offered, pieces), [...open, module]);
    files.set(module, { path, code });
  };
  visit(kernel, []);
  const stray = pieces.find((piece) => !files.has(piece));
  if (stray)
    throw new RangeError(`${kernel.path}: found ${stray.path} among the pieces, expected one that it includes`);
  return [...files.values()];
}

/** The one of the offered files that is taken. */
function chosen(path: string, offered: readonly ShaderModule[], pieces: readonly ShaderModule[]): ShaderModule {
  if (offered.length === 1) return offered[0];
  const taken = offered.filter((module) => pieces.includes(module));
  if (taken.length === 1) return taken[0];
  const found = taken.length === 0 ? 'none' : taken.map((m) => m.path).join(' and ');
  throw new RangeError(
    `${path}: found ${found} among the pieces, expected one of ${offered.map((m) => m.path).join(', ')}`,
  );
}
