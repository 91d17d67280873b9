/** How a shader declares a buffer of bind group 0. */
export type DeclaredBinding = 'uniform' | 'read-only-storage' | 'storage';

const COMMENT = /\/\/.*$|\/\*[\s\S]*?\*\//gm;
const BUFFER =
  /@(?:binding\s*\(\s*(\d+)\s*\)\s*@group\s*\(\s*0\s*\)|group\s*\(\s*0\s*\)\s*@binding\s*\(\s*(\d+)\s*\))\s*var\s*<\s*(uniform|storage)\s*(?:,\s*(read_write|read|write)\s*)?>/g;

/** The buffers of bind group 0, by binding number, that a WGSL text declares. */
export function declaredBindings(code: string): ReadonlyMap<number, DeclaredBinding> {
  const bindings = new Map<number, DeclaredBinding>();
  for (const [, before, after, space, access] of code.replace(COMMENT, '').matchAll(BUFFER)) {
    const kind = space === 'uniform' ? 'uniform' : access === 'read_write' ? 'storage' : 'read-only-storage';
    bindings.set(Number(before ?? after), kind);
  }
  return bindings;
}
