import { describe, expect, it } from 'vitest';
import { type AnyFormat, defaultParams, type EncodedMatrix, namedArrays, searches } from '../src/core/format.ts';
import type { MatrixSummary } from '../src/engine/matrix/types.ts';
import { formats } from '../src/formats/catalog.ts';
import { formats as registry } from '../src/formats/registry.ts';
import { storedMatrix } from '../src/kit/words/stored-matrix.ts';
import { computes } from '../src/places/compare/model/model-choices.ts';
import { compareAnswer } from '../src/places/compare/rows/compare-answer.ts';
import { modelRows, type ModelRowsInput } from '../src/places/compare/rows/model-rows.ts';
import { type Way, wayName } from '../src/places/compare/rows/ways.ts';
import { measuredWords } from '../src/places/measure/answer/AnswerHead.tsx';
import { measuredOf, timesWith } from '../src/places/measure/answer/use-measured.ts';
import { storedWords } from '../src/places/watch/answer/AnswerLine.tsx';
import type { Side } from '../src/places/watch/sides.ts';
import type { Device } from '../src/state/devices/device.ts';
import type { FormatParams } from '../src/state/index.ts';
import { blockOf, KNOWN_MODELS, type ModelShape } from '../src/theory/models/model-shape.ts';
import { buildMatrix } from './arbitraries.ts';
import {
  boundOf,
  DEVICES,
  F16,
  I4,
  nanoseconds,
  perSecond,
  recorded,
  SHAPE,
  size,
  sizeOf,
  tokenOf,
  way,
  WAYS,
  wholeOf,
} from './model-questions.ts';
import { queryOf } from './recorded-questions.ts';
import { bytes, type Facts, ns, number, plainText, Read } from './sentences.ts';

/*
 * The law for sentences, for subjects that are a whole model or a layer: Compare answers about all matrices, Watch and Measure
 * about one of them, which they name.
 */

/** Models with a head of their own and with a tied one, and a layer of each. */
const MODELS: readonly (readonly [model: ModelShape, isLayer: boolean])[] = KNOWN_MODELS.filter(
  ({ gated, positions, experts }) => gated && positions === 0 && !experts,
).flatMap((model) => [
  [model, false],
  [blockOf(model), true],
]);

function inputOf(model: ModelShape, device: Device, left: number, tokens: number): ModelRowsInput {
  const { roofs, name, reports } = device;
  return {
    ways: WAYS,
    summary: { ...SHAPE, source: { kind: 'model', model: 'x' } } as unknown as MatrixSummary,
    examples: [],
    model,
    fusion: 'separate',
    keepHead: true,
    left,
    placement: 'independent',
    tokens,
    reference: F16,
    smallest: I4,
    reports,
    device: name,
    reads: roofs && { GBps: roofs.readGBps, dispatchNs: roofs.dispatchNs, from: 'measured', device: name },
    own: [],
    sampled: new Map(),
  };
}

interface Known {
  readonly state: 'known' | 'open' | 'refused';
  readonly bytes: number;
  readonly whole: number | null;
  readonly measured: number | null;
  readonly bound: number | null;
}

/** What the page has to know of a way, in nanoseconds and bytes. */
function knownOf(model: ModelShape, isLayer: boolean, one: Way, left: number, device: Device, tokens: number): Known {
  const { id } = one.format;
  const nothing = { bytes: 0, whole: null, measured: null, bound: null };
  if (id === 'twell') return { state: 'refused', ...nothing };
  // Of eight columns, 6:8 keeps six.
  if (id === 'slidesparse' && left > 0.75) return { state: 'refused', ...nothing };
  if (id === 'ec-csr') return { state: 'open', ...nothing };
  const { params } = one.stored;
  const isDense = id === 'dense';
  const { reports } = device;
  const measured = tokenOf(reports, model, id, params, left);
  const ms = measured.stored;
  return {
    state: 'known',
    bytes: sizeOf(model, one, left),
    whole: isLayer || tokens > 1 ? null : nanoseconds(wholeOf(device.name, model.name, id, params, isDense ? 1 : left)),
    measured: nanoseconds(ms),
    bound: tokens > 1 ? null : boundOf(model, one, left, device),
  };
}

describe('Compare says of a model', () => {
  it('its bytes, and how fast it writes: in whole tokens, by its matrices alone, or at most', () => {
    const read = new Read();
    for (const [model, isLayer] of MODELS) {
      for (const device of DEVICES) {
        for (const left of [0.5, 0.3, 0.9]) {
          const rows = modelRows(inputOf(model, device, left, 1));
          const pairs = rows.flatMap((a, i) => [
            [a, i < 2 ? null : rows[(i + 1) % rows.length]] as const,
            ...(i > 0 ? [[a, rows[0]] as const] : []),
          ]);
          for (const [a, b] of pairs) {
            const f16 = sizeOf(model, F16, left);
            const said = compareAnswer({
              level: 'model',
              rows,
              a,
              b,
              f16Bytes: f16,
              tokens: 1,
              summary: {} as MatrixSummary,
              model: { shape: model, isLayer },
              isMeasured: device === recorded,
            });
            const of = (one: Way) => knownOf(model, isLayer, one, left, device, 1);
            const [ofA, ofB, four] = [of(a), b && of(b), of(I4)];
            const name = isLayer ? 'A layer of {model}' : '{model}';
            const writes = isLayer ? 'passes' : 'writes';
            const facts: Record<string, Facts[string]> = {
              model: model.name,
              a: wayName(a, [b]),
              b: b ? wayName(b, [a]) : '',
              size: size(ofA.bytes),
              other: size(ofB?.bytes ?? f16),
              four: size(four.bytes),
            };
            const where = `${model.name}${isLayer ? ', a layer' : ''}, ${device.name}, ${left}, ${a.key}, ${b?.key}`;
            if (ofA.state !== 'known') {
              // A whole prefill of the model of 1.5B, of docs/whole-prefill.
              const isTimed = a.format.id === 'twell' && model.name.startsWith('TwELL');
              facts.gain = number(210.14 / 141.05, 0.005);
              facts.timed = 'TwELL 1.5B';
              const at = model.name === facts.timed ? '' : ' at {timed}';
              const activations = `{a} stores the activations of ${name}, not its weights. Many tokens at once are {gain} times as fast, measured${at}.`;
              const weights = ofA.state === 'open' ? `{a} has to encode ${name} first.` : `{a} cannot store ${name}.`;
              const rule = isTimed ? activations : weights;
              read.sentence(plainText(said), rule, facts, where);
              continue;
            }
            let rule = `In {a} ${name} takes {size}${(b === null && a.key !== F16.key) || ofB?.state === 'known' ? ' instead of {other}' : ''}`;
            const put = (text: string, times: (known: Known) => number | null): string => {
              facts.rate = perSecond(times(ofA));
              facts.instead = perSecond(ofB && times(ofB));
              facts.fourRate = perSecond(times(four));
              return ofB && times(ofB) !== null
                ? text.replace('N', '{rate}').replace('M', ' instead of {instead}')
                : text.replace('N', '{rate}').replace('M', '');
            };
            let last = '';
            if (ofA.whole !== null && (ofB === null || ofB.whole !== null)) {
              rule += put(' and writes N whole tokens a secondM', ({ whole }) => whole);
              last =
                four.whole !== null
                  ? ' and writes {fourRate}'
                  : four.measured === null
                    ? '?'
                    : '; its matrices alone would allow {fourMatrices}, whole tokens were not measured';
              facts.fourMatrices = perSecond(four.measured);
            } else if (ofA.measured !== null) {
              rule += put('; its matrices alone would allow N tokens a secondM', ({ measured }) => measured);
              last = four.measured === null ? '?' : '; its matrices alone would allow {fourRate}';
            } else if (ofA.bound !== null) {
              rule += put(` and ${writes} at most N tokens a secondM`, ({ bound }) => bound);
              last = ` and ${writes} at most {fourRate}`;
            }
            if (last === '?') last = device === recorded ? '; speed not measured' : '';
            if (ofB && ofB.state !== 'known')
              rule += `; {b} ${ofB.state === 'open' ? 'has to be encoded first' : 'cannot store it'}`;
            rule += '.';
            if (a.key !== I4.key && b?.key !== I4.key) rule += ` In four bits, unpruned, it takes {four}${last}.`;
            read.sentence(plainText(said).replace('In 4 bits', 'In four bits'), rule, facts, where);
          }
        }
      }
    }
    for (const rule of [
      'In {a} {model} takes {size} instead of {other} and writes {rate} whole tokens a second instead of {instead}. In four bits, unpruned, it takes {four} and writes {fourRate}.',
      'In {a} {model} takes {size} instead of {other}; its matrices alone would allow {rate} tokens a second instead of {instead}. In four bits, unpruned, it takes {four}; speed not measured.',
      'In {a} {model} takes {size} instead of {other} and writes at most {rate} tokens a second instead of {instead}. In four bits, unpruned, it takes {four} and writes at most {fourRate}.',
      'In {a} A layer of {model} takes {size} instead of {other} and passes at most {rate} tokens a second instead of {instead}. In four bits, unpruned, it takes {four} and passes at most {fourRate}.',
    ]) {
      expect(read.met(rule), rule).toBeGreaterThan(0);
    }
  });

  it('how long its matrices alone read a prompt', () => {
    const read = new Read();
    const tokens = 8;
    const own = recorded.reports.filter(({ workload }) => workload.operation === 'spmv');
    const reports = own.map((report) => ({
      ...report,
      workload: { ...report.workload, operation: 'gemm' as const, sizes: { tokens } },
    }));
    const [model] = KNOWN_MODELS;
    const rows = modelRows(inputOf(model, { ...recorded, reports }, 0.5, tokens));
    for (const [a, b] of [
      [F16, null],
      [F16, I4],
      [way('macko'), F16],
    ]) {
      const [rowA, rowB] = [a, b].map((one) => rows.find(({ key }) => key === one?.key) ?? null);
      if (!rowA) throw new Error('found no row');
      const of = (one: Way | null): number | null =>
        one && computes(one.format, 'gemm', one.stored.params, tokens)
          ? nanoseconds(tokenOf(recorded.reports, model, one.format.id, one.stored.params, 0.5).stored)
          : null;
      const times = { a: of(a), b: of(b), four: of(I4) };
      const said = compareAnswer({
        level: 'model',
        rows,
        a: rowA,
        b: rowB,
        f16Bytes: sizeOf(model, F16, 0.5),
        tokens,
        summary: {} as MatrixSummary,
        model: { shape: model, isLayer: false },
        isMeasured: true,
      });
      const instead = times.b === null ? '' : ' instead of {otherNs}';
      const speed = times.a === null ? '' : `; its matrices alone read {tokens} tokens in {ns}${instead}`;
      const read4 = times.four === null ? '; speed not measured' : '; its matrices alone read them in {fourNs}';
      const four = b === I4 ? '' : ` In four bits, unpruned, it takes {four}${times.a === null ? '' : read4}.`;
      const facts: Facts = {
        a: wayName(rowA, [rowB]),
        model: model.name,
        size: size(sizeOf(model, rowA, 0.5)),
        other: size(sizeOf(model, b ?? F16, 0.5)),
        tokens: number(tokens),
        ns: ns(times.a ?? 0),
        otherNs: ns(times.b ?? 0),
        four: size(sizeOf(model, I4, 0.5)),
        fourNs: ns(times.four ?? 0),
      };
      const rule = `In {a} {model} takes {size}${b === null ? '' : ' instead of {other}'}${speed}.${four}`;
      read.sentence(plainText(said).replace('In 4 bits', 'In four bits'), rule, facts, rowA.key);
      expect(plainText(said)).not.toMatch(/at most|a second/);
    }
  });
});

/** A model of which one matrix is open, of which nobody has all weights. */
const PLACE = { model: 'Llama-3.1-8B', layer: 16, matrix: 'down_proj', matrices: 225, inLayer: 7 };
const MODEL = { kind: 'model', model: 'llama-3.1-8b' } as const;

describe('about one matrix of a model', () => {
  const [rows, cols] = [512, 2048];

  it('Watch says about as many bytes as random weights take, and names the matrix', () => {
    const read = new Read();
    for (const left of [0.5, 0.06]) {
      const recipe = {
        shape: [rows, cols],
        pattern: 'uniform',
        values: 'normal',
        seed: 4,
        storage: 'entries',
      } as const;
      const m = buildMatrix({ ...recipe, density: left });
      const summary = {
        rows,
        cols,
        nnz: left * rows * cols,
        density: left,
        sampledRows: 8,
        place: PLACE,
        source: MODEL,
      } as unknown as MatrixSummary;
      const of = storedMatrix(MODEL, PLACE);
      for (const format of formats) {
        const params = defaultParams<FormatParams>(format.params);
        const side: Side = {
          side: 'a',
          format,
          stored: { format: format.id, params },
          name: format.title,
          encoding: undefined,
          story: { kind: 'none' },
        };
        const text = plainText(storedWords(summary, side, null, of));
        const encoder = registry.find(({ id }) => id === format.id) as unknown as AnyFormat;
        if (searches(format)) {
          expect(text).toBe('');
          continue;
        }
        const facts: Record<string, Facts[string]> = { a: format.title, of: 'down_proj of layer 16' };
        if (!encoder.admits(m, params).ok) {
          read.sentence(text, '{a} cannot store {of}.', facts, format.id);
          continue;
        }
        const encoded: EncodedMatrix = encoder.encode(m, params);
        const counted = [...namedArrays(encoded).values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
        const near = { slack: 0.02 };
        facts.size = { ...bytes(counted), ...near };
        facts.share = { ...number((8 * counted) / (rows * cols * 16), 1), ...near };
        const [head, reason = ''] = text.split(/(?<= of dense): (.*)/);
        read.sentence(head, '{a} stores {of} in about {size}, {share} of dense', facts, format.id);
        const expected = format.expectedReason?.(left, params, { rows, cols }).text;
        expect(reason, format.id).toBe(`${expected}.`);
      }
    }
    expect(read.met('{a} stores {of} in about {size}, {share} of dense')).toBeGreaterThan(8);
  });

  it('Measure names it, and says which times are of a random matrix', () => {
    for (const [source, place, of] of [
      [MODEL, PLACE, 'down_proj of layer 16'],
      [{ ...MODEL, layer: 16 }, { ...PLACE, matrix: 'gate_proj' }, 'gate_proj of layer 16'],
      [MODEL, { ...PLACE, layer: null, matrix: 'lm_head' }, 'lm_head'],
      [{ ...MODEL, layer: 16, matrix: 'down' }, PLACE, 'this matrix'],
      [{ kind: 'example', id: 'arrow' }, undefined, 'this matrix'],
    ] as const) {
      const [a, b] = [way('macko'), F16].map(queryOf);
      const asked = {
        ...SHAPE,
        density: 0.5,
        nnz: 29_360_128,
        tokens: 1,
        names: [],
        isEstimated: false,
        isEven: false,
      };
      const says = (change: object, query = a): string =>
        plainText(
          measuredWords(
            measuredOf({
              formats,
              summary: { ...asked, source, place: place && { ...place, ...change } } as unknown as MatrixSummary,
              asked,
              device: recorded,
              times: timesWith(asked, query, b)(recorded),
              encodingOf: () => undefined,
              queryA: query,
              queryB: b,
            }),
            recorded,
            null,
          ),
        );
      // Stand-in weights are as random as those that were timed; weights that come with the page are others.
      expect(says({})).toContain(place ? `MACKO multiplies ${of} in ` : 'MACKO multiplies a random matrix like it');
      expect(says({ isShipped: true })).toContain('MACKO multiplies a random matrix like it in ');
    }
  });
});
