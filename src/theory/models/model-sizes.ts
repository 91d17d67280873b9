import { MODEL_BOUNDS } from '../../core/bounds/bounds.ts';
import { seen } from '../../core/errors.ts';
import type { MatrixName, ModelShape } from './model-shape.ts';

const BIASES: readonly MatrixName[] = ['q', 'k', 'v', 'o', 'gate', 'up', 'down'];

/**
 * A model by its sizes, so that a link to it needs no file and no server:
 * 'hidden-intermediate-layers-heads-kvHeads-headDim-vocabulary', then '-tied' and '-ungated' if so, '-positions1024'
 * for learned positions, each matrix with a bias after a '+', and the name after a ':'.
 */
export function sizesText(model: ModelShape): string {
  const { hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary, tied, gated, positions, biases, name } =
    model;
  const sizes = [hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary].join('-');
  const flags = `${tied ? '-tied' : ''}${gated ? '' : '-ungated'}${positions === 0 ? '' : `-positions${positions}`}`;
  return `${sizes}${flags}${biases.map((bias) => `+${bias}`).join('')}:${name.slice(0, MODEL_BOUNDS.name)}`;
}

/** The model that `sizesText` wrote; null for any other text. */
export function modelOfSizes(text: string): ModelShape | null {
  const found = /^(\d{1,8}(?:-\d{1,8}){6})(-tied)?(-ungated)?(?:-positions(\d{1,8}))?((?:\+[a-z]+)*):(.+)$/su.exec(
    text,
  );
  if (!found) return null;
  const [, written, tied, ungated, positionsText = '0', biasText, name] = found;
  const sizes = written.split('-').map(Number);
  const biases = BIASES.filter((bias) => biasText.split('+').includes(bias));
  const positions = Number(positionsText);
  const areSizes = sizes.every((size) => size >= 1 && size <= MODEL_BOUNDS.size) && positions <= MODEL_BOUNDS.size;
  const [hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary] = sizes;
  const areHeads = heads % kvHeads === 0 && heads * headDim <= MODEL_BOUNDS.size;
  const areBiases = biasText === '' || biases.length === biasText.split('+').length - 1;
  if (!areSizes || !areHeads || !areBiases || name.length > MODEL_BOUNDS.name) return null;
  return {
    name: seen(name),
    hidden,
    intermediate,
    layers,
    heads,
    kvHeads,
    headDim,
    vocabulary,
    gated: ungated === undefined,
    positions,
    tied: tied !== undefined,
    biases,
  };
}
