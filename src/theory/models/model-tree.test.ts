import { describe, expect, it } from 'vitest';
import { MatrixError } from '../../core/errors.ts';
import { matricesOf, embeddingWeights, weightsOf } from './model-shape.ts';
import { KNOWN_MODELS } from './known-models.ts';
import {
  findPosition,
  largestMatrix,
  matricesIn,
  modelId,
  neighbours,
  positionText,
  searchPaths,
  shareText,
} from './model-tree.ts';

/** The message with which a path is rejected. */
function rejection(written: Parameters<typeof findPosition>[0]): string {
  try {
    findPosition(written);
  } catch (error) {
    if (error instanceof MatrixError) return error.message;
    throw error;
  }
  return '';
}

describe('findPosition', () => {
  it('finds a matrix with its shape, bytes, share and tensor', () => {
    const { model, level, path, matrix } = findPosition({ model: 'llama-3.1-8b', layer: 12, matrix: 'down' });
    expect(level).toBe('matrix');
    expect(path).toEqual({ model: 'llama-3.1-8b', layer: 12, matrix: 'down' });
    expect(positionText(model, matrix)).toBe('Llama-3.1-8B › layer 12 › down_proj');
    expect([matrix.rows, matrix.cols, matrix.bytes]).toEqual([4096, 14336, 117_440_512]);
    expect(matrix.tensor).toBe('model.layers.12.mlp.down_proj.weight');
    expect(shareText(matrix)).toBe('32 of them, 23\u202f% of the model');
  });

  it('finds lm_head without a layer, under the name that the file stores it by', () => {
    const { model, path, matrix } = findPosition({ model: 'llama-3.1-8b', matrix: 'lm_head' });
    expect(path).toEqual({ model: 'llama-3.1-8b', matrix: 'lm_head' });
    expect(positionText(model, matrix)).toBe('Llama-3.1-8B › lm_head');
    expect(matrix.tensor).toBe('lm_head.weight');
    expect(shareText(matrix)).toBe('one, 7\u202f% of the model');
    expect(findPosition({ model: 'gemma-2-9b', matrix: 'lm_head' }).matrix.tensor).toBe('model.embed_tokens.weight');
  });

  it('shows the matrix with the most bytes at the level of a model or a layer', () => {
    const path = (written: Parameters<typeof findPosition>[0]) => findPosition(written).path;
    expect(findPosition({ model: 'llama-3.1-8b' }).level).toBe('model');
    expect(path({ model: 'llama-3.1-8b' })).toEqual({ model: 'llama-3.1-8b', layer: 0, matrix: 'down' });
    expect(findPosition({ model: 'llama-3.1-8b', layer: 7 }).level).toBe('layer');
    expect(path({ model: 'llama-3.1-8b', layer: 7 })).toEqual({ model: 'llama-3.1-8b', layer: 7, matrix: 'down' });
    // Its vocabulary is larger than all of its blocks.
    expect(path({ model: 'qwen2.5-0.5b' })).toEqual({ model: 'qwen2.5-0.5b', matrix: 'lm_head' });
  });

  it('finds the matrices of a model that is not listed, by an id that states its sizes', () => {
    const model = { ...KNOWN_MODELS[0], name: 'another', layers: 3 };
    const id = modelId(model);
    const position = findPosition({ model: id, layer: 2, matrix: 'up' });
    expect(position.model).toEqual(model);
    expect(position.path).toEqual({ model: id, layer: 2, matrix: 'up' });
    expect(rejection({ model: id, layer: 3 })).toBe('layer of another: found 3, expected a whole number from 0 to 2');
  });

  it('rejects a model, a layer or a matrix that does not exist, with the existing ones', () => {
    expect(rejection({ model: 'llama-9' })).toMatch(
      /^model: found 'llama-9', expected one of llama-2-7b, .*, gpt-2, twell-0.5b, .*, tales, tales-relu, tales-pruned, tales-small$/,
    );
    expect(rejection({ model: 'llama-3.1-8b', layer: 32 })).toBe(
      'layer of Llama-3.1-8B: found 32, expected a whole number from 0 to 31',
    );
    expect(rejection({ model: 'llama-3.1-8b', layer: 0.5 })).toContain('found 0.5, expected a whole number');
    expect(rejection({ model: 'gpt-2', layer: 0, matrix: 'gate' })).toBe(
      "matrix of GPT-2: found 'gate', expected one of q, k, v, o, up, down, lm_head",
    );
    expect(rejection({ model: 'gpt-2', layer: 0, matrix: 'lm_head' })).toBe(
      'matrix of GPT-2: found lm_head in layer 0, expected it without a layer',
    );
    expect(rejection({ model: '__proto__' })).toContain("found '__proto__', expected one of");
    expect(rejection({ model: 'gpt-2', matrix: 'constructor' })).toContain("found 'constructor'");
  });
});

describe('the tree of every known model', () => {
  it('has a unique id of letters, digits, points and hyphens', () => {
    const ids = KNOWN_MODELS.map(modelId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9.-]+$/);
  });

  it('has matrices whose bytes add up to the bytes of all weights except for embeddings', () => {
    for (const model of KNOWN_MODELS) {
      const bytes = matricesIn(model).reduce((sum, matrix) => sum + matrix.bytes * matrix.count, 0);
      expect(bytes).toBe(2 * (weightsOf(model) - embeddingWeights(model)));
    }
  });

  it('leads back from every path to the same matrix', () => {
    for (const model of KNOWN_MODELS) {
      for (const matrix of matricesIn(model)) {
        const { path, matrix: atPath } = findPosition({
          model: modelId(model),
          matrix: matrix.name,
          ...(matrix.layer === null ? {} : { layer: matrix.count < model.layers ? matrix.layer : model.layers - 1 }),
        });
        expect(findPosition(path).path).toEqual(path);
        expect([atPath.rows, atPath.cols]).toEqual([matrix.rows, matrix.cols]);
      }
    }
  });

  it('names no tensor in models without a gate, or with experts, whose files name tensors differently', () => {
    const ungated = KNOWN_MODELS.filter(({ gated }) => !gated);
    expect(ungated.map(({ name }) => name)).toEqual(['OPT-6.7B', 'GPT-2']);
    for (const model of [...ungated, ...KNOWN_MODELS.filter(({ experts }) => experts)])
      for (const { tensor } of matricesIn(model)) expect(tensor).toBeNull();
  });
});

it('largestMatrix is the last of those with the most bytes', () => {
  for (const model of KNOWN_MODELS) {
    const max = Math.max(...matricesOf(model).map(({ rows, cols, count }) => rows * cols * count));
    const { rows, cols, count } = largestMatrix(model);
    expect(rows * cols * count).toBe(max);
    expect(largestMatrix(model, 0).name).toBe(model.experts?.dense === 0 ? 'expert_down' : 'down');
  }
});

describe('neighbours', () => {
  const gateOfLastLayer = findPosition({ model: 'llama-3.1-70b', layer: 79, matrix: 'gate' });

  it('lists the layers of the model, with the same matrix', () => {
    const layers = neighbours(gateOfLastLayer, 'layer');
    expect(layers.length).toBe(80);
    expect(layers[3]).toEqual({ model: 'llama-3.1-70b', layer: 3, matrix: 'gate' });
  });

  it('lists the matrices of the layer, and lm_head', () => {
    expect(neighbours(gateOfLastLayer, 'matrix').map(({ layer, matrix }) => [matrix, layer])).toEqual([
      ['q', 79],
      ['k', 79],
      ['v', 79],
      ['o', 79],
      ['gate', 79],
      ['up', 79],
      ['down', 79],
      ['lm_head', undefined],
    ]);
  });

  it('lists the matrices that a layer of a mixture has', () => {
    const namesIn = (layer: number) =>
      neighbours(findPosition({ model: 'deepseek-v2-lite', layer }), 'matrix').map(({ matrix }) => matrix);
    expect(namesIn(0)).toEqual(['q', 'kv_a', 'kv_b', 'o', 'gate', 'up', 'down', 'lm_head']);
    expect(namesIn(3)).toContain('expert_down');
    const layers = neighbours(findPosition({ model: 'deepseek-v2-lite', matrix: 'expert_up' }), 'layer');
    expect(layers.slice(0, 2).map(({ matrix }) => matrix)).toEqual(['down', 'expert_up']);
  });

  it('lists every model, at the path nearest to the given one', () => {
    const models = neighbours(gateOfLastLayer, 'model');
    expect(models.map(({ model }) => model)).toEqual(KNOWN_MODELS.map(modelId));
    expect(models.find(({ model }) => model === 'llama-3.1-8b')).toEqual({
      model: 'llama-3.1-8b',
      layer: 31,
      matrix: 'gate',
    });
    expect(models.find(({ model }) => model === 'gpt-2')).toEqual({ model: 'gpt-2', layer: 11, matrix: 'down' });
    for (const path of models) expect(findPosition(path).path).toEqual(path);
  });

  it('lists layers and their matrices for lm_head, too, which is in no layer', () => {
    const head = findPosition({ model: 'llama-3.1-8b', matrix: 'lm_head' });
    expect(neighbours(head, 'layer')[5]).toEqual({ model: 'llama-3.1-8b', layer: 5, matrix: 'down' });
    expect(neighbours(head, 'matrix')[0]).toEqual({ model: 'llama-3.1-8b', layer: 0, matrix: 'q' });
    expect(neighbours(head, 'model').every(({ matrix }) => matrix === 'lm_head')).toBe(true);
  });
});

describe('searchPaths', () => {
  const search = (words: string): readonly string[] =>
    searchPaths(words).map(({ model, layer, matrix }) =>
      [model, layer, matrix].filter((p) => p !== undefined).join(' '),
    );

  it('finds models, layers and matrices by words in any order', () => {
    expect(search('llama 8b down')).toEqual(['llama-3.1-8b 0 down']);
    expect(search('down_proj Llama-3.1 layer 12')).toEqual(['llama-3.1-8b 12 down', 'llama-3.1-70b 12 down']);
    expect(search('qwen3')).toEqual(['qwen3-8b', 'qwen3-30b-a3b']);
    expect(search('Llama-3.1-8B › layer 12')).toEqual(['llama-3.1-8b 12']);
    expect(search('gpt l11 o')).toEqual(['gpt-2 11 o']);
    expect(search('gemma head')).toEqual(['gemma-2-9b lm_head']);
  });

  it('finds every model for no words, and nothing for a matrix, a layer or a name that no model has', () => {
    expect(search(' ')).toEqual(KNOWN_MODELS.map(modelId));
    expect(search('gpt gate')).toEqual([]);
    expect(search('gpt layer 12')).toEqual([]);
    expect(search('bert')).toEqual([]);
    expect(search('llama lm_head layer 3')).toEqual([]);
  });

  it('finds only paths that exist', () => {
    for (const words of ['', 'q', 'layer 11', 'lm_head', 'down l3']) {
      for (const path of searchPaths(words)) expect(findPosition(path).path).toMatchObject(path);
    }
  });
});
