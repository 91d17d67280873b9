/**
 * Generates the gallery in public/examples: trains small networks on drawn digits, prunes one of them in four ways, and
 * writes weights, activations, the matrices that need no training, and the index. Every run writes the same bytes. Run it
 * with `node scripts/run.mjs scripts/train-digits.ts`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { finish } from '../src/core/job.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import { pruneToPatternSteps } from '../src/core/matrix/prune-pattern.ts';
import { pruneByMagnitude, pruneRowsSteps } from '../src/generate/prune.ts';
import { GALLERY_PICTURES_PATH, type GalleryPicture } from '../src/io/gallery-pictures.ts';
import { readMatrix } from '../src/io/index.ts';
import { type Example, type ExampleText, untrainedExamples, npyExample } from './train-digits/examples.ts';
import { pictureOf } from './train-digits/pictures.ts';
import { activations, prune, type PrunedWeights, trainDense, type TrainedNetwork } from './train-digits/train.ts';
import { COEFFICIENTS, gatedExamples, TABLE_ONLY } from './train-gated/examples.ts';
import { type GatedResult, trainGated } from './train-gated/train.ts';

const FOLDER = 'public/examples';

/** The beginning of each provenance, which the gallery shows. */
const TASK =
  'Weights of a network 256-512-512-10 with rectifiers, trained by scripts/train-digits.ts with Adam on 16,000 drawn digits of 16 × 16 pixels (turned, sheared, shifted, noisy)';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** A sentence with the accuracies of a network before and after pruning. */
function accuracies(dense: TrainedNetwork, pruned: PrunedWeights): string {
  return `Of 4,000 test images the dense network classifies ${percent(dense.accuracy)} correctly, ${percent(pruned.accuracyPruned)} after pruning, and ${percent(pruned.accuracy)} after training on with 7,000 images and rounding to f16.`;
}

/** Prunes the dense network in four ways, and returns the examples of its layers. */
function trainedExamples(dense: TrainedNetwork): readonly Example[] {
  // Prunes the layers, one function each, trains on, and prints the accuracies.
  const pruned = (what: string, ...pruneLayers: readonly ((m: Matrix) => Matrix)[]): PrunedWeights => {
    const weights = prune(dense.network, pruneLayers);
    console.log(`${what}: ${percent(weights.accuracyPruned)}, then ${percent(weights.accuracy)}`);
    return weights;
  };
  console.log(`dense: ${percent(dense.accuracy)}`);
  const largest = (density: number) => (m: Matrix) => pruneByMagnitude(m, density);
  const pattern = (kept: number, group: number) => (m: Matrix) => finish(pruneToPatternSteps(m, kept, group));
  const magnitude = pruned('by magnitude', largest(0.1), largest(0.3));
  const twoFour = pruned('2:4', pattern(2, 4), pattern(2, 4));
  const sixEight = pruned('6:8', pattern(6, 8), largest(0.5));
  const extreme = pruned('by rows', (m) => finish(pruneRowsSteps(m, 0.2)), largest(0.05));
  const bySixEight = `${TASK}; then the first layer was pruned to the six largest of every eight neighbours in a row, and half of the second by magnitude. ${accuracies(dense, sixEight)}`;
  const byRows = `${TASK}; then weights were pruned by magnitude: the largest fifth of every row of the first layer and 5 % of the second are left. ${accuracies(dense, extreme)}`;
  const byMagnitude = `${TASK}; then the smallest weights by magnitude were pruned: 10 % of the first layer and 30 % of the second are left. ${accuracies(dense, magnitude)}`;
  return [
    layer(magnitude.fc2, {
      id: 'digits-fc2-70',
      name: 'Digits, second layer, 30 % left',
      about:
        'Real weights, three in ten of them left, spread almost as evenly as chance, as magnitude pruning leaves them.',
      provenance: byMagnitude,
      // In its first row 18 columns are skipped, more than MACKO's 4 bits can count: a stored zero bridges them.
      window: { row: 464, col: 261, rows: 4, cols: 32 },
    }),
    layer(magnitude.fc1, {
      id: 'digits-fc1-90',
      name: 'Digits, first layer, 10 % left',
      about: 'Real weights, one in ten of them left: the gaps are long, so narrow deltas need padding.',
      provenance: byMagnitude,
      inputs: 'digits',
    }),
    layer(twoFour.fc2, {
      id: 'digits-fc2-2-4',
      name: 'Digits, second layer, 2:4',
      about: 'The same layer pruned to two of every four neighbours, as sparse tensor cores require.',
      provenance: `${TASK}; then both hidden layers were pruned to the two largest of every four neighbours in a row. ${accuracies(dense, twoFour)}`,
    }),
    layer(sixEight.fc2, {
      id: 'digits-fc2-50',
      name: 'Digits, second layer, 50 % left',
      about: 'Half of the weights are left: CSR is larger than dense, and a bit per column is the cheapest index.',
      provenance: bySixEight,
    }),
    layer(extreme.fc2, {
      id: 'digits-fc2-95',
      name: 'Digits, second layer, 5 % left',
      about: 'One weight in twenty is left, and the rows differ: each holds 12 to 41 of them.',
      provenance: byRows,
    }),
    layer(sixEight.fc1, {
      id: 'digits-fc1-6-8',
      name: 'Digits, first layer, 6:8',
      about: 'Six of every eight neighbours are left: the pattern that SlideSparse slides onto 2:4 hardware.',
      provenance: bySixEight,
      inputs: 'digits',
      // Its first group has three weights among the first four columns, so that one of them has to slide on.
      window: { row: 166, col: 0, rows: 1, cols: 64 },
    }),
    layer(extreme.fc1, {
      id: 'digits-fc1-rows-80',
      name: 'Digits, first layer, 20 % left in every row',
      about: 'Pruned row by row: every row has exactly 51 weights, so no padding is needed to even them out.',
      provenance: byRows,
      inputs: 'digits',
    }),
  ];
}

/** The example of a layer with 512 outputs; `cells`: its weights, row by row. */
const layer = (cells: Float32Array, text: ExampleText): Example => npyExample(text, 512, cells.length / 512, cells);

function activationsExample({ network }: TrainedNetwork): Example {
  return npyExample(
    {
      id: 'digits-activations',
      holds: 'activations',
      name: 'Digits, activations',
      about:
        'What the first layer makes of 128 images: the rectifier leaves three in eight at 0, and different ones for every image.',
      provenance: `Outputs of the first hidden layer, after its rectifier, for the first 128 of 4,000 test images, in f16. ${TASK}.`,
    },
    128,
    512,
    activations(network, 128),
  );
}

/** Trains a gated network for each coefficient of L1 regularisation, and prints its results. */
function gates(coefficients: readonly number[]): readonly GatedResult[] {
  const results = coefficients.map(trainGated);
  for (const { l1, accuracy, meanNonZeros, maxNonZeros, deadNeurons } of results) {
    const nonZeros = `${meanNonZeros.toFixed(1)} non-zeros, at most ${maxNonZeros}`;
    console.log(`gated, L1 ${l1}: ${(100 * accuracy).toFixed(3)} %, ${nonZeros}, ${deadNeurons} dead neurons`);
  }
  return results;
}

function indexText(index: unknown): string {
  return `${JSON.stringify(index, null, 2)}\n`;
}

const dense = trainDense();
const shippedGates = gates(COEFFICIENTS);
gates(TABLE_ONLY);

// The sparsest activations come first, since formats for activations support them.
const examples = [
  ...trainedExamples(dense),
  ...gatedExamples(shippedGates).toReversed(),
  activationsExample(dense),
  ...untrainedExamples(),
];
mkdirSync(FOLDER, { recursive: true });
for (const { entry, bytes } of examples) writeFileSync(`${FOLDER}/${entry.file}`, bytes);
writeFileSync(`${FOLDER}/index.json`, indexText(examples.map((example) => example.entry)));
const pictures: Record<string, GalleryPicture> = {};
for (const { entry, bytes } of examples) {
  pictures[entry.id] = pictureOf((await readMatrix({ name: entry.file, bytes })).matrix);
}
writeFileSync(`public/${GALLERY_PICTURES_PATH}`, indexText(pictures));
