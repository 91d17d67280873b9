import { expect, it } from 'vitest';
import { uniformMatrix } from '../../test/matrices.ts';
import { defaultParams, type EncodedMatrix } from '../core/format.ts';
import { formats } from './registry.ts';

const SCALE = /^Row (\d+) gets one scale for its i8 \w+: .* its largest magnitude over (\d+)\.$/;

it('narrations divide the largest magnitude of a row by the number that gives its stored scale', async () => {
  const window = uniformMatrix(4, 24, 0.2, 3);
  const compared = new Map<string, number>();
  for (const format of formats) {
    const params: object = { ...defaultParams(format.params), valueType: 'i8' };
    const story = await format.story();
    if (!('valueType' in format.params) || !story.admits(window, params).ok) continue;
    if (format.params.valueType.kind !== 'choice') continue;
    if (!format.params.valueType.options.some(({ value }: { value: unknown }) => value === 'i8')) continue;
    const t = story.trace(window, params);
    const { scales } = t.encoded as EncodedMatrix & { readonly scales: Float32Array };
    for (let step = 0; step <= t.steps.length; step++) {
      const match = SCALE.exec(
        story
          .scene(t, step)
          .narration.map(({ text }) => text)
          .join(''),
      );
      if (!match) continue;
      const row = Number(match[1]);
      const cells = window.data.subarray(row * window.cols, (row + 1) * window.cols);
      const largest = cells.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
      expect(Number(match[2]), `${format.id}, row ${row}`).toBe(Math.round(largest / scales[row]));
      compared.set(format.id, (compared.get(format.id) ?? 0) + 1);
    }
  }
  expect([...compared.keys()].toSorted()).toEqual(['dense', 'macko', 'slidesparse']);
});
