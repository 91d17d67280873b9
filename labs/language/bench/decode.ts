/** `npm run decode`: times whole tokens, or a prefill, of a model with the sizes of a real one and random weights. */
import { version } from '../../../package.json' with { type: 'json' };
import { runProgram } from '../../../scripts/command-line.ts';
import { formats, referenceFormat } from '../../../src/formats/registry.ts';
import { decodeShapes } from '../decoders/shapes/decode-shapes.ts';
import { prefillWithBlocks } from './feed-forward.ts';
import { prefillOfShapes } from './prefill.ts';
import type { DecodeReport } from '../../../src/core/reports/decode-report.ts';
import { ACTIVE_NEURONS, DECODE_USAGE, parseDecodeArguments } from './decode-arguments.ts';
import { decodeText, feedForwardText, prefillText } from './decode-text.ts';
import { CommandLineJob } from '../../../bench/measure.ts';
import { openNodeDevice } from '../../../bench/node-gpu.ts';
import { JsonOutput } from '../../../bench/output-file.ts';
import { forgetTuning, TUNING_FILE, tuningFile } from '../../../bench/tuning-file.ts';

/** Runs one of three measurements: prefills with blocks in i8, a prefill with blocks of formats, or whole tokens. */
async function main(argv: readonly string[]): Promise<number> {
  const {
    model,
    format,
    params,
    tuning,
    json: jsonPath,
    timesSoftware,
    feedForward,
    prefills,
    eightBits,
    ...options
  } = parseDecodeArguments(argv, formats);
  const json = new JsonOutput(jsonPath);
  if (tuning === 'again') forgetTuning(TUNING_FILE);
  const context = await openNodeDevice();
  const job = new CommandLineJob();
  let report: DecodeReport | null = null;
  const shared = {
    dense: referenceFormat,
    tuning: tuning === 'off' ? tuning : tuningFile(TUNING_FILE),
    isTimed: timesSoftware || !context.facts.isFallback,
    job,
  };
  const save = async (result: object): Promise<void> => {
    const { environment } = context;
    await json.save({ createdAt: new Date().toISOString(), environment, ...result });
  };
  try {
    if (eightBits.length > 0) {
      const { seed } = options;
      const result = await prefillOfShapes(context, model, { ...shared, stored: eightBits, tokens: prefills, seed });
      await save(result);
      json.print(prefillText(result));
      return result.ok ? 0 : 1;
    }
    if (feedForward.length > 0) {
      const { prefill: tokens, seed } = options;
      const result = await prefillWithBlocks(context, model, {
        ...shared,
        formats: feedForward,
        tokens,
        seed,
        active: ACTIVE_NEURONS,
      });
      await save(result);
      json.print(feedForwardText(result));
      return result.ok ? 0 : 1;
    }
    report = await decodeShapes(context, model, {
      ...options,
      ...shared,
      stored: { format, params },
      app: `sparsescope ${version}`,
      onReport: (soFar) => {
        report = soFar;
        void json.save(soFar);
      },
    });
    return report.ok ? 0 : 1;
  } finally {
    job.clear();
    // Also after an error: prints the results so far.
    if (report !== null) json.print(decodeText(report));
    await json.end();
  }
}

// Not process.exitCode: the device keeps the process alive.
process.exit(await runProgram('tokens', DECODE_USAGE, main));
