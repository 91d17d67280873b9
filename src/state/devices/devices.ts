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
  const reportedDevices = [...bySource]
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
  const listedDevices = PUBLISHED_DEVICES.filter((device) => device.id === deviceChoice || !isRecorded(device));
  const publishedDevices = listedDevices.map((device): Device => ({
    id: device.id,
    kind: 'published',
    name: device.name,
    label: device.name,
    reports: [],
    roofs: roofsOf(device),
    isSoftware: false,
    published: device,
  }));
  const enteredDevice = typedDevice(deviceChoice);
  return [
    thisDevice,
    ...recordings,
    ...reportedDevices,
    ...publishedDevices,
    ...(enteredDevice ? [enteredDevice] : []),
  ];
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

function typedDevice(deviceChoice: string): Device | null {
  const speeds = enteredSpeeds(deviceChoice);
  if (!speeds) return null;
  const { readGBps, f32Tflops } = speeds;
  const name = `a device that reads ${readGBps} GB/s`;
  const peakGMAps: Readonly<Record<string, number>> = f32Tflops === null ? {} : { f32: (f32Tflops * 1000) / 2 };
  return {
    id: deviceChoice,
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
  readonly missingReason: string | null;
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
  const requestedDevice = deviceChoice === '' ? null : chosenDevice(devices, deviceChoice);
  if (requestedDevice) {
    const needs = requestedDevice.recorded && !isSettled(requestedDevice.id) ? requestedDevice.id : null;
    return { device: requestedDevice, isChosen: true, needs, needsIndex: false, missingReason: null };
  }
  const [thisDevice] = devices;
  const defaultChoice = { isChosen: false, needs: null, needsIndex: false, missingReason: null } as const;
  if (isRecordedId(deviceChoice) && !areListed)
    return { ...defaultChoice, device: thisDevice, isChosen: true, needsIndex: true };
  const missingReason = deviceChoice === '' ? null : missingText(deviceChoice);
  if (status === null) return { ...defaultChoice, device: thisDevice, missingReason };
  // The first device is this one.
  const withUserTimes = devices.filter(
    ({ kind, isSoftware }, i) => (i === 0 || (kind === 'report' && !isSoftware)) && has(devices[i]),
  );
  const completeDevice = withUserTimes.find((device) => hasAll?.(device) ?? true);
  if (completeDevice) return { ...defaultChoice, device: completeDevice, missingReason };
  const [partialDevice] = withUserTimes;
  if (!areListed) return { ...defaultChoice, device: partialDevice ?? thisDevice, needsIndex: true, missingReason };
  const newestRecording = devices.find(({ kind }) => kind === 'recorded');
  if (!newestRecording) return { ...defaultChoice, device: partialDevice ?? thisDevice, missingReason };
  if (!isSettled(newestRecording.id) && mayHave(newestRecording)) {
    return {
      ...defaultChoice,
      device: partialDevice ?? newestRecording,
      needs: newestRecording.id,
      missingReason,
    };
  }
  if (partialDevice)
    return {
      ...defaultChoice,
      device: hasAll?.(newestRecording) ? newestRecording : partialDevice,
      missingReason,
    };
  const isGpu = status.kind === 'ready' && !status.environment.isFallback;
  return {
    ...defaultChoice,
    device: has(newestRecording) || !isGpu ? newestRecording : thisDevice,
    missingReason,
  };
}

/** The device with this id; for a recording that no longer exists, the newest recording of the same device. */
function chosenDevice(devices: readonly Device[], deviceChoice: string): Device | null {
  const exactMatch =
    devices.find(({ id }) => id === deviceChoice) ?? devices.find(({ id }) => id === `${deviceChoice}${IMPORTED}`);
  if (exactMatch) return exactMatch;
  const [thisDevice] = devices;
  if (deviceChoice === reportId(thisDevice.name)) return thisDevice;
  if (!isRecordedId(deviceChoice)) return null;
  const [name] = deviceChoice.split('@'); // a recording's id: the device's name @ its date
  return devices.find(({ kind, id }) => kind === 'recorded' && id.split('@')[0] === name) ?? null;
}

function missingText(deviceChoice: string): string {
  if (deviceChoice.startsWith('report:')) {
    return `This browser has no report of ${deviceChoice.slice('report:'.length)}: import it under Measure.`;
  }
  return `There is no recording ${deviceChoice}.`;
}

/** The id of a device with these speeds: 'typed:900' or 'typed:900,82.6'. */
export function typedId({ readGBps, f32Tflops }: EnteredSpeeds): string {
  return `typed:${readGBps}${f32Tflops === null ? '' : `,${f32Tflops}`}`;
}
