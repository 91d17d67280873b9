import { writeFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { SparseScopeError } from '../src/core/errors.ts';
import { formats, referenceFormat } from '../src/formats/registry.ts';
import { decodeShapes } from '../src/language/shapes/decode.ts';
import { sizesText } from '../src/theory/models/model-sizes.ts';
import { ArgumentError } from './arguments.ts';
import { DECODE_USAGE, parseDecodeArguments } from './decode-arguments.ts';
import { decodeText } from './decode-text.ts';
import { CommandLineJob } from './measure.ts';
import { openNodeDevice } from './node-gpu.ts';
import { checkOutput } from './output-file.ts';
import { forgetTuning, TUNING_FILE, tuningFile } from './tuning-file.ts';

/** Decodes with generated weights of a model's sizes. */
async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help')) {
    console.log(DECODE_USAGE);
    return 0;
  }
  const { model, format, params, tuning, json, ...options } = parseDecodeArguments(argv, formats);
  if (json !== null) checkOutput('--json', json);
  if (tuning === 'again') forgetTuning(TUNING_FILE);
  const context = await openNodeDevice();
  const { environment } = context;
  const job = new CommandLineJob();
  const report = await decodeShapes(context, model, {
    ...options,
    stored: { format, params },
    dense: referenceFormat,
    tuning: tuning === 'off' ? 'off' : tuningFile(TUNING_FILE),
    job,
    onReport: (so) => {
      if (json === null) return;
      const file = { app: `sparsescope ${packageJson.version}`, sizes: sizesText(model), environment, ...so };
      writeFileSync(json, `${JSON.stringify(file, null, 2)}\n`);
    },
  });
  job.clear();
  console.log(decodeText(report, environment));
  return report.ok ? 0 : 1;
}

try {
  // Not process.exitCode: the device keeps the process alive.
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof SparseScopeError)) throw error;
  console.error(`decode: ${error.message}`);
  process.exit(error instanceof ArgumentError ? 2 : 1);
}
