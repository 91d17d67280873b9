// Times whole tokens of a large model on the user's device.

import type { DecodeReport } from '../../../../src/core/reports/decode-report.ts';
import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import type { EngineHost } from '../../../../src/engine/host.ts';
import { referenceFormat } from '../../../../src/formats/registry.ts';
import type { ModelShape } from '../../../../src/theory/models/model-shape.ts';
import { decodeShapes } from '../../decoders/shapes/decode-shapes.ts';
import type { DecodeRequest, OnDecodeReport } from './types.ts';

/** Settings on a GPU, the same as of `npm run decode -- --context 0,1000,4000 --prefill 512`. */
const DECODE_SETTINGS = { contexts: [0, 1000, 4000], tokens: 100, rounds: 10, prefill: 512, isTimed: true } as const;
/**
 * Settings on a software adapter: outputs are verified, not timed. At 70 positions attention has more than one span.
 */
const DECODE_SETTINGS_IN_SOFTWARE = { contexts: [0, 70], tokens: 3, rounds: 1, prefill: 5, isTimed: false } as const;

/**
 * Decodes with a model's sizes and generated weights; on a software adapter with tiny sizes, and without times. Each
 * report is delivered before the next report is sent, and the last report before the call ends in any way. Throws
 * NoDeviceError and the errors of `decodeShapes`.
 */
export async function decodeHere(
  host: EngineHost,
  { model, format, params, density }: DecodeRequest,
  job: ServiceJob,
  onReport: OnDecodeReport,
): Promise<DecodeReport> {
  const context = await host.device.open();
  const { isFallback } = context.facts;
  let reported: Promise<unknown> = Promise.resolve();
  try {
    return await decodeShapes(context, isFallback ? tinyModel(model) : model, {
      ...(isFallback ? DECODE_SETTINGS_IN_SOFTWARE : DECODE_SETTINGS),
      stored: { format: host.format(format), params },
      dense: referenceFormat,
      density,
      seed: 1,
      tuning: host.tuning ?? 'off',
      app: host.app,
      job,
      onReport(report) {
        reported = reported.then(() => onReport(report));
      },
    });
  } finally {
    await reported;
  }
}

/** The same kind of model, with the smallest sizes that the kernels allow. */
function tinyModel(model: ModelShape): ModelShape {
  const isGrouped = model.kvHeads < model.heads;
  const sizes = { hidden: 64, intermediate: 128, layers: 2, heads: 2, headDim: 32, vocabulary: 300 };
  return { ...model, ...sizes, kvHeads: isGrouped ? 1 : 2 };
}
