import { REPORT_BOUNDS } from '../bounds/bounds.ts';
import {
  aBoolean,
  aCount,
  aDate,
  aNonNegativeNumber,
  aRecord,
  aReportText,
  fault,
  listOf,
  nullable,
  listOfNumbers,
  objectOf,
  oneOf,
  optional,
  readAs,
  recordOf,
  aShare,
} from '../bounds/shapes.ts';
import {
  type DecodeMatrix,
  type DecodeReport,
  type DecodeRun,
  failedStages,
  type StageCheck,
} from './decode-report.ts';
import { anEnvironment } from './report-check.ts';

/** A stage: a part of the computation of a token, such as the products q, k, v of a block. */
const stage = objectOf<StageCheck>({ what: aReportText, position: aCount, ok: aBoolean, worst: aNonNegativeNumber });

const run = objectOf<DecodeRun>({
  context: aCount,
  tokens: aCount,
  roundMs: listOfNumbers(REPORT_BOUNDS.samples, 'rounds'),
  msPerToken: nullable(
    objectOf<NonNullable<DecodeRun['msPerToken']>>({
      median: aNonNegativeNumber,
      p10: aNonNegativeNumber,
      p90: aNonNegativeNumber,
    }),
  ),
  bytesPerToken: aNonNegativeNumber,
  dispatches: aCount,
  times: nullable(
    objectOf<NonNullable<DecodeRun['times']>>({
      position: aCount,
      source: oneOf('timestamp-query', 'wall-clock'),
      quantumNs: aNonNegativeNumber,
      kinds: recordOf(
        objectOf<NonNullable<DecodeRun['times']>['kinds'][string]>({ launches: aCount, ns: aNonNegativeNumber }),
      ),
      tokenNs: listOfNumbers(REPORT_BOUNDS.samples, 'samples'),
    }),
  ),
  checks: objectOf<DecodeRun['checks']>({
    before: listOf(stage, REPORT_BOUNDS.properties, 'stages'),
    after: listOf(stage, REPORT_BOUNDS.properties, 'stages'),
  }),
});

const matrix = objectOf<DecodeMatrix>({
  names: aReportText,
  rows: aCount,
  cols: aCount,
  count: aCount,
  format: aReportText,
  kernel: aReportText,
  several: nullable(aReportText),
  many: optional(nullable(aReportText)),
  chosen: recordOf(aNonNegativeNumber),
  manyChosen: optional(recordOf(aNonNegativeNumber)),
  ns: nullable(aNonNegativeNumber),
  bytes: aCount,
});

const report = objectOf<DecodeReport>({
  schema: oneOf(1),
  what: oneOf('decode'),
  createdAt: aDate,
  app: aReportText,
  environment: anEnvironment,
  model: objectOf<DecodeReport['model']>({ name: aReportText, layers: aCount, sizes: aReportText }),
  format: aReportText,
  params: aRecord,
  density: aShare,
  matrices: listOf(matrix, REPORT_BOUNDS.rows, 'matrices'),
  bytes: recordOf(aNonNegativeNumber),
  setup: objectOf<DecodeReport['setup']>({ makeSeconds: aNonNegativeNumber, openSeconds: aNonNegativeNumber }),
  runs: listOf(run, REPORT_BOUNDS.properties, 'runs'),
  prefill: nullable(
    objectOf<NonNullable<DecodeReport['prefill']>>({
      tokens: aCount,
      together: aCount,
      roundMs: listOfNumbers(REPORT_BOUNDS.samples, 'rounds'),
      logitsAfter: optional(oneOf('last')),
      check: optional(stage),
    }),
  ),
  ok: aBoolean,
  unfinished: optional(aReportText),
});

/**
 * The value of the file `name` as a decode report: the times of whole tokens that a language model decoded. Throws
 * ReadError with the name, the position in the file, found and expected.
 */
export function checkDecodeReport(name: string, value: unknown): DecodeReport {
  return readAs(name, value, () => {
    report(value, null);
    const { ok, runs, prefill } = value as DecodeReport;
    const [wrong] = failedStages({ runs, prefill });
    if (ok && wrong)
      throw fault({ parent: null, key: 'ok' }, `found true, expected false, as '${wrong.what}' is wrong`);
    return value as DecodeReport;
  });
}
