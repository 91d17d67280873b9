/** `npm run decode`: times whole tokens, or a prefill, of a model with real sizes and random weights. */
import { writeFileSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { SparseScopeError } from '../../src/core/errors.ts';
import { formats, referenceFormat } from '../../src/formats/registry.ts';
import { decodeShapes } from '../../src/labs/language/decoders/shapes/decode-shapes.ts';
import { prefillWithBlocks } from './feed-forward.ts';
import { prefillOfShapes } from './prefill.ts';
import type { DecodeReport } from '../../src/core/reports/decode-report.ts';
import { ArgumentError } from '../arguments.ts';
import { ACTIVE_NEURONS, DECODE_USAGE, parseDecodeArguments } from './decode-arguments.ts';
import { decodeText, feedForwardText, prefillText } from './decode-text.ts';
import { CommandLineJob } from '../measure.ts';
import { openNodeDevice } from '../node-gpu.ts';
import { checkOutput } from '../output-file.ts';
import { forgetTuning, TUNING_FILE, tuningFile } from '../tuning-file.ts';

async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help')) {
    console.log(DECODE_USAGE);
    return 0;
  }
  const { model, format, params, tuning, json, timesSoftware, feedForward, prefills, eightBits, ...options } =
    parseDecodeArguments(argv, formats);
  if (json !== null) checkOutput('--json', json);
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
  const keep = (found: object): void => {
    if (json === null) return;
    const { environment } = context;
    const createdAt = new Date().toISOString();
    writeFileSync(json, `${JSON.stringify({ createdAt, environment, ...found }, null, 2)}\n`);
  };
  try {
    if (eightBits.length > 0) {
      const { seed } = options;
      const found = await prefillOfShapes(context, model, { ...shared, stored: eightBits, tokens: prefills, seed });
      keep(found);
      console.log(prefillText(found));
      return found.ok ? 0 : 1;
    }
    if (feedForward.length > 0) {
      const { prefill: tokens, seed } = options;
      const found = await prefillWithBlocks(context, model, {
        ...shared,
        formats: feedForward,
        tokens,
        seed,
        active: ACTIVE_NEURONS,
      });
      keep(found);
      console.log(feedForwardText(found));
      return found.ok ? 0 : 1;
    }
    report = await decodeShapes(context, model, {
      ...options,
      ...shared,
      stored: { format, params },
      app: `sparsescope ${packageJson.version}`,
      onReport: (soFar) => {
        report = soFar;
        if (json !== null) writeFileSync(json, `${JSON.stringify(soFar, null, 2)}\n`);
      },
    });
    return report.ok ? 0 : 1;
  } finally {
    job.clear();
    // Also the results so far, if it broke off.
    if (report !== null) console.log(decodeText(report));
  }
}

try {
  // Not process.exitCode: the device keeps the process alive.
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof SparseScopeError)) throw error;
  console.error(`tokens: ${error.message}`);
  process.exit(error instanceof ArgumentError ? 2 : 1);
}
