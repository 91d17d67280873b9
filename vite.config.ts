import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_ARGS, chromiumPath } from './test/chromium.ts';

const executablePath = chromiumPath();

// oxlint-disable-next-line import/no-default-export -- the shape that Vite expects
export default defineConfig({
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  // The manifest tells scripts/check-size.mjs which chunks the first screen loads.
  build: { target: 'es2023', manifest: true },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,test,bench,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.gpu.test.ts', 'node_modules/**'],
          environment: 'node',
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'gpu',
          include: ['src/**/*.gpu.test.ts'],
          testTimeout: 120_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            instances: [{ browser: 'chromium' }],
            provider: playwright({
              launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
            }),
          },
        },
      },
    ],
  },
});
