// Playwright configuration of `npm run bench:page`.

import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, chromiumPath } from '../../test/chromium.ts';

const port = Number(process.env.E2E_PORT ?? 5204);
const executablePath = chromiumPath();
const root = resolve(import.meta.dirname, '../..');

/** Runs the visits of `npm run bench:page`, one after the other: tests that run at once would slow each other. */
// oxlint-disable-next-line import/no-default-export -- the shape that Playwright expects
export default defineConfig({
  testDir: root,
  // Visits of the app and of every lab.
  testMatch: ['bench/**/visits.ts', 'labs/*/bench/**/visits.ts'].map((files) => resolve(root, files)),
  outputDir: resolve(root, 'test-results/bench'),
  workers: 1,
  // These limits end a test that hangs; they do not judge speed.
  timeout: 900_000,
  expect: { timeout: 120_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
    baseURL: `http://localhost:${port}`,
    launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
  },
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --port ${port} --strictPort`,
    cwd: root,
    port,
    reuseExistingServer: false,
  },
});
