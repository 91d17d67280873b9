import { fileSource, type MatrixFile, type RandomAccessSource } from '../../io/source.ts';
import type { ModelFolder } from '../../language/open/open-model.ts';

/** The last part of an address, without an ending. */
export function nameIn(address: string): string {
  const last = address.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last.replace(/\.gguf$/i, '') || 'model';
}

/** Files that were picked, or those of a folder that was. */
export function diskFolder(files: readonly MatrixFile[], folder: string): ModelFolder {
  const sources = files.map(fileSource);
  const main = sources.find(({ name }) => /\.gguf$/i.test(name)) ?? null;
  const name = main ? nameIn(main.name) : folder;
  const file = async (wanted: string): Promise<RandomAccessSource | null> =>
    sources.find((source) => source.name === wanted) ?? null;
  return { from: 'this computer', name, main, file };
}
