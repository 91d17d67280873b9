import { densityText } from '../kit/words/shares.ts';
import { matricesOf, multipliedWeights, shapeGroups } from '../theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../theory/models/known-models.ts';
import { publishedAt, publishedRun } from '../theory/models/published-models.ts';
import { BANDWIDTH_WORDS } from './ec-spmv/bandwidth.ts';
import ecSpmv from './ec-spmv/tables.json';
import slideSparse from './slidesparse/tables.json';
import twell from './twell/tables.json';

/** Amdahl’s law: speed-up of a model if matrix products, a `share` of its time, get `gainOfKernel` times as fast. */
export function modelGain(share: number, gainOfKernel: number): number {
  return 1 / (1 - share + share / gainOfKernel);
}

/** The share of a model's time in matrix products that explains the gains of a kernel and of the model. */
export function shareInProducts(gainOfKernel: number, gainOfModel: number): number {
  return (1 - 1 / gainOfModel) / (1 - 1 / gainOfKernel);
}

/** The gain of a kernel that explains the gain of a model with this share of its time in products. */
export function kernelGain(share: number, gainOfModel: number): number {
  return 1 / (1 - (1 - 1 / gainOfModel) / share);
}

/** The gain of a kernel and the gain of a whole model with it. Gains are how many times as fast as dense. */
export interface ModelGain {
  readonly name: string;
  /** id of a format, for its colour */
  readonly format: string;
  /** whether this project measured the gain of the model; else a paper prints it */
  readonly isOurs: boolean;
  /** share of the model's time in the matrix products or, where a paper has no times, an estimate of it */
  readonly share: number;
  readonly gainOfKernel: number;
  /** gain of the model by Amdahl’s law */
  readonly predicted: number;
  readonly gainOfModel: number;
  /** the gain of the kernel is computed from its bytes: none was timed */
  readonly isByBytes?: true;
}

/** Gains from one source; `how`: where the shares and the kernels' gains come from. */
export interface GainGroup {
  readonly title: string;
  readonly how: string;
  readonly points: readonly ModelGain[];
}

/** A gain that a paper prints, with the prediction of Amdahl’s law. */
export function gainWithPrediction(
  name: string,
  format: string,
  share: number,
  gainOfKernel: number,
  gainOfModel: number,
): ModelGain {
  const predicted = modelGain(share, gainOfKernel);
  return { name, format, isOurs: false, share, gainOfKernel, predicted, gainOfModel };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Share of a model's weights in matrices `names` (null: all but the head), to estimate their share of its time. */
function weightShare(name: string, names: readonly string[] | null): number {
  const model = KNOWN_MODELS.find((one) => one.name === name);
  if (model === undefined) return Number.NaN;
  const counted = matricesOf(model).filter((one) =>
    names === null ? !one.names.includes('lm_head') : one.names.some((matrix) => names.includes(matrix)),
  );
  return counted.reduce((sum, { rows, cols, count }) => sum + rows * cols * count, 0) / multipliedWeights(model);
}

/** Densities at which the authors of MACKO timed its kernel on an RTX 4090. */
const MACKO_DENSITIES = [0.5, 0.3, 0.1] as const;

/** Microseconds at these densities, by ROWSxCOLS of Llama-2-7B: vlejd/macko_spmv, commit afa70330, results_16bit. */
const MACKO_US: Readonly<Record<string, Readonly<Record<'dense' | 'macko', readonly number[]>>>> = {
  '4096x4096': { dense: [59, 59, 60], macko: [37, 25, 15] },
  '11008x4096': { dense: [120, 120, 120], macko: [90, 58, 31] },
  '4096x11008': { dense: [122, 122, 122], macko: [88, 56, 28] },
  '32000x4096': { dense: [295, 296, 296], macko: [232, 151, 69] },
};

function macko(): GainGroup {
  const run = publishedRun('https://arxiv.org/abs/2511.13061', 'Llama-2-7B');
  const model = KNOWN_MODELS.find(({ name }) => name === 'Llama-2-7B');
  const groups = model ? shapeGroups(model, { keepHead: true }) : [];
  return {
    title: 'MACKO, Llama-2-7B on RTX 4090, table 1',
    how: 'The gain of the kernel and the share are from times that MACKO’s authors measured on the model’s shapes.',
    points: MACKO_DENSITIES.flatMap((density, i) => {
      const sum = (part: 'block' | 'head', kernel: 'dense' | 'macko'): number =>
        groups
          .filter(({ keptDense }) => keptDense === (part === 'head')) // `keepHead`: the head stays dense
          .reduce((us, { rows, cols, count }) => us + count * MACKO_US[`${rows}x${cols}`][kernel][i], 0);
      const [denseUs, mackoUs] = [sum('block', 'dense'), sum('block', 'macko')];
      const point = run && publishedAt(run, density);
      const name = `MACKO, ${densityText(density)} left`;
      const gain = point && point.tokensPerSecond / point.denseTokensPerSecond;
      return gain
        ? [gainWithPrediction(name, 'macko', denseUs / (denseUs + sum('head', 'dense')), denseUs / mackoUs, gain)]
        : [];
    }),
  };
}

function twellModels(): GainGroup {
  const sparse = twell.tables.scales.rows.filter(({ l1 }) => l1 > 0);
  const shares = sparse.map(({ parameters }) => weightShare(`TwELL ${parameters}B`, ['gate', 'up', 'down']));
  const gains = sparse.map(({ forwardChange }) => 1 + forwardChange / 100);
  const gainOfKernel = mean(gains.map((gain, i) => kernelGain(shares[i], gain)));
  return {
    title: 'TwELL, forward on H100 PCIe, table 1',
    how: 'The share is that of gate, up and down. One gain fits all four models.',
    points: sparse.map(({ parameters }, i) =>
      gainWithPrediction(`TwELL ${parameters}B`, 'twell', shares[i], gainOfKernel, gains[i]),
    ),
  };
}

function slideSparseModels(): GainGroup {
  const { kernels, prefill } = slideSparse.tables;
  /** the middle of the range that the paper prints for the most tokens, its last row */
  const middle = (rows: typeof kernels.rows, pattern: string, model: string): number =>
    mean(
      rows
        .filter((row) => row.gpu === 'A100' && row.pattern === pattern && row.model === model)
        .slice(-1)
        .flatMap(({ min, max }) => [min, max]),
    );
  const [two, six] = ['2:4', '6:8'].map((pattern) => ({
    gainOfKernel: middle(kernels.rows, pattern, 'models'),
    gainOfModel: middle(prefill.rows, pattern, 'Qwen2.5-7B'),
  }));
  const share = shareInProducts(two.gainOfKernel, two.gainOfModel);
  return {
    title: 'SlideSparse, Qwen2.5-7B reads a prompt on A100',
    how: 'The share is the one that explains 2:4.',
    points: [
      gainWithPrediction('SlideSparse 2:4', 'slidesparse', share, two.gainOfKernel, two.gainOfModel),
      gainWithPrediction('SlideSparse 6:8', 'slidesparse', share, six.gainOfKernel, six.gainOfModel),
    ],
  };
}

function ecSpmvModel(): GainGroup {
  const share = weightShare('Llama-2-7B', null);
  const { gigabytes, rows } = ecSpmv.tables.wholeModel;
  return {
    title: 'EC-SpMV, Llama-2-7B with 30 % left on RTX 3090, table 3',
    how: `The kernel is what bytes allow: ${gigabytes.dense} to ${gigabytes.sparse} GB. ${BANDWIDTH_WORDS}`,
    points: rows.map(({ tokens, dense, sparse }) => ({
      ...gainWithPrediction(
        `EC-SpMV, ${tokens} tokens`,
        'ec-csr',
        share,
        gigabytes.dense / gigabytes.sparse,
        sparse / dense,
      ),
      isByBytes: true,
    })),
  };
}

/** Gains that papers print; `ModelGainsView.tsx` has those that this project measured. */
export const PUBLISHED_GAINS: readonly GainGroup[] = [macko(), ecSpmvModel(), twellModels(), slideSparseModels()];
