import { fileSource, type MatrixFile, type RandomAccessSource } from '../../io/source.ts';
import type { ModelFolder } from '../../language/open/open-model.ts';

/** The last part of an address, without an ending. */
export function nameIn(address: string): string {
  const last = address.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last.replace(/\.(gguf|bin)$/i, '') || 'model';
}

/** Files that were picked, or those of a folder that was. */
export function diskFolder(files: readonly MatrixFile[], folder: string): ModelFolder {
  const sources = files.map(fileSource);
  const main = sources.find(({ name }) => /\.gguf$/i.test(name)) ?? weightsBin(sources);
  const name = main ? nameIn(main.name) : folder;
  const tokenizers = sources.filter((source) => source !== main && /\.bin$/i.test(source.name));
  const file = async (wanted: string): Promise<RandomAccessSource | null> => {
    const found = sources.find((source) => source.name === wanted) ?? null;
    // Tokenizers of llama2.c have names such as tok512.bin.
    return found ?? (wanted === 'tokenizer.bin' && tokenizers.length === 1 ? tokenizers[0] : null);
  };
  return { from: 'this computer', name, main, file };
}

/** Of several .bin the largest, unless there is a config.json: then none of them is llama2.c's. */
function weightsBin(sources: readonly RandomAccessSource[]): RandomAccessSource | null {
  if (sources.some(({ name }) => name === 'config.json')) return null;
  const bins = sources.filter(({ name }) => /\.bin$/i.test(name));
  return bins.toSorted((a, b) => b.size - a.size)[0] ?? null;
}
