// The id of an imported model: its name, and a hash of its files.

import { ReadError } from '../../../src/core/errors.ts';
import { type RandomAccessSource, readBytes } from '../../../src/io/index.ts';
import type { ModelFile, ModelFolder } from '../decoders/open/open-model.ts';
import { IMPORTED_ID_PREFIX } from '../theory/imported.ts';

/** Maximum characters of the name in an id. */
const LONGEST_NAME = 24;
/** Bytes that are read at each of three positions of a file, to identify it. */
const PROBE = 2 ** 12;
/** Bytes of config.json that are hashed, at most. */
const MAX_PROBED = 2 ** 16;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The id of a model: its name without special characters, and a hash that separates models of the same name. */
export function idOf(name: string, fingerprint: number): string {
  const plain = name.replaceAll(/[^\w.-]+/g, '-').slice(0, LONGEST_NAME);
  return `${IMPORTED_ID_PREFIX}${plain}-${(fingerprint & 0xffff).toString(16).padStart(4, '0')}`;
}

/**
 * A hash (FNV-1a) that is equal for the same files, wherever they are. It depends on their names and sizes, on config.json, and on the
 * beginning and some weights of the largest file: formats describe themselves at the beginning, and the weights
 * distinguish two prunings of one size.
 */
export async function fingerprint(files: readonly ModelFile[], folder: ModelFolder): Promise<number> {
  let hash = FNV_OFFSET;
  const add = (bytes: Uint8Array): void => {
    for (const byte of bytes) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  };
  const sorted = files.toSorted((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
  add(new TextEncoder().encode(sorted.map(({ name, bytes }) => `${name} ${bytes}`).join('\n')));
  const config = sorted.find(({ name }) => name === 'config.json');
  if (config) add(await readBytes(await fileIn(folder, config.name), 0, Math.min(config.bytes, MAX_PROBED)));
  const largest = await fileIn(folder, sorted[0].name);
  for (const offset of [0, largest.size / 2, largest.size - PROBE]) {
    const from = Math.max(0, Math.floor(offset));
    add(await readBytes(largest, from, Math.min(largest.size, from + PROBE)));
  }
  return hash;
}

/** A file that the folder is known to contain. */
export async function fileIn(folder: ModelFolder, name: string): Promise<RandomAccessSource> {
  const source = folder.main?.name === name ? folder.main : await folder.file(name);
  if (source === null) throw new ReadError(`${name}: the file is gone`);
  return source;
}
