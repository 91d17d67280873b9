// Packs the reports of `npm run record` into a recording: the measured times of one device, which the page can show.

import { median } from '../../src/core/number/statistics.ts';
import { describeFailure } from '../../src/core/operations/verify.ts';
import { ARITHMETICS, type BenchReport, type BenchRow, PEAK_FIELDS } from '../../src/core/report.ts';
import type { DeviceMode, RecordedReport, RecordedRow, Recording, Roofs } from '../../src/core/reports/recording.ts';

/** Metadata supplied by the user who records. */
export interface RecordingMetadata {
  readonly name: string;
  readonly driver: string;
  readonly commit: string;
  /** hash of each kernel of the application, by id */
  readonly hashes: Readonly<Record<string, string>>;
}

/** The id of a recording: 'h200@2026-11-22' for 'NVIDIA H200' and '2026-11-22'. */
export function recordingId(name: string, date: string): string {
  const words = name.toLowerCase().replace(/^(?:nvidia|amd|intel|apple|qualcomm|arm)\s+/, '');
  return `${words.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'device'}@${date}`;
}

/**
 * Packs complete reports, in their order, into one recording. All must be of one device, clock and application; `opened` states
 * whether a report's device had all of its features. A kernel that was wrong is listed as failed, one without times is left
 * out. Throws RangeError if there is no report with times.
 */
export function packRecording(
  reports: readonly { readonly opened: DeviceMode; readonly report: BenchReport }[],
  { name, driver, commit, hashes }: RecordingMetadata,
): Recording {
  const fullReport = reports.find(({ opened: mode }) => mode === 'full')?.report;
  if (!fullReport) throw new RangeError('recording: found no report of the whole device, expected at least one');
  const date = reports.map(({ report }) => report.createdAt.slice(0, 10)).toSorted()[0];
  const titles = new Map(reports.flatMap(({ report }) => report.rows.map(({ kernel, title }) => [kernel, title])));
  const packed = reports.map(({ opened: mode, report }) => packReport(mode, report));
  if (packed.every(({ rows }) => rows.length === 0)) {
    throw new RangeError('recording: found no kernel with a time, expected at least one');
  }
  const timedKernels = new Set(packed.flatMap(({ rows }) => rows.map(({ kernel }) => kernel)));
  return {
    schema: 1,
    id: recordingId(name, date),
    name,
    date,
    driver,
    commit,
    app: fullReport.app,
    clock: fullReport.clock,
    environments: Object.fromEntries(reports.map(({ opened: mode, report }) => [mode, report.environment])),
    roofs: roofsOf(packed),
    kernels: Object.fromEntries(
      [...timedKernels].toSorted().map((id) => [id, { title: titles.get(id) ?? id, hash: hashes[id] ?? '' }]),
    ),
    reports: packed,
  };
}

/**
 * Adds the reports of a later recording of the same device to a recording, each with the date and commit of the later one (its
 * sitting). A report of a workload that was measured again replaces the earlier one. Throws RangeError if the device or a kernel
 * has changed: then the whole recording has to be made again.
 */
export function withSitting(recording: Recording, laterRecording: Recording): Recording {
  const { name, environments, kernels } = recording;
  if (laterRecording.name !== name)
    throw new RangeError(`recording: found '${laterRecording.name}', expected more of '${name}'`);
  for (const [mode, environment] of Object.entries(laterRecording.environments)) {
    const earlier = environments[mode as DeviceMode];
    if (earlier && JSON.stringify(earlier) !== JSON.stringify(environment))
      throw new RangeError(`recording: found another environment of '${mode}' than in ${recording.id}`);
  }
  for (const [id, { hash }] of Object.entries(laterRecording.kernels)) {
    if (Object.hasOwn(kernels, id) && kernels[id].hash !== hash)
      throw new RangeError(`recording: found a changed kernel ${id}, expected the one of ${recording.id}`);
  }
  const keyOf = ({ opened: mode, workload, rows }: RecordedReport): string =>
    JSON.stringify([mode, workload, rows.map(({ kernel }) => kernel)]);
  const repeated = new Set(laterRecording.reports.map(keyOf));
  const sitting = { date: laterRecording.date, commit: laterRecording.commit };
  return {
    ...recording,
    environments: { ...laterRecording.environments, ...environments },
    kernels: { ...kernels, ...laterRecording.kernels },
    reports: [
      ...recording.reports.filter((report) => !repeated.has(keyOf(report))),
      ...laterRecording.reports.map((report) => ({ ...report, sitting })),
    ],
  };
}

/** Rounds to five significant digits: the error, at most 0.005 %, is far below the spread of any measurement. */
function fiveDigits(value: number): number {
  return Number(value.toPrecision(5));
}

/** Packs a report: rows of correct kernels with times, and the reasons why the others have none. */
function packReport(mode: DeviceMode, report: BenchReport): RecordedReport {
  const { createdAt, workload, rows, refused: rejected, notes } = report;
  const wrongRows = rows.filter(({ verified }) => !verified.ok);
  return {
    ...(mode === 'full' ? {} : { opened: mode }),
    createdAt,
    workload,
    ...roundedRoofs(report),
    rows: rows.flatMap(packRow),
    refused: [
      ...rejected,
      ...wrongRows.map(({ kernel, format, params, verified }) => {
        return { kernel, format, params, reason: describeFailure(verified), failed: true as const };
      }),
    ],
    notes,
  };
}

/** The row of a correct kernel of the application that was timed on the GPU, in a list; otherwise an empty list. */
function packRow(row: BenchRow): RecordedRow[] {
  const { verified, tuned, vsDense, medianNs, p10Ns, p90Ns } = row;
  if (!verified.ok || row.draft || row.where !== 'gpu') return [];
  if (medianNs === null || p10Ns === null || p90Ns === null || medianNs === 0) return [];
  const { outputs, compared, worstShare, checkedWhileTimed } = verified;
  return [
    {
      kernel: row.kernel,
      format: row.format,
      params: row.params,
      bytes: row.bytes,
      ...(row.multiplyAdds !== undefined && { multiplyAdds: row.multiplyAdds }),
      ...(row.arithmetic && { arithmetic: row.arithmetic }),
      ...(tuned && { tuned: { ...tuned, gain: fiveDigits(tuned.gain) } }),
      verified: {
        outputs,
        ...(compared !== undefined && { compared }),
        worstShare: fiveDigits(worstShare),
        ...(checkedWhileTimed !== undefined && { checkedWhileTimed }),
      },
      medianNs: fiveDigits(medianNs),
      p10Ns: fiveDigits(p10Ns),
      p90Ns: fiveDigits(p90Ns),
      vsDense: vsDense && {
        ...vsDense,
        ratio: fiveDigits(vsDense.ratio),
        p10: fiveDigits(vsDense.p10),
        p90: fiveDigits(vsDense.p90),
      },
      ...(row.cached && { cached: true as const }),
      runsPerSample: row.runsPerSample,
      copies: row.copies,
      encodeMs: fiveDigits(row.encodeMs),
      uploadMs: fiveDigits(row.uploadMs),
      compileMs: fiveDigits(row.compileMs),
      firstDispatchMs: fiveDigits(row.firstDispatchMs),
    },
  ];
}

/** The roofs of a device, rounded: read bandwidth, time of an empty dispatch and peaks of arithmetic. */
function roundedRoofs(roofs: Roofs): Roofs {
  const { readBandwidthGBps, nullDispatchNs } = roofs;
  const peaks = ARITHMETICS.flatMap((arithmetic) => {
    const peak = roofs[PEAK_FIELDS[arithmetic]];
    return peak === undefined ? [] : [[PEAK_FIELDS[arithmetic], fiveDigits(peak)]];
  });
  return {
    readBandwidthGBps: readBandwidthGBps === null ? null : fiveDigits(readBandwidthGBps),
    nullDispatchNs: nullDispatchNs === null ? null : fiveDigits(nullDispatchNs),
    ...(Object.fromEntries(peaks) as Partial<Roofs>),
  };
}

/** The medians of the roofs over all reports of the whole device; null if no report measured them. */
function roofsOf(reports: readonly RecordedReport[]): Roofs {
  const fullReports = reports.filter(({ opened: mode, rows }) => mode === undefined && rows.length > 0);
  const medianOf = (value: (report: RecordedReport) => number | null | undefined): number | null => {
    const values = fullReports.flatMap((report) => value(report) ?? []);
    return values.length === 0 ? null : median(values);
  };
  const peaks = ARITHMETICS.flatMap((arithmetic) => {
    const peak = medianOf((report) => report[PEAK_FIELDS[arithmetic]]);
    return peak === null ? [] : [[PEAK_FIELDS[arithmetic], peak]];
  });
  return roundedRoofs({
    readBandwidthGBps: medianOf((report) => report.readBandwidthGBps),
    nullDispatchNs: medianOf((report) => report.nullDispatchNs),
    ...(Object.fromEntries(peaks) as Partial<Roofs>),
  });
}
