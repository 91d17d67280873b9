import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, chromiumPath } from './test/chromium.ts';

const port = Number(process.env.E2E_PORT ?? 5203);
const executablePath = chromiumPath();

export default defineConfig({
  testDir: '.',
  // Of the project and of each lab.
  testMatch: ['e2e/**/*.spec.ts', 'labs/*/e2e/**/*.spec.ts'].map((files) => join(import.meta.dirname, files)),
  // Two cores: more pages at once would only make each other slow. Stages of `npm test` pass --workers.
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A test that passes only now and then is a fault of the test or of the page.
  retries: 0,
  // Tests for `npm run test:all` (`scheduled` in e2e/fixtures.ts).
  ...(process.env.TEST_ALL === '1' ? {} : { grepInvert: /@scheduled/ }),
  // Bounds end what hangs. They do not judge speed: a machine may be busy.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    // Nothing is served of a build before, and every request can be seen: e2e/offline.spec.ts has them.
    serviceWorkers: 'block',
    baseURL: `http://localhost:${port}`,
    launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    // One folder each, also for parts that run at once: a run empties its own.
    {
      name: 'site',
      outputDir: `test-results/${process.env.E2E_PART ?? 'site'}`,
      testIgnore: '**/browsers.spec.ts',
    },
    // Firefox and WebKit, one worker for each; the pages of the others are Chromium's.
    {
      name: 'browsers',
      outputDir: 'test-results/browsers',
      testMatch: '**/browsers.spec.ts',
      timeout: 300_000,
    },
  ],
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --port ${port} --strictPort`,
    port,
    reuseExistingServer: false,
  },
});
