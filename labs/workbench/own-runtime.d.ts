/** The scripts of the sandboxes in which custom formats run, made by plugins.mjs. */
declare module 'virtual:own-runtime' {
  export const runtime: string;
  export const runtimeForNode: string;
}
