// The bits that a model needs for a user's text.

import { describe, expect, it } from 'vitest';
import { threadDecoders } from '../../test/fake-decoders.ts';
import { ARCHITECTURES, filesOf, makeModel, pickedFiles } from '../../test/models/make.ts';
import { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { ImportedModels } from '../../models/imported-models.ts';
import { LoadedModels } from '../../models/loaded-models.ts';
import { RemoteCache } from '../../../../src/io/web/remote-cache.ts';
import { cpuDecoder } from '../../decoders/cpu/cpu-decoder.ts';
import { blockMatrices } from '../../decoders/decoder.ts';
import { oracleLogits } from '../../decoders/oracle/oracle.ts';
import { bitsOf } from '../../decoders/sampling.ts';
import { tokenBits } from '../../decoders/token-bits.ts';
import { UNCHANGED, type Recipe } from '../../decoders/stored/recipe.ts';
import { UserTextMeasurer } from './user-text.ts';

const now = (): number => performance.now();
const pace = { now, pause: () => Promise.resolve() };
const job = (): ServiceJob => new ServiceJob({ now });
const TEXT = 'A text of somebody, which is longer than what the model can read at once. '.repeat(3);

/** An imported model of an architecture, whose decoders report that they run at `where`. */
async function importedModel(architecture: string, where: 'cpu' | 'gpu', config: object = {}) {
  const model = makeModel({ ...ARCHITECTURES[architecture], ...config }, 11);
  const fetch = (): Promise<Response> => Promise.reject(new Error('nothing is fetched'));
  const imported = new ImportedModels({ fetch, cache: new RemoteCache() });
  const { id } = await imported.import(pickedFiles(filesOf(model)), { isSaved: false }, job());
  const models = new LoadedModels({ ...pace, fetch, imported });
  return { address: { id, url: id }, models, measurer: new UserTextMeasurer(models, pace, threadDecoders(where)) };
}

describe('a user’s text', () => {
  it.each([
    ['llama', 'cpu', {}],
    ['llama', 'gpu', {}],
    ['opt', 'cpu', {}],
    ['qwen2', 'cpu', { bos_token_id: null }],
  ] as const)(
    'has the bits of the oracle’s pieces: %s on the %s with the changes %o',
    async (architecture, where, config) => {
      const { address, models, measurer } = await importedModel(architecture, where, config);
      const { config: modelConfig, weights, tokenizer } = await models.load(address, job());
      const quality = await measurer.measure(job(), { model: address, recipe: UNCHANGED, text: TEXT });
      const bos = modelConfig.bos === null ? [] : [modelConfig.bos];
      const ids = tokenizer.encode(TEXT);
      const length = modelConfig.context - bos.length;
      let bits = 0;
      let predicted = 0;
      for (let from = 0; from < ids.length; from += length) {
        const piece = [...bos, ...ids.slice(from, from + length)];
        const logits = oracleLogits(modelConfig, weights, piece);
        for (let i = 1; i < piece.length; i++) {
          const row = Float32Array.from(logits.subarray((i - 1) * modelConfig.vocabulary, i * modelConfig.vocabulary));
          bits += bitsOf(row, piece[i]);
          predicted++;
        }
      }
      // Each token of these models is one byte.
      expect(quality).toMatchObject({
        bytes: predicted,
        tokens: predicted,
        pieces: Math.ceil(ids.length / length),
        where,
      });
      expect(Math.abs(quality.bits / bits - 1)).toBeLessThan(1e-5);
    },
  );

  it('counts all bytes except for the first token of each piece, also if that token is a part of a letter', async () => {
    const { address, measurer } = await importedModel('qwen2', 'cpu', { bos_token_id: null });
    const text = '\u65e5\u672c na\u00efve \ud83d\ude00 \u2014 '.repeat(15);
    const { bytes, tokens } = await measurer.measure(job(), { model: address, recipe: UNCHANGED, text });
    // Each token is a byte.
    expect(bytes).toBe(tokens);
  });

  it('has other bits under a pruned model; a text that is too short is rejected, and a job can be cancelled', async () => {
    const { address, measurer } = await importedModel('llama', 'cpu');
    const measure = (recipe: Parameters<typeof measurer.measure>[1]['recipe'], text = TEXT) =>
      measurer.measure(job(), { model: address, recipe, text });
    const pruned = await measure({ pruning: { way: 'magnitude', density: 0.3 }, valueType: 'f16' });
    expect(pruned.bits).not.toBeCloseTo((await measure(UNCHANGED)).bits, 1);
    await expect(measure(UNCHANGED, 'short')).rejects.toThrow('text: found 5 characters, expected 200 to 20000');
    const cancelled = job();
    cancelled.cancel();
    const request = { model: address, recipe: UNCHANGED, text: TEXT };
    await expect(measurer.measure(cancelled, request)).rejects.toThrow(/ancelled/);
  });

  it.each(['llama', 'opt'])(
    'measures the extra bits of each layer, kind and matrix of %s if it alone is pruned',
    async (architecture) => {
      const { address, models, measurer } = await importedModel(architecture, 'cpu');
      const lost = new Map<string, number>();
      const request = { model: address, text: TEXT, density: 0.3 };
      const { tokens, bits } = await measurer.parts(job(), request, ({ layer, kind }, extraBits) => {
        lost.set(`${layer} ${kind}`, extraBits);
      });
      const { config, weights } = await models.load(address, job());
      const kinds = blockMatrices(config).length;
      const matrices = config.layers * kinds;
      // Each layer, each kind of matrix in all layers, and each single matrix.
      expect(lost.size).toBe(config.layers + kinds + matrices);
      expect(tokens).toBe(config.context - 1);
      // One matrix in a second way: as a model with a custom pruning of this matrix, which the decoder reads.
      const recipe: Recipe = { ...UNCHANGED, own: [{ layer: 1, name: 'up', pruning: { way: 'rows', density: 0.3 } }] };
      const pruned = await models.pruned(await models.load(address, job()), recipe, job());
      const ids = (await models.load(address, job())).tokenizer.encode(TEXT).slice(0, tokens);
      const bitsUnder = async (modelWeights: typeof weights): Promise<number> =>
        (await tokenBits(cpuDecoder(config, modelWeights), ids)).reduce((sum, tokenBits) => sum + tokenBits, 0);
      const dense = await bitsUnder(weights);
      expect(Math.abs(bits / dense - 1)).toBeLessThan(1e-5);
      expect(lost.get('1 up')).toBeCloseTo((await bitsUnder(pruned)) - dense, 2);
    },
  );
});
