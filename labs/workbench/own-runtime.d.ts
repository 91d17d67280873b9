/** The scripts of the sandboxes in which people's own formats run, made by plugins.mjs. */
declare module 'virtual:own-runtime' {
  export const runtime: string;
  export const runtimeForNode: string;
}
