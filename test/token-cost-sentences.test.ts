import { expect, it } from 'vitest';
import { answerWords, modelView, tokenFacts } from '../src/places/compare/model/model-view.ts';
import type { Way } from '../src/places/compare/rows/ways.ts';
import { KNOWN_MODELS } from '../src/theory/models/model-shape.ts';
import {
  boundOf,
  bytesOf,
  CSR,
  DENSE,
  DEVICES,
  F16,
  isOfShape,
  matricesOf,
  type Met,
  nanoseconds,
  perSecond,
  size,
  sizeOf,
  timeIn,
  tokenOf,
  way,
} from './model-questions.ts';
import { bytes, type Facts, ns, number, plainText, rate, Read, percent } from './sentences.ts';

/* The law for sentences, for what a token of a model costs, as Compare answers it where its layers are shown. */

it('what a token costs, measured or from bytes, on which device, and which card its weights need', () => {
  const read = new Read();
  const cards = [8, 12, 16, 24, 48, 80];
  const cardOf = (of: number): number | null => cards.find((card) => of < 1e9 * card) ?? null;
  for (const model of KNOWN_MODELS.filter(({ gated, positions }) => gated && positions === 0)) {
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
        // A shape is known where both were timed at this density, and the head where it was timed at any.
        const isKnown = (met: Met): boolean =>
          device.reports
            .filter(isOfShape(met))
            .filter(({ workload }) => met === head || Math.abs(workload.density - left) < 0.004 * left)
            .some(
              (report) =>
                timeIn(report, 'dense', DENSE) !== null &&
                (met === head || timeIn(report, format.id, stored.params) !== null),
            );
        const [sizeA, sizeDense] = [sizeOf(model, one, left), sizeOf(model, F16, 1)];
        const isByDispatch =
          roofs !== null &&
          [...blocks, head].some(
            (met) =>
              (met === head ? 2 * met[0] * met[1] : (bytesOf(one, left, met) ?? 0)) / roofs.readGBps < roofs.dispatchNs,
          );
        const isMeasured = token.stored !== null && token.dense !== null;
        const facts: Record<string, Facts[string]> = {
          model: model.name,
          format: format.title,
          left: { ...percent(left), digits: 1 },
          size: isDense ? size(sizeDense) : sizeDense < 1e8 ? size(sizeA) : number(sizeA / 1e9, 1),
          dense: size(sizeDense),
          matrices: number(7 * model.layers + 1),
          ns: ns(nanoseconds(token.stored) ?? 0),
          device: name,
          card: number(cardOf(sizeA) ?? 0),
          before: number(cardOf(sizeDense) ?? 0),
        };
        let rule = isDense
          ? '{model}, {format}: {size}.'
          : '{model}, {left} left, in {format}: {size} instead of {dense}.';
        const against = isDense ? '' : '; dense {denseRate}';
        if (isMeasured) {
          rule += ` Its {matrices} matrices take {ns} per token on {device}, so at most {rate} tokens/s${against}.`;
          facts.rate = perSecond(nanoseconds(token.stored));
          facts.denseRate = perSecond(nanoseconds(token.dense));
        } else if (roofs && ![...blocks, head].some(isKnown)) {
          rule += ` From ${isByDispatch ? 'bytes and empty dispatches' : 'bytes'} alone: at most {rate} tokens/s on {device}${against}.`;
          facts.rate = perSecond(boundOf(model, one, left, device));
          facts.denseRate = perSecond(boundOf(model, F16, 1, device));
        } else if (!roofs) {
          const [card, before] = [cardOf(sizeA), cardOf(sizeDense)];
          const of = (found: number | null, place: string): string =>
            found === null ? 'more than {max} GB' : `{${place}} GB`;
          facts.max = number(80);
          if (card !== before) rule += ` Weights alone need ${of(card, 'card')} instead of ${of(before, 'before')}.`;
        } else {
          // Some shapes were timed: how many, and the sum with the bytes of the others, is in model-layer-sentences.test.ts.
          expect(plainText(answerWords(view, format.title))).toMatch(
            / shapes are measured; with bytes(?: and empty dispatches)? for the others, about /,
          );
          continue;
        }
        const text = plainText(answerWords(view, format.title));
        read.sentence(text, rule, facts, `${model.name}, ${name}, ${one.key}, ${left}`);

        const table = new Map(tokenFacts(view, format.title));
        expect(table.get('matrices')).toBe(String(7 * model.layers + 1));
        const read2 = (title: string, fact: Facts[string]): void =>
          read.sentence(table.get(title) ?? '', '{value}', { value: fact }, `${model.name}, ${title}`);
        const token2 = (of: Way): number =>
          blocks.reduce((sum, met) => sum + met[2] * (bytesOf(of, left, met) ?? 0), 2 * head[0] * head[1]);
        read2('read, dense', { ...bytes(token2(F16)), digits: 2 });
        if (!isDense) read2(`read, ${format.title}`, { ...bytes(token2(one)), digits: 2 });
        if (token.dense !== null) read2('time, dense', ns(1e6 * token.dense));
        if (roofs) read2('read speed', rate(roofs.readGBps));
        expect(table.get('time, dense')?.startsWith('≈') ?? false).toBe(roofs !== null && token.dense === null);
      }
    }
  }
  expect(
    read.met(
      '{model}, {left} left, in {format}: {size} instead of {dense}. Its {matrices} matrices take {ns} per token on {device}, so at most {rate} tokens/s; dense {denseRate}.',
    ),
  ).toBeGreaterThan(0);
});
