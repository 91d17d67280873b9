import { strToU8, zipSync } from 'fflate';
import { homeFiles, homeName, type Leaving } from '../../../own/home/files.ts';

/** The folder of a format as a zip, with the name to save it under. */
export function homeZip(leaving: Omit<Leaving, 'name'>): { readonly name: string; readonly blob: Blob } {
  const name = homeName(leaving.description.title);
  const files = [...homeFiles({ ...leaving, name })].map(([path, code]) => [`${name}/${path}`, strToU8(code)] as const);
  return { name: `${name}.zip`, blob: new Blob([zipSync(Object.fromEntries(files))], { type: 'application/zip' }) };
}
