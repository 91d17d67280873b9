import { isSystemFile } from './archives/archive.ts';

// Files that the user chose at once: which to open first, which belong together, and notes about the others.

/** Endings of the names of files to offer in a picker; the content decides what a file is. */
export const OPENED_ENDINGS: readonly string[] =
  '.npy .mtx .mm .smtx .csv .tsv .txt .dat .edges .edgelist .npz .safetensors .gguf .pt .pth .ckpt .bin .tar .tgz .zip .gz .json'.split(
    ' ',
  );

interface Named {
  readonly name: string;
}

/** A shard, one of several files with the tensors of a model: `model-00001-of-00003.safetensors`. */
const SHARD = /^(.*-)(\d+)(-of-(\d+)\.(?:safetensors|gguf|pt|pth|bin))$/i;

/** Maximum number of file names in a note. */
const MAX_NAMED = 3;

/** The chosen files in the order to try them: index files of models, matrix files, checkpoints, others, .txt; no system files. */
export function likeliestFirst<F extends Named>(files: readonly F[]): readonly F[] {
  const chosen = files.filter(({ name }) => !isSystemFile(name));
  return (chosen.length > 0 ? chosen : files).toSorted((a, b) => rank(a) - rank(b));
}

/** The place of a file in the order of `likeliestFirst`, from 0. */
function rank({ name }: Named): number {
  const lower = name.toLowerCase();
  // Next to weights as safetensors, checkpoints are older copies of them, or the state of an optimizer.
  if (lower.endsWith('.bin.index.json')) return 2;
  if (/\.(pt|pth|ckpt|bin)$/.test(lower)) return 3;
  if (lower.endsWith('.index.json')) return 0;
  // Probably prose such as a licence, which would be read as a table.
  if (lower.endsWith('.txt')) return 5;
  return !lower.endsWith('.json') && OPENED_ENDINGS.some((ending) => lower.endsWith(ending)) ? 1 : 4;
}

/** The shards of the model that `file` is a shard of, by number; only `file` if it is no shard. */
export function shardsWith<F extends Named>(file: F, files: readonly F[]): readonly F[] {
  const [, prefix, , suffix] = SHARD.exec(file.name) ?? [];
  if (prefix === undefined) return [file];
  const byNumber = new Map<number, F>();
  for (const other of files) {
    const [, otherPrefix, number, otherSuffix] = SHARD.exec(other.name) ?? [];
    if (otherPrefix === prefix && otherSuffix === suffix && !byNumber.has(Number(number)))
      byNumber.set(Number(number), other);
  }
  return [...byNumber].toSorted(([a], [b]) => a - b).map(([, file]) => file);
}

/** Notes about the missing shards, and about chosen files that were not opened. */
export function fileNotes(shards: readonly Named[], notOpened: readonly Named[]): readonly string[] {
  const count = Number(SHARD.exec(shards[0].name)?.[4] ?? shards.length);
  const opened = shards.length;
  return [
    ...(opened > 1 && opened < count ? [`${opened} of the ${count} files of these tensors were opened together.`] : []),
    ...(notOpened.length > 0 ? [`Not opened: ${namesOf(notOpened)}.`] : []),
  ];
}

function namesOf(files: readonly Named[]): string {
  const names = files.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = files.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
