import { expect, it } from 'vitest';
import { ggufFile } from '../../test/io/gguf.ts';
import { type NamedContent, openedTogether } from '../../test/io/opened.ts';
import { bytesOf, safetensorsFile } from '../../test/io/safetensors.ts';
import { dict, storage, tensor as torchTensor, torchFile } from '../../test/io/torch.ts';

const tensors = (name: string, content: Readonly<Record<string, number>>): NamedContent => [
  name,
  safetensorsFile(
    Object.fromEntries(
      Object.entries(content).map(([tensor, value]) => [
        tensor,
        { dtype: 'F32', shape: [1, 1], bytes: bytesOf(Float32Array.of(value)) },
      ]),
    ),
  ),
];
const mtx = (name: string, value: number): NamedContent => [
  name,
  `%%MatrixMarket matrix array real general\n1 1\n${value}\n`,
];
const ggufShard = (name: string, tensor: string, value: number): NamedContent => [
  name,
  ggufFile([{ name: tensor, kind: 0, shape: [1, 32], bytes: bytesOf(new Float32Array(32).fill(value)) }]),
];

const checkpoint = (name: string, tensor: string, value: number): NamedContent => [
  name,
  torchFile(dict({ [tensor]: torchTensor(storage('0', 2), 0, [1, 2], [2, 1]) }), { 0: Float32Array.of(value, 0) }),
];

const CONFIG: NamedContent = ['config.json', '{"hidden_size": 1}'];
const SHARD_1 = tensors('model-00001-of-00002.safetensors', { 'layers.0': 1, 'layers.2': 3 });
const SHARD_2 = tensors('model-00002-of-00002.safetensors', { 'layers.1': 2 });
const INDEX: NamedContent = [
  'model.safetensors.index.json',
  JSON.stringify({ weight_map: { 'layers.0': SHARD_1[0], 'layers.1': SHARD_2[0] } }),
];
/** Files next to a model that contain no matrix. */
const OTHER_FILES = ['README.md', 'tokenizer.json', 'merges.txt', 'vocab.json'].map((name): NamedContent => [
  name,
  'x',
]);

/** A file without the last byte of its last tensor. */
const TRUNCATED = safetensorsFile({
  a: { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(1) },
  b: { dtype: 'U8', shape: [1, 2], bytes: Uint8Array.of(2, 3) },
}).slice(0, -1);

const SETS: readonly (readonly NamedContent[])[] = [
  // Shards without an index are one list of tensors, and so is a GGUF file that was split.
  [SHARD_2, SHARD_1],
  [CONFIG, SHARD_2, SHARD_1],
  [
    tensors('w-3-of-3.safetensors', { b: 2 }),
    tensors('v-2-of-3.safetensors', { a: 5 }),
    tensors('w-1-of-3.safetensors', { a: 1 }),
  ],
  [ggufShard('w-00001-of-00002.gguf', 'a', 1), ggufShard('w-00002-of-00002.gguf', 'b', 2)],
  [checkpoint('pytorch_model-00001-of-00002.bin', 'a', 1), checkpoint('pytorch_model-00002-of-00002.bin', 'b', 2)],
  [
    ['pytorch_model.bin.index.json', '{"weight_map":{"a":"one.bin","b":"two.bin"}}'],
    checkpoint('two.bin', 'b', 2),
    checkpoint('one.bin', 'a', 1),
  ],
  [checkpoint('optimizer.pt', 'a', 1), tensors('w.safetensors', { a: 4 })],
  // Two shards with the same tensor, and one that is broken.
  [SHARD_1, tensors(SHARD_2[0], { 'layers.0': 2 })],
  [SHARD_1, [SHARD_2[0], 'safe']],
  // Files without a matrix are skipped.
  [mtx('one.mtx', 7), mtx('two.mtx', 8)],
  [CONFIG, tensors('w.safetensors', { a: 4 })],
  [...OTHER_FILES, ['empty.mtx', ''], ['w.unknown', '1,2\n3,4\n']],
  [['.DS_Store', 'x'], ['._one.mtx', 'x'], mtx('one.mtx', 7)],
  [CONFIG, SHARD_1, SHARD_2, INDEX],
  [
    ['m.safetensors.index.json', '{"weight_map":{"a":"m.safetensors","b":"m.safetensors"}}'],
    ['m.safetensors', TRUNCATED],
  ],
  [CONFIG, ['a.md', 'x']],
];

it('several files opened at once have the matrices, tensors, notes and errors of the snapshot', async () => {
  await expect(await openedTogether(SETS)).toMatchFileSnapshot('words/opened-together.txt');
});
