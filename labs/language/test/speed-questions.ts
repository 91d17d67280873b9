// For tests: models, devices and facts about which the tab Speed makes sentences.

import type { AnyListedFormat } from '../../../src/core/format.ts';
import { formats, referenceFormat } from '../../../src/formats/catalog.ts';
import { LARGE_MODELS } from '../page/speed/fields.ts';
import { pytorchOn } from '../page/speed/pytorch.ts';
import { matrixTimesAt } from '../page/speed/shapes.ts';
import type { Device } from '../../../src/state/devices/device.ts';
import { type ModelShape } from '../../../src/theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../../../src/theory/models/known-models.ts';
import { tokenSpeeds } from '../../../src/theory/models/token-speeds.ts';
import { DENSE, type Params, recorded } from '../../../test/model-questions.ts';
import type { NumberFact } from '../../../test/text-rules.ts';

/* Questions about the speed of whole models. */

/** In milliseconds with one decimal, like the printed time of a token. */
export const ms = (value: number): NumberFact => ({ value: 1e6 * value, unit: 'time', digits: 1 });

/** Devices with more and more unknown facts, one that launches slowly, and one that was measured in software. */
export const DEVICES: readonly Device[] = [
  recorded,
  {
    ...recorded,
    reports: recorded.reports.map((report) => ({
      ...report,
      environment: { ...report.environment, isFallback: true },
    })),
  },
  { ...recorded, roofs: recorded.roofs && { ...recorded.roofs, dispatchNs: 30_000 } },
  { ...recorded, name: 'A card', reports: [] },
  { ...recorded, name: 'A card', roofs: null, reports: [] },
];

/** The facts about the speed of a model that the page shows, in the form that its hook returns. */
export function modelSpeedFacts(
  model: ModelShape,
  device: Device,
  format: AnyListedFormat,
  params: Params,
  density: number,
) {
  const isDense = format.id === referenceFormat.id;
  const modelFormat = { format, params, fusion: 'separate', keepHead: true } as const;
  const query = {
    operation: 'spmv',
    tokens: 1,
    stored: { format: format.id, params },
    dense: { format: 'dense', params: DENSE },
    hasKernel: true,
    device: device.name,
  };
  const matrixTimes = matrixTimesAt(model, modelFormat, density, device.reports, query);
  const tokenSpeedsOf = (id: string, values: Params) =>
    tokenSpeeds({ model: model.name, format: id, params: values, device: device.name });
  const wholeModel = { dense: tokenSpeedsOf('dense', DENSE), stored: isDense ? [] : tokenSpeedsOf(format.id, params) };
  return {
    modelShape: model,
    density,
    format,
    isDense,
    device,
    timesAtDensity: matrixTimes,
    measuredTimes: [],
    readGBps: device.roofs?.readGBps ?? null,
    pytorch: pytorchOn(device.name, model.name),
    wholeTokens: wholeModel,
  };
}

/**
 * Every large model on every device, in formats that were timed at the shapes of the model. Two of the densities were
 * timed, one was not.
 */
export function* questions(): Generator<ReturnType<typeof modelSpeedFacts> & { readonly params: Params }> {
  const storedFormats: readonly (readonly [id: string, params: Params])[] = [
    ['dense', DENSE],
    ['macko', { deltaBits: 4, valueType: 'f16' }],
    ['dense', { valueType: 'i4' }],
    ['csr', { valueType: 'f16', indexBits: 16 }],
  ];
  for (const modelShape of KNOWN_MODELS.filter(({ name }) => LARGE_MODELS.includes(name))) {
    for (const device of DEVICES) {
      for (const [id, params] of storedFormats) {
        const format = formats.find((candidate) => candidate.id === id);
        if (!format) throw new Error(`found no format ${id}`);
        for (const density of [0.5, 0.3, 0.77])
          yield { ...modelSpeedFacts(modelShape, device, format, params, density), params };
      }
    }
  }
}

/** The cells of a line of a table. */
export const cells = (line: string): readonly string[] => line.split('|').map((cell) => cell.trim());
