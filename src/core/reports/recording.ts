import type { BenchReport, BenchRow, Environment, RecordingMark, Rejection, Verification } from '../report.ts';

/** How a device is opened: with all its features, without subgroups, or with the specification's minimum. */
export const DEVICE_MODES = ['full', 'no-subgroups', 'minimum'] as const;
export type DeviceMode = (typeof DEVICE_MODES)[number];

/**
 * The measurements of all kernels on one device: many reports, without their samples, and with their common fields
 * written once. Made by `npm run record`, shipped below public/recordings/.
 */
export interface Recording {
  readonly schema: 1;
  /** 'h200@2026-11-22': the name of the recording's file */
  readonly id: string;
  /** of the device: 'NVIDIA H200' */
  readonly name: string;
  /** 2026-11-22, when it began */
  readonly date: string;
  readonly driver: string;
  /** git commit of the sources */
  readonly commit: string;
  readonly app: string; // name and version of the application
  readonly clock: BenchReport['clock'];
  readonly environments: { readonly [K in DeviceMode]?: Environment };
  /** medians over the reports of the device with all features */
  readonly roofs: Roofs;
  /** the kernels that were measured, by id */
  readonly kernels: Readonly<Record<string, RecordedKernel>>;
  readonly reports: readonly RecordedReport[];
}

/** The measured limits of a device, for rooflines: bandwidth, time of an empty dispatch, multiply-adds per second. */
export type Roofs = Pick<
  BenchReport,
  'readBandwidthGBps' | 'nullDispatchNs' | 'peakGFMAps' | 'peakI8GMAps' | 'peakI8MatrixGMAps'
>;

interface RecordedKernel {
  readonly title: string;
  /** a hash of its WGSL and plan, by which a change is noticed */
  readonly hash: string;
}

/** A report without the fields that all reports of a recording share. */
export interface RecordedReport extends Roofs {
  /** how the device was opened; absent: 'full' */
  readonly opened?: DeviceMode;
  /** for a report of a later sitting (run of `npm run record`) with unchanged kernels: its day and commit */
  readonly sitting?: Pick<RecordingMark, 'date' | 'commit'>;
  readonly createdAt: string;
  readonly workload: BenchReport['workload'];
  readonly rows: readonly RecordedRow[];
  readonly refused: readonly Rejection[];
  readonly notes: readonly string[];
}

/** A row of a report, of a kernel that was correct before, during and after its rounds. */
export interface RecordedRow extends Pick<
  BenchRow,
  | 'kernel'
  | 'format'
  | 'params'
  | 'bytes'
  | 'multiplyAdds'
  | 'arithmetic'
  | 'tuned'
  | 'vsDense'
  | 'runsPerSample'
  | 'copies'
  | 'encodeMs'
  | 'uploadMs'
  | 'compileMs'
  | 'firstDispatchMs'
> {
  readonly verified: Pick<Verification, 'outputs' | 'compared' | 'worstShare' | 'checkedWhileTimed'>;
  readonly medianNs: number;
  readonly p10Ns: number;
  readonly p90Ns: number;
  /** as in `BenchRow`; absent: false */
  readonly cached?: true;
}

/** A recording as an entry of a list, before the recording is loaded. */
export interface RecordingEntry extends RecordingMark {
  /** size of its file */
  readonly bytes: number;
  /** the shapes of its matrices, each once: '4096x14336' */
  readonly shapes: readonly string[];
  readonly roofs: Roofs;
}

/** public/recordings/index.json: the newest first. */
export interface RecordingIndex {
  readonly schema: 1;
  readonly recordings: readonly RecordingEntry[];
}

/** The fields of a recording that identify the source of a number. */
export function markOf({ id, name, date, driver, commit }: RecordingMark): RecordingMark {
  return { id, name, date, driver, commit };
}

/** The reports of a recording with all their fields, but without samples. */
export function unpackRecording(recording: Recording): readonly BenchReport[] {
  const mark = markOf(recording);
  return recording.reports.flatMap((recorded) => {
    const { opened = 'full', sitting, createdAt, workload, rows, refused: rejected, notes, ...roofs } = recorded;
    const environment = recording.environments[opened];
    if (!environment) return [];
    return {
      schema: 1,
      createdAt,
      app: recording.app,
      recorded: sitting ? { ...mark, ...sitting } : mark,
      environment,
      clock: recording.clock,
      ...roofs,
      workload,
      rows: rows.map((row) => unpackRow(row, recording)),
      refused: rejected,
      notes,
    };
  });
}

function unpackRow(row: RecordedRow, { kernels }: Recording): BenchRow {
  return {
    ...row,
    title: kernels[row.kernel]?.title ?? row.kernel,
    where: 'gpu',
    verified: { ok: true, failures: [], failureCount: 0, checkedAfterTiming: true, ...row.verified },
    samplesNs: [],
    GBps: row.bytes / row.medianNs,
    cached: row.cached ?? false,
  };
}

/** The reports of the device with all its features, the newest first. */
export function fullDeviceReports(recording: Recording): readonly BenchReport[] {
  const fullEnvironment = recording.environments.full;
  return unpackRecording(recording)
    .filter(({ environment }) => environment === fullEnvironment)
    .toReversed();
}

/** The entry of a recording in index.json; `bytes` of its file. */
export function entryOf(recording: Recording, bytes: number): RecordingEntry {
  const shapes = recording.reports.map(({ workload }) => `${workload.rows}x${workload.cols}`);
  return { ...markOf(recording), bytes, shapes: [...new Set(shapes)], roofs: recording.roofs };
}

/**
 * Whether the application's kernel has changed since the recording; `hashes`: from src/formats/hashes.ts. False for
 * a kernel that the recording or the application does not have.
 */
export function hasKernelChanged(
  { kernels }: { readonly kernels: Readonly<Record<string, RecordedKernel>> },
  kernel: string,
  hashes: Readonly<Record<string, string>>,
): boolean {
  const recorded = Object.hasOwn(kernels, kernel) ? kernels[kernel].hash : null;
  const now = Object.hasOwn(hashes, kernel) ? hashes[kernel] : null;
  return recorded !== null && now !== null && recorded !== now;
}
