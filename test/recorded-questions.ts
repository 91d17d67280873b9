// For tests of measured times: every pair of a matrix and a format that the shipped recordings can answer.

import { readdirSync, readFileSync } from 'node:fs';
import type { BenchReport, BenchRow } from '../src/core/report.ts';
import { checkRecording } from '../src/core/reports/recording-check.ts';
import { fullDeviceReports } from '../src/core/reports/recording.ts';
import { formats } from '../src/formats/catalog.ts';
import type { TimedMatrix, FormatQuery } from '../src/kit/report/matrix-times.ts';
import { type StoredVariant, storedVariantOf } from '../src/pages/compare/rows/stored-variants.ts';
import { measuredOf, timesWith } from '../src/pages/measure/answer/use-measured.ts';
import type { Device } from '../src/state/devices/device.ts';
import { roofsFrom } from '../src/state/devices/roofs.ts';
import type { FormatParams } from '../src/state/index.ts';

const FOLDER = 'public/recordings';
export const recordedDevices = readdirSync(FOLDER)
  .filter((file) => file.includes('@'))
  .map((file): Device => {
    const recording = checkRecording(file, JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')));
    const { id, name } = recording;
    const reports = fullDeviceReports(recording);
    return {
      id,
      kind: 'recorded',
      name,
      label: name,
      reports,
      roofs: roofsFrom([recording.roofs]),
      isSoftware: false,
    };
  });

/** The matrices whose products were timed on a device, each with weights pruned anywhere and evenly in every row. */
export function timedMatrices({ reports }: Device): readonly TimedMatrix[] {
  const matrices = new Map<string, TimedMatrix>();
  for (const { workload } of reports) {
    if (workload.operation !== 'spmv' && workload.operation !== 'gemm') continue;
    const { rows, cols, sizes } = workload;
    const density = Number(workload.density.toPrecision(2));
    const tokens = sizes?.tokens ?? 1;
    for (const isEven of [false, true]) {
      matrices.set(`${rows}x${cols}, ${density}, ${tokens} tokens${isEven ? ', evenly' : ''}`, {
        rows,
        cols,
        density,
        tokens,
        isEven,
        isEstimated: true,
        names: [],
        nnz: Math.round(density * rows * cols),
      });
    }
  }
  return [...matrices.values()];
}

/** Every format and parameters that were timed on the shape of a matrix. */
export function timedVariants(reports: readonly BenchReport[], { rows, cols }: TimedMatrix): readonly StoredVariant[] {
  const variants = new Map<string, StoredVariant>();
  for (const report of reports) {
    if (report.workload.rows !== rows || report.workload.cols !== cols) continue;
    for (const row of report.rows) {
      const format = formats.find(({ id }) => id === row.format);
      const variant = format && storedVariantOf(format, row.params as FormatParams, { rows, cols });
      if (variant) variants.set(variant.key, variant);
    }
  }
  return [...variants.values()];
}

/** The query that finds a format with its parameters in reports. */
export const queryOf = ({ format, stored }: StoredVariant): FormatQuery => ({ ...stored, spec: format.params });

/** The figures that Measure shows for a matrix that is not encoded, in A and in B. */
export const answerOf = (
  matrix: TimedMatrix,
  device: Device,
  a: StoredVariant,
  b: StoredVariant,
): ReturnType<typeof measuredOf> =>
  measuredOf({
    formats,
    summary: {
      ...matrix,
      generation: 1,
      name: 'm',
      source: { kind: 'model', model: 'x' },
      location: { isShipped: true },
      // A partial summary: times do not depend on the missing fields.
    } as never,
    matrix,
    device,
    times: timesWith(matrix, queryOf(a), queryOf(b))(device),
    encodingOf: () => undefined,
    queryA: queryOf(a),
    queryB: queryOf(b),
  });

/** The fastest verified row of a format with its parameters in a report, found without the code of the page. */
export function rowIn(report: BenchReport, { format, stored }: StoredVariant): BenchRow | null {
  const matching = report.rows.filter(
    (row) =>
      row.format === format.id &&
      row.verified.ok &&
      row.medianNs !== null &&
      Object.entries(stored.params).every(([name, value]) => (row.params[name] ?? value) === value),
  );
  return matching.toSorted((x, y) => (x.medianNs ?? 0) - (y.medianNs ?? 0))[0] ?? null;
}

/** The median of the ratios of each round; the ratio of the medians if the rows were not timed in the same rounds. */
export function ratioOf(a: BenchRow, b: BenchRow): number {
  const isShared = a.samplesNs.length > 0 && a.samplesNs.length === b.samplesNs.length;
  const ratios = isShared ? a.samplesNs.map((ns, i) => b.samplesNs[i] / ns).toSorted((x, y) => x - y) : [];
  const middle = (ratios.length - 1) / 2;
  return ratios.length > 0
    ? (ratios[Math.floor(middle)] + ratios[Math.ceil(middle)]) / 2
    : (b.medianNs ?? 0) / (a.medianNs ?? 1);
}
