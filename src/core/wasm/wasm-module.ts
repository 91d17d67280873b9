/** The members of WebAssembly that are used here; src/core compiles without the DOM library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};
declare function atob(base64: string): string;

/**
 * Returns a function that makes instances of a WebAssembly module (in base64), each with its own memory, or null where
 * the runtime has no WebAssembly or no SIMD, or a policy forbids WebAssembly. The type `Exports` is not checked.
 */
export function wasmModule<Exports extends object>(base64: string): () => Exports | null {
  // Compiled once: recompiled code is slow at first.
  let compiled: object | null = null;
  return () => {
    try {
      compiled ??= new WebAssembly.Module(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
      return new WebAssembly.Instance(compiled).exports as Exports;
    } catch {
      return null;
    }
  };
}
