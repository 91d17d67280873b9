import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders in which systems install Chromium with its software GPU driver. */
const CHROMIUM_FOLDERS = ['/usr/lib/chromium', '/usr/lib64/chromium-browser', '/opt/google/chrome'];

/**
 * Finds the first file in these folders whose name matches; null if there is none.
 *
 * @param {readonly string[]} folders
 * @param {RegExp} name
 * @returns {string | null}
 */
export function findFile(folders, name) {
  for (const folder of folders) {
    const found = existsSync(folder) ? readdirSync(folder).find((file) => name.test(file)) : undefined;
    if (found !== undefined) return join(folder, found);
  }
  return null;
}

/** The file of SwiftShader, the software GPU that comes with Chromium; null without Chromium. */
export function swiftShaderFile() {
  const chromium = process.env['CHROMIUM_PATH'];
  const folders = chromium === undefined ? CHROMIUM_FOLDERS : [dirname(chromium), ...CHROMIUM_FOLDERS];
  return findFile(folders, /^vk_swiftshader_icd\.json$/);
}

/**
 * The environment of a process that uses the GPU of this file. Chromium includes a loader, which the system may lack.
 *
 * @param {string} file
 */
export const driverEnvironment = (file) => ({
  VK_DRIVER_FILES: file,
  VK_ICD_FILENAMES: file,
  LD_LIBRARY_PATH: [dirname(file), process.env['LD_LIBRARY_PATH'] ?? ''].filter((path) => path !== '').join(':'),
});
