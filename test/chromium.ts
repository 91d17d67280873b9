import { existsSync } from 'node:fs';

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The Chromium that tests run in: CHROMIUM_PATH, or where Debian puts it; undefined lets Playwright look for its own. */
export function chromiumPath(): string | undefined {
  return CANDIDATES.find((path) => path !== undefined && existsSync(path));
}

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
