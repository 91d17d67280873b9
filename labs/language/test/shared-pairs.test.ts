// The recorded numbers of columns that pairs of rows share in pruned models.

import { expect, it } from 'vitest';
import { modelReader } from '../page/service/open-language.ts';
import { PRUNED_MODELS, RECORDED_PAIRS, pairedShares } from '../../../src/pages/compare/pairs/pairs-figure-facts.ts';
import { modelPairs } from '../../../src/pages/compare/service/service.ts';
import { scheduled } from '../../../test/scheduled.ts';
import { DISK_HOST, diskModels, newJob } from './disk-host.ts';

/** Its weights are pruned by the inputs of a text, which needs seconds. */
const SLOW = 'wanda';

it.each(PRUNED_MODELS.filter(({ id }) => id !== SLOW))(
  'the recorded pairs of Tales pruned $title equal the shipped file',
  checkPairs,
);

for (const model of PRUNED_MODELS.filter(({ id }) => id === SLOW)) {
  scheduled(
    'a model reads a text, by which it is pruned',
    'the other pairs here, and labs/language/models/loaded-models.test.ts, where Wanda prunes',
    `the recorded pairs of Tales pruned ${model.title} equal the shipped file`,
    () => checkPairs(model),
  );
}

it('shared pairs are recorded for three prunings', () => {
  expect(PRUNED_MODELS.map(({ id }) => id)).toEqual(['magnitude', SLOW, 'trained']);
});

async function checkPairs({ id, model, pruning }: (typeof PRUNED_MODELS)[number]): Promise<void> {
  const reader = modelReader(diskModels());
  const request = { model, folder: `labs/language/public/models/${model}/`, pruning };
  expect(await modelPairs(DISK_HOST, reader, request, newJob())).toEqual(RECORDED_PAIRS[id]);
}

it('rows pruned by magnitude share as many columns as random rows, and rows pruned by Wanda more, most in down_proj', () => {
  const more = (id: (typeof PRUNED_MODELS)[number]['id'], part: 'all' | 'down') => {
    const { paired, random } = pairedShares(RECORDED_PAIRS[id][part]);
    return [paired.toFixed(3), random.toFixed(3), (paired / random).toFixed(2)];
  };
  expect(more('magnitude', 'all')).toEqual(['0.360', '0.358', '1.00']);
  expect(more('wanda', 'all')).toEqual(['0.410', '0.376', '1.09']);
  expect(more('trained', 'all')).toEqual(['0.413', '0.376', '1.10']);
  expect(more('trained', 'down')).toEqual(['0.391', '0.317', '1.24']);
});
