import { readZipDirectory, storedMember, zipMember, type ZipMember } from '../../io/archives/zip.ts';
import { fileSource, type MatrixFile, type RandomAccessSource } from '../../io/source.ts';
import type { ModelFolder } from '../../language/open/open-model.ts';

/** Files of an archive that may be those of a model. */
const OF_A_MODEL = /\.(json|safetensors|gguf|bin)$/i;
/** Files of a model at most: the largest published ones have some 200. */
const MOST_FILES = 1000;
/** Bytes of compressed files of an archive at most: they are unpacked in memory. */
const MOST_UNPACKED = 2 ** 27;
/** Bytes that the files of an archive may say they have. */
const MOST_DECLARED = 2 ** 33;

/** The last part of an address, without an ending. */
export function nameIn(address: string): string {
  const last = address.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last.replace(/\.(gguf|bin|zip)$/i, '') || 'model';
}

/** Files that were picked, those of a folder that was, or those of an archive. Throws ReadError for an archive that is broken. */
export async function diskFolder(files: readonly MatrixFile[], folder: string): Promise<ModelFolder> {
  const picked = files.map(fileSource);
  const archive = picked.length === 1 && /\.zip$/i.test(picked[0].name) ? picked[0] : null;
  return folderOf(archive ? await inArchive(archive) : picked, archive ? nameIn(archive.name) : folder);
}

function folderOf(sources: readonly RandomAccessSource[], folder: string): ModelFolder {
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

/**
 * The files of an archive as they would be beside each other, without those of folders inside their folder. Stored ones are read
 * where they are; compressed ones are unpacked, and have to be small.
 */
async function inArchive(archive: RandomAccessSource): Promise<readonly RandomAccessSource[]> {
  const members = await readZipDirectory(archive, MOST_DECLARED);
  // A Mac adds files of its own, which begin with a dot.
  const ofModel = members.filter(({ name }) => OF_A_MODEL.test(name) && !/(^|\/)\./.test(name));
  const depth = ({ name }: ZipMember): number => name.split('/').length;
  const least = ofModel.reduce((found, member) => Math.min(found, depth(member)), Number.POSITIVE_INFINITY);
  const sources: RandomAccessSource[] = [];
  let unpacked = 0;
  for (const member of ofModel.filter((one) => depth(one) === least).slice(0, MOST_FILES)) {
    const inFolder = { ...member, name: member.name.split('/').at(-1) ?? '' };
    const isSmall = member.method === 'deflated' && unpacked + member.size <= MOST_UNPACKED;
    if (isSmall) unpacked += member.size;
    sources.push(isSmall ? await unpackedMember(archive, inFolder) : await storedMember(archive, inFolder)); // bounded: MOST_FILES
  }
  return sources;
}

async function unpackedMember(archive: RandomAccessSource, member: ZipMember): Promise<RandomAccessSource> {
  const bytes = new Uint8Array(member.size);
  let at = 0;
  for await (const chunk of zipMember(archive, member).chunks()) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return fileSource({ name: member.name, bytes });
}
