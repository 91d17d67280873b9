// Types of modules that Vite and this project's scripts make: from files (raw text, shaders), or computed (virtual:).

/** Vite's `?raw` imports: the text of a file as a string. */
declare module '*?raw' {
  const text: string;
  // oxlint-disable-next-line import/no-default-export -- the shape that Vite gives to raw imports
  export default text;
}

/** WGSL files, of which the plugin in scripts/shader-modules.ts makes modules. */
declare module '*.wgsl' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an import would make a module of this file
  const shader: import('./core/kernel/shader.ts').ShaderSource;
  // oxlint-disable-next-line import/no-default-export -- the shape that the plugin gives to shaders
  export default shader;
}

/** What limits each kernel's speed, from scripts/format-catalog.ts; to be imported by src/formats/limits.ts. */
declare module 'virtual:kernel-limits' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an import would make a module of this file
  type Limit = import('./core/kernel/limit.ts').KernelLimit;
  export const limits: Readonly<Record<string, Limit>>;
}

/** A hash of each kernel's text and plan, from scripts/format-catalog.ts; to be imported by src/formats/hashes.ts. */
declare module 'virtual:kernel-hashes' {
  export const hashes: Readonly<Record<string, string>>;
}

/** The texts of the kernels of each format, from scripts/format-catalog.ts; to be imported by src/pages/code/kernel-texts.ts. */
declare module 'virtual:kernel-texts' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an import would make a module of this file
  type File = import('./core/kernel/shader.ts').ShaderFile;
  interface Texts {
    readonly files: Readonly<Record<string, File>>;
    /** StoredReading of src/pages/code by kernel: the library, which has this file, knows no page */
    readonly readings: Readonly<Record<string, object>>;
  }
  export const texts: Readonly<Record<string, () => Promise<Texts>>>;
}

/** Every format without its code, from scripts/format-catalog.ts; to be imported by src/formats/catalog.ts. */
declare module 'virtual:format-catalog' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an import would make a module of this file
  type Listed = import('./core/format.ts').AnyListedFormat;
  export const catalog: readonly Listed[];
  export const referenceFormat: Listed;
  export const baselineFormat: Listed;
  export const firstFormat: Listed;
}
