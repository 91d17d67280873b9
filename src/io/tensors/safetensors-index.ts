import { ReadError } from '../../core/errors.ts';
import type { Container, ContainerContext, ContainerFormat, TensorInfo } from '../archives/container.ts';
import { partsOf } from '../archives/container.ts';
import { stopIfCancelled } from '../file-format.ts';
import { AT_ONCE, mapAtOnce } from '../map-at-once.ts';
import { compareNames, openSafetensors } from './safetensors.ts';
import { type FileSource, readHead } from '../source.ts';

const MAX_INDEX_BYTES = 2 ** 25;

/** model.safetensors.index.json: which file beside it holds which tensor. The headers of all of them are read. */
export const safetensorsIndex: ContainerFormat = {
  id: 'safetensors-index',
  title: 'index of sharded safetensors',
  extensions: ['.safetensors.index.json'],
  reads: 'stream',
  sniff: (head) => /^\s*\{[\s\S]*"weight_map"\s*:/.test(String.fromCharCode(...head)),
  open,
};

async function open(source: FileSource, context: ContainerContext): Promise<Container> {
  const fileOf = await readIndex(source);
  const files = [...new Set(fileOf.values())].toSorted(compareNames);
  let opened = 0;
  const containers = await mapAtOnce(files, AT_ONCE, async (file): Promise<Container | null> => {
    stopIfCancelled(context.job);
    const shard = await context.sibling(file);
    const container = shard && (await openSafetensors(partsOf(shard, 'a safetensors file')));
    context.job.report({ what: 'Reading headers', done: ++opened, total: files.length });
    return container;
  });
  const shards = new Map(files.map((file, i) => [file, containers[i]]));
  if ([...shards.values()].every((shard) => shard === null)) {
    const [first] = shards.keys();
    throw new ReadError(
      `found the index alone, expected it together with its ${shards.size} files, such as ${first}: open them all at once`,
    );
  }
  const tensors: TensorInfo[] = [];
  const home = new Map<string, Container>();
  for (const [file, shard] of shards) {
    for (const tensor of shard?.tensors ?? []) {
      if (home.has(tensor.name)) {
        throw new ReadError(`${file}: found ${tensor.name}, which another file has too, expected it once`);
      }
      if (shard) home.set(tensor.name, shard);
      tensors.push(tensor);
    }
  }
  for (const [name, file] of fileOf) {
    if (shards.get(file) !== null) continue;
    tensors.push({ name, shape: [], dtype: '', bytes: 0, refused: `found no ${file}, expected it beside the index` });
  }
  tensors.sort((a, b) => compareNames(a.name, b.name));
  return {
    tensors,
    preferred: null,
    read(name, job) {
      const shard = home.get(name);
      if (!shard) throw new ReadError(`found no tensor '${name}', expected one of ${tensors.length}`);
      return shard.read(name, job);
    },
  };
}

async function readIndex(source: FileSource): Promise<ReadonlyMap<string, string>> {
  const bytes = await readHead(source, MAX_INDEX_BYTES + 1);
  if (bytes.length > MAX_INDEX_BYTES) {
    throw new ReadError(`found an index of more than ${MAX_INDEX_BYTES} bytes, expected at most that`);
  }
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new ReadError('found text that is not JSON, expected an index with weight_map');
  }
  const weightMap: unknown = typeof json === 'object' && json !== null && 'weight_map' in json ? json.weight_map : null;
  if (typeof weightMap !== 'object' || weightMap === null) {
    throw new ReadError('found no weight_map, expected the file of each tensor');
  }
  const fileOf = new Map<string, string>();
  for (const [name, file] of Object.entries(weightMap)) {
    if (typeof file !== 'string' || !/^[^/\\]+$/.test(file) || file.startsWith('.')) {
      throw new ReadError(`${name}: found file ${JSON.stringify(file)}, expected a file name without folders`);
    }
    fileOf.set(name, file);
  }
  if (fileOf.size === 0) throw new ReadError('found an empty weight_map, expected at least one tensor');
  return fileOf;
}
