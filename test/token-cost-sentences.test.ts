import { expect, it } from 'vitest';
import { modelView, tokenFacts } from '../src/places/compare/model/model-view.ts';
import type { Way } from '../src/places/compare/rows/ways.ts';
import { KNOWN_MODELS } from '../src/theory/models/model-shape.ts';
import { bytesOf, CSR, DEVICES, F16, matricesOf, tokenOf, way } from './model-questions.ts';
import { bytes, type Facts, ns, rate, Read } from './sentences.ts';

/* The law for sentences, for what a token of a model costs, as Compare answers it where its layers are shown. */

it('what a token costs, measured or from bytes', () => {
  const read = new Read();
  for (const model of KNOWN_MODELS.filter(({ gated, positions, experts }) => gated && positions === 0 && !experts)) {
    for (const device of DEVICES) {
      for (const [one, left] of [
        [F16, 0.5],
        [way('macko'), 0.5],
        [way('macko'), 0.35],
        [CSR, 0.3],
      ] as const) {
        const { format, stored } = one;
        const { roofs, name } = device;
        const wanted = {
          operation: 'spmv',
          tokens: 1,
          stored,
          dense: F16.stored,
          able: true,
          device: name,
          density: left,
        };
        const reads = roofs && {
          GBps: roofs.readGBps,
          dispatchNs: roofs.dispatchNs,
          from: 'measured' as const,
          device: name,
        };
        const storage = { format, params: stored.params, fusion: 'separate' as const, keepHead: true, density: left };
        const view = modelView(model, storage, device.reports, wanted, reads);
        if (!view) throw new Error('found no view');
        const isDense = one === F16;
        const { blocks, head } = matricesOf(model);
        const token = tokenOf(device.reports, model, format.id, stored.params, left);
        const table = new Map(tokenFacts(view, format.title));
        expect(table.get('matrices')).toBe(String(7 * model.layers + 1));
        const read2 = (title: string, fact: Facts[string]): void =>
          read.sentence(table.get(title) ?? '', '{value}', { value: fact }, `${model.name}, ${title}`);
        const token2 = (of: Way): number =>
          blocks.reduce((sum, met) => sum + met[2] * (bytesOf(of, left, met) ?? 0), 2 * head[0] * head[1]);
        read2('read, dense', { ...bytes(token2(F16)), digits: 2 });
        if (!isDense) read2(`read, ${format.title}`, { ...bytes(token2(one)), digits: 2 });
        if (token.dense !== null && token.stored !== null) read2('time, dense', ns(1e6 * token.dense));
        if (roofs) read2('read speed', rate(roofs.readGBps));
        if (token.dense === null) expect(table.get('time, dense')?.startsWith('≈') ?? false).toBe(roofs !== null);
      }
    }
  }
  expect(read.met('{value}')).toBeGreaterThan(100);
});
