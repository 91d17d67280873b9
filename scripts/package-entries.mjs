import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './packages.mjs';

/** The folder of the built package: `npm pack` packs all of it. */
export const PACKAGE_FOLDER = join(ROOT, 'dist-package');

const FORMAT_IDS = readdirSync(join(ROOT, 'src/lib/codecs')).map((file) => file.replace('.ts', ''));

/**
 * What programs import, with its source below src/lib without its ending, which is also its file below dist-lib.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const ENTRIES = {
  '.': 'index',
  './core': 'core',
  './files': 'files',
  './formats': 'formats',
  ...Object.fromEntries(
    FORMAT_IDS.flatMap((id) => [
      [`./${id}`, `codecs/${id}`],
      [`./${id}/kernels`, `kernels/${id}`],
    ]),
  ),
};
