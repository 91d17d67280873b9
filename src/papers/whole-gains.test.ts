import { expect, it } from 'vitest';
import { KNOWN_MODELS } from '../theory/models/known-models.ts';
import { prefillGain, prefillGainText } from './whole-gains.ts';

const names = KNOWN_MODELS.map(({ name }) => name);

it('models of the TwELL paper have what was measured, and what is printed for all four', () => {
  const text = 'Stores activations. Whole prefill, measured: 1.49 times as fast; published: 1.17 to 1.21.';
  const found = names.flatMap((name) => {
    const gain = prefillGain(name, 'twell');
    return gain ? [[name, prefillGainText(gain)]] : [];
  });
  expect(found).toEqual(['0.5B', '1B', '1.5B', '2B'].map((size) => [`TwELL ${size}`, text]));
  expect(prefillGain('TwELL 2B', 'twell')).toMatchObject({
    measured: { model: 'TwELL 1.5B', tokens: 2048, device: 'NVIDIA H100' },
    published: { url: 'https://arxiv.org/abs/2603.23198', place: 'table 1', on: 'NVIDIA H100 PCIe, tensor cores' },
  });
});

it('the hybrid was measured alone, and no other format or model at all', () => {
  const hybrid = prefillGain('TwELL 0.5B', 'hybrid');
  expect(hybrid && prefillGainText(hybrid)).toBe('Stores activations. Whole prefill, measured: 1.47 times as fast.');
  expect(prefillGain('TwELL 0.5B', 'macko')).toBeNull();
  expect(prefillGain('Llama-2-7B', 'twell')).toBeNull();
});
