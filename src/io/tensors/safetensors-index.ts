import { amount } from '../read-checks.ts';
import { checkBound } from '../../core/bounds/check.ts';
import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import {
  type Container,
  type ContainerContext,
  type ContainerFormat,
  randomAccess,
  type TensorInfo,
  unknownTensor,
} from '../container.ts';
import { MAX_CONCURRENT, mapConcurrently } from '../map-concurrently.ts';
import { jsonEntries } from './json-entries.ts';
import { openSafetensors, sortedByName } from './safetensors.ts';
import { torch } from './torch.ts';
import { type FileSource, readHead, windows1252Text } from '../source.ts';

const MAX_INDEX_BYTES = 2 ** 25;

/** Maximum number of tensors in all files: the largest mixtures of experts have about half as many. */
const MAX_TENSORS = 250_000;

/**
 * model.safetensors.index.json, or pytorch_model.bin.index.json: names the file in its folder that contains each tensor of
 * a model. Opening it reads the headers of all these files.
 */
export const safetensorsIndex: ContainerFormat = {
  id: 'safetensors-index',
  title: 'index of sharded safetensors',
  extensions: ['.safetensors.index.json'],
  reads: 'stream',
  sniff: (head) => /^\s*\{[\s\S]*"weight_map"\s*:/.test(windows1252Text(head)),
  open,
};

async function open(source: FileSource, context: ContainerContext): Promise<Container> {
  const fileOf = await readIndex(source, context.job);
  const files = [...new Set(fileOf.values())].toSorted();
  let opened = 0;
  const containers = await mapConcurrently(files, MAX_CONCURRENT, async (file): Promise<Container | null> => {
    throwIfCancelled(context.job);
    const shard = await context.sibling(file);
    // pytorch_model.bin.index.json names checkpoints of PyTorch.
    const container =
      shard &&
      (await (/\.safetensors$/i.test(file) || !torch.sniff(await readHead(shard, 512))
        ? openSafetensors(randomAccess(shard, 'a safetensors file'), context.job)
        : torch.open(shard, context)));
    context.job.report({ what: 'Reading headers', done: ++opened, total: files.length });
    return container;
  });
  const shards = new Map(files.map((file, i) => [file, containers[i]]));
  if ([...shards.values()].every((shard) => shard === null)) {
    const [first] = shards.keys();
    throw new ReadError(
      `found the index alone, expected also its ${amount(shards.size, 'file')}, such as ${first}: open them all together`,
    );
  }
  const missing: TensorInfo[] = [];
  for (const [name, file] of fileOf) {
    if (shards.get(file) !== null) continue;
    missing.push({ name, shape: [], dtype: '', bytes: 0, refused: `found no ${file} next to the index` });
  }
  return joinedShards(shards, missing, context.job);
}

/** The tensors of several files as one list, by name; `missing`: the tensors of files that do not exist. */
export async function joinedShards(
  shards: ReadonlyMap<string, Container | null>,
  missing: readonly TensorInfo[],
  job: Job,
): Promise<Container> {
  const tensors = [...missing];
  const shardOf = new Map<string, Container>();
  for (const [file, shard] of shards) {
    for (const tensor of shard?.tensors ?? []) {
      if (shardOf.has(tensor.name)) throw new ReadError(`${file}: found ${tensor.name} twice`);
      if (shard) shardOf.set(tensor.name, shard);
      tensors.push(tensor);
    }
  }
  const truncated = [...shards].flatMap(([file, shard]) => (shard?.truncation ? [`${file}: ${shard.truncation}`] : []));
  return {
    tensors: await sortedByName(tensors, job),
    preferred: null,
    truncation: truncated.length === 0 ? null : truncated.join('; '),
    read(name, reading) {
      const shard = shardOf.get(name);
      if (!shard) throw unknownTensor(name, tensors.length);
      return shard.read(name, reading);
    },
    count: (name, counting) => shardOf.get(name)?.count?.(name, counting) ?? null,
  };
}

/** Reads which file contains each tensor, by the names of tensors. Throws ReadError and CancelledError. */
async function readIndex(source: FileSource, job: Job): Promise<ReadonlyMap<string, string>> {
  const bytes = await readHead(source, MAX_INDEX_BYTES + 1);
  if (bytes.length > MAX_INDEX_BYTES) {
    throw new ReadError(`found an index of more than ${MAX_INDEX_BYTES} bytes`);
  }
  const fileOf = new Map<string, string>();
  const pacer = new Pacer();
  try {
    for (const [name, file] of jsonEntries(weightMapOf(new TextDecoder().decode(bytes)))) {
      fileOf.set(name, fileName(name, JSON.parse(file)));
      checkBound('weight_map', fileOf.size, MAX_TENSORS, 'tensors', ReadError);
      if (fileOf.size % 1024 > 0) continue;
      throwIfCancelled(job);
      await pacer.pauseIfDue();
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ReadError('found no JSON, expected an index');
  }
  if (fileOf.size === 0) throw new ReadError('found an empty weight_map');
  return fileOf;
}

/** The text of the object that maps tensors to files. Throws SyntaxError and ReadError. */
function weightMapOf(text: string): string {
  let weightMap = '';
  for (const [name, value] of jsonEntries(text)) {
    if (name === 'weight_map') weightMap = value;
    else JSON.parse(value); // other values are not used, but have to be JSON
  }
  if (/^\s*\{/.test(weightMap)) return weightMap;
  throw new ReadError('found no weight_map');
}

function fileName(tensor: string, file: unknown): string {
  if (typeof file === 'string' && /^[^/\\]+$/.test(file) && !file.startsWith('.')) return file;
  throw new ReadError(`${tensor}: found file ${JSON.stringify(file)}, expected a name without folders`);
}
