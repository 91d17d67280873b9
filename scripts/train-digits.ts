/**
 * Makes the gallery in public/examples: trains a small network on drawn digits, prunes it in three ways, and writes its
 * weights, the matrices that need no training, and the index. The same bytes every time. Run by `npm run examples`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { type Example, madeExamples, npyExample } from './train-digits/examples.ts';
import {
  largest,
  prune,
  type PrunedWeights,
  trainDense,
  type TrainedNetwork,
  twoOfFour,
} from './train-digits/train.ts';

const FOLDER = 'public/examples';

const TASK =
  'Weights of a network 256-512-512-10 with rectifiers, trained by scripts/train-digits.ts with Adam on 16,000 drawn digits of 16 x 16 pixels (turned, sheared, shifted, noisy)';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function accuracies(dense: TrainedNetwork, pruned: PrunedWeights): string {
  return `Of 4,000 test images the dense network tells ${percent(dense.accuracy)} right, ${percent(pruned.accuracyPruned)} right after pruning, and ${percent(pruned.accuracy)} after training on with 7,000 images and rounding to f16.`;
}

function trainedExamples(): readonly Example[] {
  const dense = trainDense();
  console.log(`dense: ${percent(dense.accuracy)}`);
  const magnitude = prune(dense.network, { fc1: largest(512, 256, 0.1), fc2: largest(512, 512, 0.3) });
  console.log(`by magnitude: ${percent(magnitude.accuracyPruned)}, then ${percent(magnitude.accuracy)}`);
  const twoFour = prune(dense.network, { fc1: twoOfFour, fc2: twoOfFour });
  console.log(`2:4: ${percent(twoFour.accuracyPruned)}, then ${percent(twoFour.accuracy)}`);
  const byMagnitude = `${TASK}; then the smallest weights by magnitude were pruned, 90 % of the first layer and 70 % of the second. ${accuracies(dense, magnitude)}`;
  return [
    npyExample(
      {
        id: 'digits-fc2-70',
        name: 'Digits, second layer, 70 % pruned',
        about:
          'Real weights of which three in ten are left, spread almost as evenly as by chance, as magnitude pruning leaves them.',
        provenance: byMagnitude,
      },
      512,
      512,
      magnitude.fc2,
    ),
    npyExample(
      {
        id: 'digits-fc1-90',
        name: 'Digits, first layer, 90 % pruned',
        about: 'Real weights of which one in ten is left: the gaps are long, so that narrow deltas need padding.',
        provenance: byMagnitude,
      },
      512,
      256,
      magnitude.fc1,
    ),
    npyExample(
      {
        id: 'digits-fc2-2-4',
        name: 'Digits, second layer, 2:4',
        about: 'The same layer pruned to two of every four neighbours, as sparse tensor cores ask for.',
        provenance: `${TASK}; then both hidden layers were pruned to the two largest of every four neighbours in a row. ${accuracies(dense, twoFour)}`,
      },
      512,
      512,
      twoFour.fc2,
    ),
  ];
}

const examples = [...trainedExamples(), ...madeExamples()];
mkdirSync(FOLDER, { recursive: true });
for (const { entry, bytes } of examples) writeFileSync(`${FOLDER}/${entry.file}`, bytes);
writeFileSync(
  `${FOLDER}/index.json`,
  `${JSON.stringify(
    examples.map((example) => example.entry),
    null,
    2,
  )}\n`,
);
