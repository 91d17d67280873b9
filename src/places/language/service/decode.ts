import type { DecodeReport } from '../../../core/reports/decode-report.ts';
import type { ServiceJob } from '../../../engine/bridge/job.ts';
import type { EngineHost } from '../../../engine/host.ts';
import { referenceFormat } from '../../../formats/registry.ts';
import { decodeShapes } from '../../../language/shapes/decode.ts';
import type { ModelShape } from '../../../theory/models/model-shape.ts';
import type { DecodeRequest, OnDecodeReport } from './types.ts';

/** As on the command line with `--context 0,1000,4000 --prefill 512`. */
const TASK = { contexts: [0, 1000, 4000], tokens: 100, rounds: 10, prefill: 512, isTimed: true } as const;
/** Every stage, and attention over more than one span: a software adapter verifies, and its times would say nothing. */
const TASK_IN_SOFTWARE = { contexts: [0, 70], tokens: 3, rounds: 1, prefill: 5, isTimed: false } as const;

/**
 * Decodes at the sizes of a model, with generated weights; on a software adapter with tiny sizes, and without a time. Each
 * report has arrived when the next one is sent, and the last one when the call ends, whichever way. Throws NoDeviceError and
 * what `decodeShapes` throws.
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
    return await decodeShapes(context, isFallback ? tiny(model) : model, {
      ...(isFallback ? TASK_IN_SOFTWARE : TASK),
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

/** The same kind of model, as small as its stages allow. */
function tiny(model: ModelShape): ModelShape {
  const isGrouped = model.kvHeads < model.heads;
  const sizes = { hidden: 64, intermediate: 128, layers: 2, heads: 2, headDim: 32, vocabulary: 300 };
  return { ...model, ...sizes, kvHeads: isGrouped ? 1 : 2 };
}
