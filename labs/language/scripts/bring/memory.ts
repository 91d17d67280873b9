// node --expose-gc scripts/run.mjs labs/language/scripts/bring/memory.ts f32|f16 [MEGABYTES]: writes a random Llama of
// about that size to the temporary folder, opens it as the page opens a file of this computer, and prints the peak
// memory of the process.
import { openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byteTokenizer } from '../../test/decoders.ts';
import { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { ImportedModels } from '../../models/imported-models.ts';
import { RemoteCache, safetensorsHead } from '../../../../src/io/index.ts';
import { tensorName, tensorShape, modelTensors } from '../../decoders/read/tensor-layouts.ts';
import { readDecoderConfig } from '../../decoders/read/decoder-config.ts';

// The size of the model: as many blocks of fixed sizes as give the requested bytes.
const type = process.argv[2] === 'f16' ? 'F16' : 'F32';
const targetBytes = Number(process.argv[3] ?? 300) * 1e6;
const size = type === 'F16' ? 2 : 4;
const [hidden, intermediate, vocabulary] = [768, 2048, 16_000];
const perBlock = 4 * hidden * hidden + 3 * hidden * intermediate;
const layers = Math.max(1, Math.round((targetBytes / size - vocabulary * hidden) / perBlock));
const configText = JSON.stringify({
  model_type: 'llama',
  hidden_size: hidden,
  intermediate_size: intermediate,
  num_hidden_layers: layers,
  num_attention_heads: 12,
  num_key_value_heads: 12,
  vocab_size: vocabulary,
  tie_word_embeddings: true,
  bos_token_id: 0,
  eos_token_id: 1,
});
const config = readDecoderConfig(configText, 'random');
const tensors = modelTensors(config).map((tensor) => {
  const shape = tensorShape(config, tensor);
  const cells = shape.reduce((product, n) => product * n, 1);
  return { name: tensorName(tensor), type, shape, cells, bytes: cells * size };
});

const folder = await mkdtemp(join(tmpdir(), 'memory-'));
const path = join(folder, 'model.safetensors');
const file = await open(path, 'w');
await file.write(safetensorsHead(tensors, { format: 'pt' }));
for (const { cells } of tensors) {
  const values = type === 'F32' ? new Float32Array(cells) : new Uint16Array(cells);
  // Numbers below 1 in both types, none of them 0.
  for (let i = 0; i < cells; i++) values[i] = type === 'F32' ? 0.001 + (i % 997) / 997 : 0x3000 + (i % 997);
  await file.write(new Uint8Array(values.buffer));
}
await file.close();
const stored = tensors.reduce((sum, { bytes }) => sum + bytes, 0);
const inMemory = tensors.reduce((sum, { cells }) => sum + 4 * cells, 0);

// Opens the file while a timer samples the memory every 2 ms.
globalThis.gc?.();
const before = process.memoryUsage();
let max = { rss: 0, arrayBuffers: 0 };
const sample = (): void => {
  const { rss, arrayBuffers } = process.memoryUsage();
  max = { rss: Math.max(max.rss, rss), arrayBuffers: Math.max(max.arrayBuffers, arrayBuffers) };
};
const timer = setInterval(sample, 2);
const job = new ServiceJob({ now: () => performance.now() });
const models = new ImportedModels({ fetch: (url, init) => fetch(url, init), cache: new RemoteCache() });
const named = async (name: string, from: string | Blob): Promise<File> =>
  new File([typeof from === 'string' ? new Blob([from]) : from], name);
const files = [
  await named('config.json', configText),
  await named('tokenizer.json', JSON.stringify(byteTokenizer())),
  await named('model.safetensors', await openAsBlob(path)),
];
const began = performance.now();
const { id } = await models.import({ kind: 'files', files, folder: 'random' }, { isSaved: false }, job);
const seconds = (performance.now() - began) / 1000;
clearInterval(timer);
sample();
const { weights } = await models.load(id, job);
await rm(folder, { recursive: true });

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
const largest = tensors.reduce((most, { cells }) => Math.max(most, 4 * cells), 0);
const arrays = max.arrayBuffers - before.arrayBuffers;
const rss = max.rss - before.rss;
console.log(
  `${type}: file ${mb(stored)}, weights in memory ${mb(inMemory)}, largest tensor ${mb(largest)}, ${weights.blocks.length} blocks`,
);
console.log(
  `arrays at most ${mb(arrays)}: ${(arrays / inMemory).toFixed(2)} times the weights, ${(arrays / stored).toFixed(2)} times the file`,
);
console.log(
  `process at most ${mb(rss)} more than before: ${(rss / inMemory).toFixed(2)} times the weights; ${seconds.toFixed(1)} s`,
);
