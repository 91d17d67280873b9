import { MODEL_BOUNDS } from '../../core/bounds/bounds.ts';
import { withVisibleSigns } from '../../core/errors.ts';
import type { Experts, LatentAttention, MatrixName, ModelShape } from './model-shape.ts';

const BIASES: readonly MatrixName[] = ['q', 'k', 'v', 'o', 'gate', 'up', 'down'];

/**
 * The sizes of a model as text, so that a link to it needs no file and no server:
 * 'hidden-intermediate-layers-heads-kvHeads-headDim-vocabulary', then '-tied' and '-ungated' if so, '-positions1024'
 * for learned positions, '-experts' (count, active, width, shared, dense) and '-latent' (q, kv, rope, value), whose
 * numbers are joined by 'x', a '+' before each matrix that has a bias, and a ':' before the name.
 */
export function sizesText(model: ModelShape): string {
  const { hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary, tied, gated, positions, biases, name } =
    model;
  const { experts: e, latent: l } = model;
  const sizes = [hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary].join('-');
  const flags = `${tied ? '-tied' : ''}${gated ? '' : '-ungated'}${positions === 0 ? '' : `-positions${positions}`}`;
  const experts = e ? `-experts${[e.count, e.active, e.width, e.shared, e.dense].join('x')}` : '';
  const latent = l ? `-latent${[l.q, l.kv, l.rope, l.value].join('x')}` : '';
  return `${sizes}${flags}${experts}${latent}${biases.map((bias) => `+${bias}`).join('')}:${name.slice(0, MODEL_BOUNDS.name)}`;
}

/** The model that `sizesText` wrote; null for any other text. */
export function modelOfSizes(text: string): ModelShape | null {
  const match =
    /^(\d{1,8}(?:-\d{1,8}){6})(-tied)?(-ungated)?(?:-positions(\d{1,8}))?(?:-experts(\d{1,8}(?:x\d{1,8}){4}))?(?:-latent(\d{1,8}(?:x\d{1,8}){3}))?((?:\+[a-z]+)*):(.+)$/su.exec(
      text,
    );
  if (!match) return null;
  const [, sizesPart, tied, ungated, positionsText = '0', expertsText, latentText, biasText, name] = match;
  const sizes = sizesPart.split('-').map(Number);
  const biases = BIASES.filter((bias) => biasText.split('+').includes(bias));
  const positions = Number(positionsText);
  const areSizes = sizes.every(isSize) && positions <= MODEL_BOUNDS.size;
  const [hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary] = sizes;
  const areHeads = heads % kvHeads === 0 && heads * headDim <= MODEL_BOUNDS.size;
  const areBiases = biasText === '' || biases.length === biasText.split('+').length - 1;
  if (!areSizes || !areHeads || !areBiases || name.length > MODEL_BOUNDS.name) return null;
  const experts = expertsText === undefined ? null : expertsOf(expertsText, layers);
  const latent = latentText === undefined ? null : latentOf(latentText, heads, headDim);
  if ((expertsText !== undefined && !experts) || (latentText !== undefined && !latent)) return null;
  return {
    name: withVisibleSigns(name),
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
    ...(experts && { experts }),
    ...(latent && { latent }),
  };
}

function isSize(size: number): boolean {
  return size >= 1 && size <= MODEL_BOUNDS.size;
}

function expertsOf(text: string, layers: number): Experts | null {
  const [count, active, width, shared, dense] = text.split('x').map(Number);
  const areSizes = [count, active, width].every(isSize) && shared <= MODEL_BOUNDS.size;
  return areSizes && active <= count && dense < layers ? { count, active, width, shared, dense } : null;
}

function latentOf(text: string, heads: number, headDim: number): LatentAttention | null {
  const [q, kv, rope, value] = text.split('x').map(Number);
  const areSizes = [kv, rope, value].every(isSize) && q <= MODEL_BOUNDS.size && rope <= headDim;
  return areSizes && heads * (headDim + value) <= MODEL_BOUNDS.size ? { q, kv, rope, value } : null;
}
