import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { byteTokenizer } from '../../../test/decoders.ts';
import { ARCHITECTURES, concatenated, makeModel, sharded } from '../../../test/models/make.ts';
import { finish } from '../../core/job.ts';
import { fileSource } from '../../io/source.ts';
import { type ModelFolder, openModel } from '../open/open-model.ts';
import { oracleLogits } from '../oracle/oracle.ts';
import { readAllWeights } from '../read/decoder-weights.ts';
import { BLOCK_MATRICES } from '../decoder.ts';
import { modelFile } from './save-model.ts';
import { AS_IT_IS, type Recipe } from './recipe.ts';
import { storeModelSteps } from './store-model.ts';

type Files = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

const json = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));
const quiet = () => ({ report: () => {}, cancelled: false });
const FROM = { model: 'tiny', from: 'this computer', sha256: null, date: '2026-11-23T05:00:00.000Z' };
const IDS = [0, 7, 99, 31, 200];
const HALF: Recipe = { pruning: { way: 'magnitude', density: 0.5 }, valueType: 'f16' };
/** One matrix of three that GPT-2 stores as one is rounded. */
const OWN: Recipe = {
  ...AS_IT_IS,
  own: [
    { layer: 0, name: 'k', valueType: 'i8' },
    { layer: 1, name: 'up', pruning: { way: 'magnitude', density: 0.3 } },
  ],
};

function folderOf(files: Files): ModelFolder {
  const file = async (name: string) => (name in files ? fileSource({ name, bytes: files[name] }) : null);
  return { from: 'this computer', name: 'tiny', main: null, file };
}

const filesOf = (architecture: string): Files => {
  const model = makeModel(ARCHITECTURES[architecture], 5);
  return { 'config.json': json(model.config), 'tokenizer.json': json(byteTokenizer()), ...sharded(model) };
};

async function saved(files: Files, recipe: Recipe, job = quiet()) {
  const opened = await openModel(folderOf(files), job);
  const whole = await readAllWeights(opened.config, opened.weights, job);
  const isAsItIs = recipe === AS_IT_IS;
  const weights = isAsItIs ? whole : finish(storeModelSteps(opened.config, whole, recipe)).weights;
  const file = modelFile(opened, recipe, FROM);
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.chunks(weights, job)) chunks.push(chunk.slice());
  const zip = concatenated(chunks);
  return { file, zip, chunks, weights, config: opened.config, files: unzipSync(zip) as Files };
}

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

function headerOf(bytes: Uint8Array<ArrayBuffer>) {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const { __metadata__: metadata, ...tensors } = JSON.parse(
    new TextDecoder().decode(bytes.subarray(8, 8 + length)),
  ) as Record<string, Entry>;
  return { length, metadata: metadata as unknown as Record<string, string>, tensors };
}

describe('a whole model that is saved', () => {
  test.each([
    ['llama', HALF],
    ['qwen2', { ...HALF, valueType: 'i4' }],
    ['mistral', { ...HALF, valueType: 'i8' }],
    ['opt', HALF],
    ['gpt2', HALF],
    ['gpt2', AS_IT_IS],
    ['gpt2', OWN],
    ['llama', OWN],
  ] as const)('%s opens again with the same logits bit for bit: %o', async (architecture, recipe) => {
    const before = filesOf(architecture);
    const { files, weights, config } = await saved(before, recipe);
    const opened = await openModel(folderOf(files), quiet());
    const again = await readAllWeights(opened.config, opened.weights, quiet());
    // Readers give a zero no sign.
    for (const [layer, { matrices }] of again.blocks.entries()) {
      for (const name of BLOCK_MATRICES) {
        expect(matrices[name].every((cell, i) => cell === weights.blocks[layer].matrices[name][i])).toBe(true);
      }
    }
    expect(again.embedding).toEqual(weights.embedding);
    expect(again.positions).toEqual(weights.positions);
    expect(oracleLogits(opened.config, again, IDS)).toEqual(oracleLogits(config, weights, IDS));
    expect(files['tokenizer.json']).toEqual(before['tokenizer.json']);
  });

  test('names and shapes are those of the file, what no model reads of a tensor included', async () => {
    for (const architecture of ['opt', 'gpt2', 'llama']) {
      const { files } = await saved(filesOf(architecture), HALF);
      const { tensors } = headerOf(files['model.safetensors']);
      const made = makeModel(ARCHITECTURES[architecture], 5).tensors;
      expect(Object.keys(tensors).toSorted()).toEqual([...made.keys()].toSorted());
      for (const [name, { shape }] of made) expect(tensors[name].shape).toEqual(shape);
    }
  });

  test('the layout keeps the rules of safetensors', async () => {
    const { files } = await saved(filesOf('llama'), HALF);
    const bytes = files['model.safetensors'];
    const { length, metadata, tensors } = headerOf(bytes);
    expect(bytes[8]).toBe('{'.charCodeAt(0));
    expect(length % 8).toBe(0);
    let at = 0;
    for (const { dtype, shape, data_offsets: offsets } of Object.values(tensors)) {
      const size = dtype === 'F32' ? 4 : 2;
      expect(offsets).toEqual([at, at + size * shape.reduce((product, n) => product * n, 1)]);
      expect(offsets[0] % size).toBe(0);
      [, at] = offsets;
    }
    // No gap and nothing behind the last one.
    expect(8 + length + at).toBe(bytes.length);
    for (const value of Object.values(metadata)) expect(typeof value).toBe('string');
    expect(JSON.parse(metadata.recipe)).toEqual(HALF);
  });

  test('what is rounded with a scale is f32, so that nothing is rounded twice', async () => {
    const { files } = await saved(filesOf('llama'), { ...HALF, valueType: 'i4' });
    expect(headerOf(files['model.safetensors']).tensors['model.layers.0.mlp.up_proj.weight'].dtype).toBe('F32');
    expect(JSON.parse(new TextDecoder().decode(files['config.json']))).toMatchObject({ torch_dtype: 'float32' });
  });

  test('the manifest says what is left of every matrix, and the size is known before', async () => {
    const { file, zip, files } = await saved(filesOf('llama'), HALF);
    const manifest = JSON.parse(new TextDecoder().decode(files['manifest.json'])) as {
      matrices: { name: string; density: number }[];
    };
    expect(manifest).toMatchObject({ ...FROM, recipe: HALF, version: 1 });
    expect(manifest.matrices).toHaveLength(14);
    expect(manifest.matrices[0]).toMatchObject({ name: 'model.layers.0.self_attn.q_proj.weight', density: 0.5 });
    // Counts of weights, whose digits are not known before.
    expect(Math.abs(zip.length - file.bytes)).toBeLessThan(64);
    expect(JSON.parse(new TextDecoder().decode(files['config.json']))).toMatchObject({
      _name_or_path: 'tiny magnitude 0.5',
    });
  });

  test('it is cancelled between two tensors', async () => {
    const opened = await openModel(folderOf(filesOf('llama')), quiet());
    const weights = await readAllWeights(opened.config, opened.weights, quiet());
    let reported = 0;
    const job = {
      report: () => void reported++,
      get cancelled() {
        return reported > 3;
      },
    };
    const all = async (): Promise<void> => {
      for await (const chunk of modelFile(opened, AS_IT_IS, FROM).chunks(weights, job)) expect(chunk).toBeDefined();
    };
    await expect(all()).rejects.toThrow(expect.objectContaining({ name: 'CancelledError' }));
    expect(reported).toBe(4);
  });
});
