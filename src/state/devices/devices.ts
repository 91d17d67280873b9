import { type BenchReport, CPU_ADAPTER } from '../../core/report.ts';
import type { RecordingEntry } from '../../core/reports/recording.ts';
import { PUBLISHED_DEVICES, type PublishedDevice, roofsOf } from '../../theory/roofline/devices.ts';
import type { DeviceStatus } from '../../engine/device.ts';
import { adapterName } from './adapter-name.ts';
import type { Device } from './device.ts';
import { isRecordedId, reportId, THIS_DEVICE, type EnteredSpeeds, enteredSpeeds } from './device-ids.ts';
import type { LoadedRecording } from './recordings.ts';
import { measuredRoofs, roofsFrom } from './roofs.ts';

// The devices whose speeds a page can show, and which of them it shows.

/** The sources of the list of devices. */
export interface DeviceSources {
  /** reports of all runs in this browser, measured or imported, newest first */
  readonly reports: readonly BenchReport[];
  /** null until it is known */
  readonly status: DeviceStatus | null;
  /** the recordings that come with the page, and the loaded ones, by id */
  readonly recorded: readonly RecordingEntry[];
  readonly loaded: Readonly<Record<string, LoadedRecording>>;
  /** the choice in the address: a device whose figures the user entered is listed while it is chosen */
  readonly deviceChoice: string;
}

/** Every device whose speeds a page can show: this device, then recorded, reported, published and typed ones. */
export function devicesOf({ reports, status, recorded, loaded, deviceChoice }: DeviceSources): readonly Device[] {
  const thisSource = status === null ? null : ownAdapter(status);
  const bySource = new Map<string, BenchReport[]>();
  for (const report of reports.filter(hasTimes)) {
    const source = sourceOf(report);
    const reportsOfSource = bySource.get(source);
    if (reportsOfSource) reportsOfSource.push(report);
    else bySource.set(source, [report]);
  }
  const isSoftware = status?.kind === 'ready' && status.environment.isFallback;
  const reportsOfThis: readonly BenchReport[] = thisSource === null ? [] : (bySource.get(thisSource) ?? []);
  const name = status?.kind === 'ready' ? adapterName(status.environment) : 'this device';
  const thisDevice: Device = {
    id: THIS_DEVICE,
    kind: 'this',
    name,
    label: thisLabel(name, status),
    reports: reportsOfThis,
    roofs: measuredRoofs(reportsOfThis),
    isSoftware,
  };
  const recordings = recorded.map((entry): Device => {
    const recording = loaded[entry.id];
    return {
      id: entry.id,
      kind: 'recorded',
      name: entry.name,
      label: `${entry.name}, ${dayText(entry.date)}`,
      reports: recording?.reports ?? [],
      roofs: roofsFrom([entry.roofs]),
      isSoftware: false,
      recorded: entry,
      shapes: entry.shapes,
      ...(recording && { changed: recording.changed }),
    };
  });
  const others = [...bySource]
    .filter(([source]) => source !== thisSource)
    .map(([source, reportsOfSource]): Device => {
      const [{ recorded: mark, environment }] = reportsOfSource;
      const imported = isImported(reportsOfSource[0]);
      // A mark in a file is its author's claim, so an imported report never counts as recorded.
      const name = imported ? `${mark?.name ?? adapterName(environment)}${IMPORTED}` : source;
      return {
        id: reportId(source),
        kind: 'report',
        name,
        label: imported && mark ? `${name}, ${dayText(mark.date)}` : name,
        reports: reportsOfSource,
        roofs: measuredRoofs(reportsOfSource),
        isSoftware: environment.isFallback,
        ...(imported ? { isImported: true as const } : {}),
      };
    });
  // A device with a recording is not listed again as a published one that this project measured.
  const isRecorded = (device: PublishedDevice): boolean =>
    device.by === 'measured' && recorded.some((entry) => device.name.startsWith(`${entry.name}, `));
  const listed = PUBLISHED_DEVICES.filter((device) => device.id === deviceChoice || !isRecorded(device));
  const published = listed.map((device): Device => ({
    id: device.id,
    kind: 'published',
    name: device.name,
    label: device.name,
    reports: [],
    roofs: roofsOf(device),
    isSoftware: false,
    published: device,
  }));
  const typed = typedDevice(deviceChoice);
  return [thisDevice, ...recordings, ...others, ...published, ...(typed ? [typed] : [])];
}

/** Whether a report shows a device's speed; on a software adapter, kernels may only have been verified. */
function hasTimes({ environment, rows }: BenchReport): boolean {
  return !environment.isFallback || rows.some(({ medianNs }) => medianNs !== null);
}

/** A key for the device of a report; an imported report never counts as one of this device. */
function sourceOf(report: BenchReport): string {
  return `${report.recorded?.id ?? adapterName(report.environment)}${isImported(report) ? IMPORTED : ''}`;
}

/** Whether a report comes from a file: it was imported, or is part of a recording. */
function isImported({ recorded, imported }: BenchReport): boolean {
  return imported === true || recorded !== undefined;
}

/** Follows the name of a device with imported reports. */
const IMPORTED = ', imported';

/** The name of this device in its own reports. */
function ownAdapter(status: DeviceStatus): string {
  return status.kind === 'ready' ? adapterName(status.environment) : CPU_ADAPTER;
}

function thisLabel(name: string, status: DeviceStatus | null): string {
  if (status === null) return name;
  if (status.kind === 'unavailable') return 'this device, without a GPU';
  return status.environment.isFallback ? `${name}, this device, in software` : `${name}, this device`;
}

function typedDevice(on: string): Device | null {
  const figures = enteredSpeeds(on);
  if (!figures) return null;
  const { readGBps, f32Tflops } = figures;
  const name = `a device that reads ${readGBps} GB/s`;
  const peakGMAps: Readonly<Record<string, number>> = f32Tflops === null ? {} : { f32: (f32Tflops * 1000) / 2 };
  return {
    id: on,
    kind: 'typed',
    name,
    label: name,
    reports: [],
    roofs: { readGBps, peakGMAps, dispatchNs: 0 },
    isSoftware: false,
  };
}

/** Made once: to make one takes longer than to format many days. */
let dayFormat: Intl.DateTimeFormat | undefined;

/** '2026-11-22' as '22 November 2026' */
export function dayText(date: string): string {
  const day = new Date(date.slice(0, 10));
  if (Number.isNaN(day.getTime())) return String(day);
  dayFormat ??= new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return dayFormat.format(day);
}

/** The device whose times a page shows, and what is still to be loaded for this choice. */
export interface DeviceChoice {
  readonly device: Device;
  /** whether the user or a link has chosen the device */
  readonly isChosen: boolean;
  /** the recording that is needed and not loaded yet */
  readonly needs: string | null;
  /** whether the list of recordings is needed and not loaded yet */
  readonly needsIndex: boolean;
  /** why the chosen device is missing; null if it is there */
  readonly missing: string | null;
}

/** What the choice of a device depends on. The "question" is the data that the page needs, such as times on a matrix. */
export interface DeviceQuery {
  readonly devices: readonly Device[];
  /** the choice in the address; '' for none */
  readonly deviceChoice: string;
  /** null until it is known */
  readonly status: DeviceStatus | null;
  /** whether the list of recordings has been loaded, or has failed to load */
  readonly areListed: boolean;
  /** whether a recording is loaded, or cannot be: nothing to wait for */
  readonly isSettled: (id: string) => boolean;
  /** Whether a recording may have times for the question, before it is loaded. */
  readonly mayHave: (device: Device) => boolean;
  /** Whether a device has times for the question. */
  readonly has: (device: Device) => boolean;
  /** Whether a device has all times for the question; absent: some are enough. */
  readonly hasAll?: ((device: Device) => boolean) | undefined;
}

/**
 * Chooses the device whose times a page shows: the device in the address; else this device if it has times for the
 * question, even from a software adapter; else a device with times in the user's reports, unless it is software; else
 * the newest recording; else this device without times. A device with some times yields to a recording with all times.
 */
export function chooseDevice(query: DeviceQuery): DeviceChoice {
  const { devices, deviceChoice, status, areListed, isSettled, mayHave, has, hasAll } = query;
  const chosen = deviceChoice === '' ? null : chosenDevice(devices, deviceChoice);
  if (chosen) {
    const needs = chosen.recorded && !isSettled(chosen.id) ? chosen.id : null;
    return { device: chosen, isChosen: true, needs, needsIndex: false, missing: null };
  }
  const [thisDevice] = devices;
  const unchosen = { isChosen: false, needs: null, needsIndex: false, missing: null } as const;
  if (isRecordedId(deviceChoice) && !areListed)
    return { ...unchosen, device: thisDevice, isChosen: true, needsIndex: true };
  const missing = deviceChoice === '' ? null : missingText(deviceChoice);
  if (status === null) return { ...unchosen, device: thisDevice, missing };
  // The first device is this one.
  const withUserTimes = devices.filter(
    ({ kind, isSoftware }, i) => (i === 0 || (kind === 'report' && !isSoftware)) && has(devices[i]),
  );
  const complete = withUserTimes.find((device) => hasAll?.(device) ?? true);
  if (complete) return { ...unchosen, device: complete, missing };
  const [partial] = withUserTimes;
  if (!areListed) return { ...unchosen, device: partial ?? thisDevice, needsIndex: true, missing };
  const recorded = devices.find(({ kind }) => kind === 'recorded');
  if (!recorded) return { ...unchosen, device: partial ?? thisDevice, missing };
  if (!isSettled(recorded.id) && mayHave(recorded)) {
    return { ...unchosen, device: partial ?? recorded, needs: recorded.id, missing };
  }
  if (partial) return { ...unchosen, device: hasAll?.(recorded) ? recorded : partial, missing };
  const isGpu = status.kind === 'ready' && !status.environment.isFallback;
  return { ...unchosen, device: has(recorded) || !isGpu ? recorded : thisDevice, missing };
}

/** The device with this id; for a recording that no longer exists, the newest recording of the same device. */
function chosenDevice(devices: readonly Device[], on: string): Device | null {
  const found = devices.find(({ id }) => id === on) ?? devices.find(({ id }) => id === `${on}${IMPORTED}`);
  if (found) return found;
  const [thisDevice] = devices;
  if (on === reportId(thisDevice.name)) return thisDevice;
  if (!isRecordedId(on)) return null;
  const [name] = on.split('@'); // a recording's id: the device's name @ its date
  return devices.find(({ kind, id }) => kind === 'recorded' && id.split('@')[0] === name) ?? null;
}

function missingText(on: string): string {
  if (on.startsWith('report:')) {
    return `This browser has no report of ${on.slice('report:'.length)}: import it under Measure.`;
  }
  return `There is no recording ${on}.`;
}

/** The id of a device with these speeds: 'typed:900' or 'typed:900,82.6'. */
export function typedId({ readGBps, f32Tflops }: EnteredSpeeds): string {
  return `typed:${readGBps}${f32Tflops === null ? '' : `,${f32Tflops}`}`;
}
