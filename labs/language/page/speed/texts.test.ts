// Snapshots of the sentences about the speed of models (words/*.txt).

import { readdirSync } from 'node:fs';
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { modelSpeedFacts, questions as questionsOfSpeed } from '../../test/speed-questions.ts';
import { visibleText } from '../../../../test/markup.ts';
import { DENSE, json, recorded } from '../../../../test/model-questions.ts';
import { plainText } from '../../../../test/text-rules.ts';
import { type Statement, wordings } from '../../../../test/wordings.ts';
import type { DecodeReport } from '../../../../src/core/reports/decode-report.ts';
import type { DeviceStatus } from '../../../../src/engine/device.ts';
import { formats, referenceFormat } from '../../../../src/formats/catalog.ts';
import { KNOWN_MODELS } from '../../../../src/theory/models/known-models.ts';
import { decodeMemory } from '../../theory/decode-memory.ts';
import { tokenDispatches } from '../../theory/token-dispatches.ts';
import { DecodeResult } from './DecodeHere.tsx';
import { decodePlanText, decodeProblem, wrongText } from './decode-words.ts';
import { LARGE_MODELS } from './fields.ts';
import { arithmeticText, barText, TimedTokens, TokenBar } from './OneToken.tsx';
import { ratesText } from './RatesChart.tsx';
import { rowText } from './TokenTimeBars.tsx';
import { ShapesTable } from './ShapesTable.tsx';
import { pytorchText, speedFacts, speedHeadline, wholeText } from './speed-words.ts';
import { tokenTimeRows } from './SpeedTab.tsx';

/** The format with this id. */
const formatWithId = (id: string) => formats.find((format) => format.id === id) ?? referenceFormat;

/** Sentences about large models: headline, bars, notes and tables, for known and unknown facts. */
function* large(): Generator<Statement> {
  for (const question of questionsOfSpeed()) {
    const smallModels =
      question.density === 0.5
        ? [2200, 50_000].map((bytesNs) => ({ name: 'Tales 3.4M', bytesNs, launchNs: 90_000 }))
        : [];
    for (const small of [null, ...smallModels])
      yield ['headline', plainText(speedHeadline(speedFacts(question, small)))];
    for (const row of tokenTimeRows({ ...question, denseNs: question.timesAtDensity?.denseNs ?? null })) {
      yield ['bar', rowText(row)];
      yield ['note', row.note];
    }
    const tokenSpeeds = [...question.wholeTokens.dense, ...question.wholeTokens.stored];
    yield ['whole', wholeText(tokenSpeeds)];
    yield ['own whole', wholeText(tokenSpeeds.map((speed) => ({ ...speed, isRecorded: false })))];
    if (question.pytorch) yield ['PyTorch', pytorchText(question.pytorch)];
  }
  for (const density of [0.5, 0.3, 0.77]) {
    const { readGBps = 1 } = recorded.roofs ?? {};
    const format = formatWithId('macko');
    const { timesAtDensity, isDense } = modelSpeedFacts(
      KNOWN_MODELS[0],
      recorded,
      format,
      { deltaBits: 4, valueType: 'f16' },
      density,
    );
    const restProps = { otherDispatches: 195, denseRestNs: 1_234_000, storedRestNs: null };
    const props = {
      model: KNOWN_MODELS[0],
      timesAtShare: timesAtDensity,
      title: format.title,
      isDense,
      density,
      readGBps,
      ...restProps,
    };
    yield [`shapes, ${density}`, visibleText(createElement(ShapesTable, props))];
  }
  const points = [1, 0.5].map((density) => ({ density, tokensPerSecond: 123.4 / density }));
  yield ['rates', ratesText('MACKO', points, [])];
}

/** Sentences about a token of a small model: its dispatches as bars, the arithmetic, and measured times. */
function* small(): Generator<Statement> {
  const [tales] = KNOWN_MODELS.filter(({ name }) => name === 'Tales 3.4M');
  const dispatches = tokenDispatches(tales);
  const dense = { title: 'dense', format: 'dense', dispatches, bytesPerCell: 2, headBytesPerCell: 2 };
  for (const [readGBps, dispatchNs] of [
    [4593, 1250],
    [20, 100],
  ]) {
    const props = { ...dense, readGBps, dispatchNs, layers: 6, named: true };
    yield [`at ${readGBps}`, visibleText(createElement(TokenBar, props))];
    yield [`bar at ${readGBps}`, barText(dispatches.length, dispatches.length * dispatchNs, 7e6 / readGBps)];
    for (const launchNs of [dispatchNs, null])
      yield ['arithmetic', arithmeticText(dispatches.length, launchNs, readGBps, ' by the GPU’s clock')];
  }
  const kinds = { products: { launches: 25, ns: 40_300 }, norm: { launches: 1, ns: 1510 } };
  for (const where of ['gpu', 'cpu'] as const) {
    const queued = where === 'gpu' ? { tokenNs: 61_200, isByGpu: true, kinds } : null;
    const tokens = [{ title: 'MACKO, 50\u202f%', format: 'macko', times: { where, writtenNs: 98_700, queued } }];
    yield [where, visibleText(createElement(TimedTokens, { tokens }))];
  }
}

/** Sentences about whole tokens decoded on a GPU: results, incorrect stages, and memory. */
function* decoded(): Generator<Statement> {
  const folder = 'docs/whole-tokens/';
  const reports = readdirSync(folder).flatMap((file) => json(folder + file) as readonly DecodeReport[]);
  const resultText = (report: DecodeReport): string =>
    visibleText(createElement(DecodeResult, { report, isGrowing: true }));
  for (const report of new Map(reports.toReversed().map((report) => [report.format, report])).values())
    yield [`${report.model.name}, ${report.format}, ${report.density}`, resultText(report)];
  const [wholeTokens] = reports;
  const [run, ...otherRuns] = wholeTokens.runs;
  const [check] = run.checks.before;
  const wrongRun = { ...run, checks: { ...run.checks, before: [{ ...check, ok: false, position: 1 }] } };
  yield ['wrong', resultText({ ...wholeTokens, runs: [wrongRun, ...otherRuns] })];
  yield [
    'wrong twice',
    wrongText([check, { ...check, position: 12 }].map((failedCheck) => ({ ...failedCheck, ok: false }))),
  ];
  yield ['software', resultText({ ...wholeTokens, environment: { ...wholeTokens.environment, isFallback: true } })];
  const status = (isFallback: boolean, limits: object): DeviceStatus =>
    ({ kind: 'ready', environment: { isFallback, limits, adapter: { description: 'A card', vendor: '' } } }) as never;
  for (const model of KNOWN_MODELS.filter(({ name }) => LARGE_MODELS.includes(name))) {
    const memory = decodeMemory(model, { format: referenceFormat, params: DENSE }, 1, 4101);
    for (const isFallback of [false, true])
      yield [`memory of ${model.name}`, decodePlanText(status(isFallback, {}), model.name, 'dense', memory)];
    for (const limits of [
      { maxBufferSize: 2 ** 31, maxStorageBufferBindingSize: 2 ** 20 },
      { maxBufferSize: 2 ** 20, maxStorageBufferBindingSize: 2 ** 31 },
    ])
      for (const longestBuffer of [2 ** 20, memory?.longestBuffer ?? 0])
        yield [`binding of ${model.name}`, String(decodeProblem(status(false, limits), model.name, longestBuffer))];
  }
}

it.each(Object.entries({ large, small, decoded }))(
  'the sentences about the speed of models equal their snapshot: %s',
  async (name, output) => {
    await expect(wordings(output())).toMatchFileSnapshot(`words/${name}.txt`);
  },
);
