// How tests launch Chromium.

export { chromiumPath } from '../scripts/chromium.mjs';

/** Flags for headless tests: software WebGPU, and no background traffic. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];
