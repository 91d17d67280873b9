// npm start: installs what is missing, builds, serves the built site and prints its address.
// Needs only Node and npm: everything from packages is imported after the installation.
import { installPackages, ROOT } from './packages.mjs';

const DEFAULT_PORT = 4173;

/**
 * The port to listen on. A requested port is used or fails; the default falls back to the next free one.
 *
 * @param {string | undefined} wanted value of PORT
 * @returns {{ port: number, strictPort: boolean }}
 */
function choosePort(wanted) {
  if (wanted === undefined || wanted === '') return { port: DEFAULT_PORT, strictPort: false };
  const port = /^\d+$/.test(wanted) ? Number(wanted) : 0;
  if (port < 1 || port > 65535) {
    throw new Error(`PORT: found '${wanted}', expected a whole number from 1 to 65535.`);
  }
  return { port, strictPort: true };
}

try {
  const { port, strictPort } = choosePort(process.env.PORT);
  installPackages();
  const { build, preview } = await import('vite');
  await build({ root: ROOT, logLevel: 'warn' });
  const server = await preview({ root: ROOT, preview: { port, strictPort }, logLevel: 'warn' });
  console.log(`\nSparseScope is at ${server.resolvedUrls?.local[0] ?? `port ${port}`}   (Ctrl+C stops it)`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
