// Opens a model from its files: config.json, tokenizer.json and safetensors, or a single GGUF file.

import { ReadError } from '../../../../src/core/errors.ts';
import type { Job } from '../../../../src/core/job.ts';
import {
  openTensors,
  rejectUnsupported,
  type RandomAccessSource,
  readBytes,
  readHead,
  gguf,
  openGguf,
  readGgufMetadata,
} from '../../../../src/io/index.ts';
import { weightsOf } from '../../../../src/theory/models/model-shape.ts';
import { chainRejection } from '../chain/rejection.ts';
import type { DecoderConfig } from '../decoder.ts';
import { readDecoderConfig } from '../read/decoder-config.ts';
import { weightReader, type WeightReader } from '../read/decoder-weights.ts';
import { readGgufTokenizer } from '../read/gguf-tokenizer.ts';
import { readGgufConfig } from '../read/gguf-config.ts';
import { readTokenizer, type ModelTokenizer } from '../tokenizer.ts';

/** Access to the files of a model: a folder on a disk, a server, the hub, or in this browser. */
export interface ModelFolder {
  /** where it is, in words: 'this computer', or an address without https:// */
  readonly from: string;
  /** name of the model, if its files have none */
  readonly name: string;
  /** the .gguf file that was opened; null for a folder with a config.json */
  readonly main: RandomAccessSource | null;
  /** a file of the folder; null if it does not exist. Throws ReadError for any other failure of a server. */
  file(name: string): Promise<RandomAccessSource | null>;
}

/** A file of a model and its size. */
export interface ModelFile {
  readonly name: string;
  readonly bytes: number;
}

/** A model whose headers were read, with access to the rest. No weight has been fetched. */
export interface OpenedModel {
  readonly config: DecoderConfig;
  /** reads the weights, one tensor at a time */
  readonly weights: WeightReader;
  /** reads the tokenizer. Throws ReadError if encoding and decoding change a test text. */
  readTokens(job: Job): Promise<ModelTokenizer>;
  readonly source: {
    readonly from: string;
    /** kind of file in words: 'safetensors', 'GGUF' */
    readonly kind: string;
    /** all files that are read */
    readonly files: readonly ModelFile[];
  };
}

/** Maximum bytes of the text files of a model: config.json and tokenizer.json. */
const MAX_CONFIG_BYTES = 2 ** 22;
const MAX_TOKENIZER_BYTES = 2 ** 26;

/** Bytes from which a Git LFS pointer or a web page instead of a file is recognised. */
const HEAD_BYTES = 512;

/** Maximum context, even if a model could read more: each token needs memory for its keys and values. */
const MAX_CONTEXT = 2048;

const INDEX = 'model.safetensors.index.json';
const SINGLE = 'model.safetensors';

/**
 * Opens a model: reads and checks its configuration, then the headers of its weights, so that an unsupported model is
 * rejected before any request for its weights.
 *
 * Throws ReadError with the file, found and expected, and CancelledError.
 */
export async function openModel(folder: ModelFolder, job: Job): Promise<OpenedModel> {
  const { main } = folder;
  if (main === null) return openFolder(folder, job);
  const head = await readHead(main, HEAD_BYTES);
  if (gguf.sniff(head)) return openGgufModel(folder, main, job);
  rejectUnsupported(head, main.name);
  throw new ReadError(`${main.name}: found a file of another kind, expected GGUF`);
}

/** An error that names every file that the folder lacks. */
async function missingFilesError(folder: ModelFolder): Promise<ReadError> {
  const exists = async (name: string): Promise<boolean> => (await folder.file(name)) !== null;
  const hasWeights = (await exists(INDEX)) || (await exists(SINGLE));
  const names = [
    ...((await exists('config.json')) ? [] : ['config.json']),
    ...((await exists('tokenizer.json')) ? [] : ['tokenizer.json']),
    ...(hasWeights ? [] : [`the weights (${SINGLE}, or ${INDEX} with its files)`]),
  ];
  const list = names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return new ReadError(
    `${folder.name}: ${list} ${names.length === 1 && hasWeights ? 'is' : 'are'} missing; choose all files of the model at once`,
  );
}

/** Opens a model of config.json, tokenizer.json and safetensors files. Throws ReadError. */
async function openFolder(folder: ModelFolder, job: Job): Promise<OpenedModel> {
  const configFile = await folder.file('config.json');
  if (configFile === null) throw await missingFilesError(folder);
  const configText = await textOf(configFile, MAX_CONFIG_BYTES);
  const nameInErrors = `${folder.name}, config.json`;
  const statedConfig = withMaxContext(readDecoderConfig(configText, nameInErrors));
  // Most config.json of the Hugging Face hub have no name, so the name of the folder is used.
  const config = statedConfig.name === nameInErrors ? { ...statedConfig, name: folder.name } : statedConfig;
  const tokenizer = await folder.file('tokenizer.json');
  if (tokenizer === null) throw await missingFilesError(folder);
  const index = await folder.file(INDEX);
  const first = index ?? (await folder.file(SINGLE));
  if (first === null) throw await missingFilesError(folder);
  const shards: RandomAccessSource[] = [];
  const container = await openTensors(
    first,
    async (name) => {
      const shard = await folder.file(name);
      if (shard) shards.push(shard); // bounded: the files that the index names
      return shard;
    },
    job,
  );
  const weights = weightReader(config, container);
  const files = [configFile, tokenizer, ...(index ? [index, ...shards] : [first])];
  return {
    config,
    weights,
    readTokens: async () =>
      readTokenizer(await textOf(tokenizer, MAX_TOKENIZER_BYTES), config, `${folder.name}, tokenizer.json`),
    source: { from: folder.from, kind: 'safetensors', files: files.map(sizeOf) },
  };
}

/** Opens a model of one GGUF file. Throws ReadError. */
async function openGgufModel(folder: ModelFolder, main: RandomAccessSource, job: Job): Promise<OpenedModel> {
  const metadata = await readGgufMetadata(main, job);
  const container = await openGguf(main, job);
  const names = new Set(container.tensors.map(({ name }) => name));
  const config = withMaxContext(readGgufConfig(metadata, names, main.name));
  return {
    config,
    weights: weightReader(config, container),
    readTokens: async () => readGgufTokenizer(metadata, config, main.name),
    source: { from: folder.from, kind: 'GGUF', files: [sizeOf(main)] },
  };
}

/** The configuration with a context of at most MAX_CONTEXT. */
function withMaxContext(config: DecoderConfig): DecoderConfig {
  return { ...config, context: Math.min(config.context, MAX_CONTEXT) };
}

function sizeOf({ name, size }: RandomAccessSource): ModelFile {
  return { name, bytes: size };
}

/** The text of a file of at most `max` bytes. Throws ReadError. */
async function textOf(source: RandomAccessSource, max: number): Promise<string> {
  if (source.size > max) throw new ReadError(`${source.name}: found ${source.size} bytes, expected at most ${max}`);
  const bytes = await readBytes(source, 0, source.size);
  rejectUnsupported(bytes.subarray(0, HEAD_BYTES), source.name);
  return new TextDecoder().decode(bytes);
}

/** The properties of a model that the user sees before its weights are fetched. */
export interface ModelPlan {
  readonly config: DecoderConfig;
  readonly from: string;
  readonly kind: string;
  readonly files: readonly ModelFile[];
  /** of all files */
  readonly bytes: number;
  /** bytes of its weights in memory, plus the largest of them in f32 while it is read */
  readonly memoryBytes: number;
  /** bytes per weight in memory, if all matrices have the same; null if some take 2 and some 4 */
  readonly weightBytes: 2 | 4 | null;
  readonly weights: number;
  /** why it cannot run on a GPU, so that the CPU decodes it; null if it can */
  readonly notOnGpu: string | null;
}

/** The plan of an opened model. */
export function modelPlan({ config, source, weights }: OpenedModel): ModelPlan {
  const sizes = weights.tensors.map(({ shape }) => shape.reduce((product, n) => product * n, 1));
  const weightsBytes = sizes.reduce((sum, n, i) => sum + n * weights.tensors[i].weightBytes, 0);
  const matrices = weights.tensors.filter(({ shape }) => shape.length > 1);
  const [weightBytes, ...otherWeightBytes] = new Set(matrices.map((matrix) => matrix.weightBytes));
  return {
    config,
    ...source,
    bytes: source.files.reduce((sum, { bytes }) => sum + bytes, 0),
    memoryBytes: weightsBytes + 4 * sizes.reduce((max, n) => Math.max(max, n), 0),
    weightBytes: otherWeightBytes.length > 0 ? null : weightBytes,
    weights: weightsOf(config),
    notOnGpu: chainRejection(config),
  };
}
