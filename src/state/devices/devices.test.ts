import { describe, expect, test } from 'vitest';
import { modelReport } from '../../../test/model-reports.ts';
import type { BenchReport, Environment } from '../../core/report.ts';
import type { DeviceStatus } from '../../engine/device.ts';
import type { Device } from './device.ts';
import { answering, type DeviceSources, devicesOf } from './devices.ts';
import type { RecordingChoice } from '../../core/reports/recording.ts';

const entry = (id: string, date: string): RecordingChoice => ({
  id: `${id}@${date}`,
  name: `NVIDIA ${id.toUpperCase()}`,
  date,
  driver: '570.1',
  commit: 'abcdef1',
  bytes: 1000,
  shapes: ['4096x4096'],
  roofs: { readBandwidthGBps: 4590, nullDispatchNs: 1250 },
});
const H200 = entry('h200', '2026-11-22');
const H100 = entry('h100', '2026-11-21');

const reportOn = (description: string, isFallback = false): BenchReport => {
  const report = modelReport(4096, 4096, 0.5, [90, 60]);
  const adapter = { vendor: '', architecture: '', device: '', description };
  return { ...report, environment: { ...report.environment, adapter, isFallback } };
};
const environment = (description: string, isFallback = false): Environment =>
  reportOn(description, isFallback).environment;
const gpu: DeviceStatus = { kind: 'ready', environment: environment('GeForce') };
const software: DeviceStatus = { kind: 'ready', environment: environment('SwiftShader', true) };
const none: DeviceStatus = { kind: 'unavailable', reason: 'no WebGPU' };

const sources = (given: Partial<DeviceSources>): DeviceSources => ({
  reports: [],
  status: gpu,
  recorded: [H200, H100],
  loaded: {},
  on: '',
  ...given,
});
const hasTimes = ({ reports }: Device): boolean => reports.length > 0;

/** The id of the device that answers, with what it still needs. */
function answer(
  given: Partial<DeviceSources>,
  {
    areListed = true,
    mayHave = true,
    hasAll,
  }: {
    readonly areListed?: boolean;
    readonly mayHave?: boolean;
    readonly hasAll?: (device: Device) => boolean;
  } = {},
): ReturnType<typeof answering> {
  const from = sources(given);
  const { status, on, loaded } = from;
  return answering({
    devices: devicesOf(from),
    on,
    status,
    areListed,
    isSettled: (id) => loaded[id] !== undefined,
    mayHave: () => mayHave,
    has: hasTimes,
    hasAll,
  });
}

test('this device comes first, then recordings, reports, published devices and a typed one', () => {
  const devices = devicesOf(
    sources({ reports: [reportOn('Radeon'), reportOn('GeForce'), reportOn('Radeon')], on: 'typed:900' }),
  );
  expect(devices.map(({ kind }) => kind).filter((kind, i, all) => kind !== all[i - 1])).toEqual([
    'this',
    'recorded',
    'report',
    'published',
    'typed',
  ]);
  const [here, newest] = devices;
  expect(here).toMatchObject({ id: 'this', name: 'GeForce', roofs: { readGBps: 4593 } });
  expect(here.reports).toHaveLength(1);
  expect(newest).toMatchObject({ id: 'h200@2026-11-22', label: 'NVIDIA H200, 22 November 2026', reports: [] });
  expect(devices.find(({ kind }) => kind === 'report')).toMatchObject({ id: 'report:Radeon', name: 'Radeon' });
  expect(devices.find(({ kind }) => kind === 'report')?.reports).toHaveLength(2);
  expect(devices.at(-1)).toMatchObject({ roofs: { readGBps: 900, peakGMAps: {} } });
});

test('an imported recording is called imported, never recorded, and is not this device', () => {
  const { bytes: _bytes, shapes: _shapes, roofs: _roofs, ...mark } = H100;
  const reports = [{ ...reportOn('GeForce'), recorded: mark }];
  const devices = devicesOf(sources({ reports }));
  expect(devices[0].reports).toEqual([]);
  expect(devices.find(({ kind }) => kind === 'report')).toMatchObject({
    id: `report:${H100.id}, imported`,
    name: 'NVIDIA H100, imported',
    label: 'NVIDIA H100, imported, 21 November 2026',
    isImported: true,
  });
  expect(devices.filter(({ kind, recorded }) => kind === 'report' && recorded !== undefined)).toEqual([]);
  // A forged mark, or none: what a person imported of this very device is not what this device measured.
  for (const more of [{ imported: true as const }, { imported: true as const, recorded: mark }, { recorded: mark }]) {
    const all = devicesOf(sources({ reports: [{ ...reportOn('GeForce'), ...more }] }));
    expect(all[0].reports).toEqual([]);
    expect(all.filter(({ kind }) => kind === 'report').map(({ name, isImported }) => [name, isImported])).toEqual([
      [more.recorded ? 'NVIDIA H100, imported' : 'GeForce, imported', true],
    ]);
  }
});

describe('without a choice', () => {
  test('this device answers where it has times', () => {
    expect(answer({ reports: [reportOn('GeForce')] }).device.id).toBe('this');
  });

  test('then a device of an imported report', () => {
    expect(answer({ reports: [reportOn('Radeon')] }).device.id).toBe('report:Radeon');
  });

  test('then the newest recording, which is loaded first', () => {
    expect(answer({}, { areListed: false })).toMatchObject({ device: { id: 'this' }, needsIndex: true });
    expect(answer({})).toMatchObject({ device: { id: H200.id }, needs: H200.id });
    const loaded = { [H200.id]: { reports: [reportOn('NVIDIA H200')], changed: new Set<string>() } };
    expect(answer({ loaded })).toMatchObject({ device: { id: H200.id }, needs: null });
  });

  test('a GPU answers where the recording has no times either, and without a GPU the recording says so', () => {
    const loaded = { [H200.id]: { reports: [], changed: new Set<string>() } };
    expect(answer({ loaded }).device.id).toBe('this');
    expect(answer({ loaded, status: none }).device.id).toBe(H200.id);
    expect(answer({ loaded, status: software }).device.id).toBe(H200.id);
  });

  test('a software adapter answers once it has times, and so does a CPU', () => {
    const reports = [reportOn('SwiftShader', true)];
    const { device, isChosen } = answer({ reports, status: software });
    expect(isChosen).toBe(false);
    expect(device).toMatchObject({ id: 'this', isSoftware: true, reports });
    expect(answer({ reports: [reportOn('CPU, one thread')], status: none }).device.id).toBe('this');
  });

  test('what a software adapter only verified is no answer', () => {
    const report = reportOn('SwiftShader', true);
    const reports = [{ ...report, rows: report.rows.map((row) => ({ ...row, medianNs: null, samplesNs: [] })) }];
    expect(answer({ reports, status: software }).device.id).toBe(H200.id);
    expect(answer({ reports, status: software, on: 'this' }).device).toMatchObject({ id: 'this', reports: [] });
  });

  test('a card that is chosen answers instead of the software adapter, which has times', () => {
    const reports = [reportOn('SwiftShader', true)];
    expect(answer({ reports, status: software, on: H200.id })).toMatchObject({
      device: { id: H200.id },
      isChosen: true,
    });
  });

  test('a software adapter elsewhere answers where it is chosen alone', () => {
    const reports = [reportOn('llvmpipe', true)];
    expect(answer({ reports }).device.id).toBe(H200.id);
    const on = 'report:llvmpipe';
    expect(answer({ reports, on }).device).toMatchObject({ id: on, isSoftware: true, reports });
  });

  test('a software adapter has no roofs, whatever was read of its memory', () => {
    const reports = [{ ...reportOn('SwiftShader', true), readBandwidthGBps: 9 }];
    expect(answer({ reports, status: software }).device.roofs).toBeNull();
    expect(answer({ reports: [{ ...reportOn('GeForce'), readBandwidthGBps: 9 }] }).device.roofs?.readGBps).toBe(9);
  });

  test('a device with some of the times that are asked gives way to a recording that has all', () => {
    const reports = [reportOn('GeForce')];
    const loaded = { [H200.id]: { reports: [reportOn('H200'), reportOn('H200')], changed: new Set<string>() } };
    const hasAll = (device: Device): boolean => device.reports.length > 1;
    expect(answer({ reports }, { hasAll, areListed: false })).toMatchObject({
      device: { id: 'this' },
      needsIndex: true,
    });
    expect(answer({ reports }, { hasAll })).toMatchObject({ device: { id: 'this' }, needs: H200.id });
    expect(answer({ reports, loaded }, { hasAll }).device.id).toBe(H200.id);
    expect(answer({ reports, loaded }, { hasAll: () => false }).device.id).toBe('this');
    expect(answer({ reports: [...reports, ...reports], loaded }, { hasAll }).device.id).toBe('this');
    expect(answer({ reports, loaded }).device.id).toBe('this');
  });

  test('nothing is loaded before it is known what this device is', () => {
    expect(answer({ status: null }, { areListed: false })).toMatchObject({ needs: null, needsIndex: false });
  });

  test('a recording that cannot have times for what is asked is not loaded', () => {
    expect(answer({}, { mayHave: false })).toMatchObject({ device: { id: 'this' }, needs: null });
    expect(answer({ status: none }, { mayHave: false })).toMatchObject({ device: { id: H200.id }, needs: null });
    expect(answer({ on: H200.id }, { mayHave: false }).needs).toBe(H200.id);
  });

  test('this device answers where there is no recording', () => {
    expect(answer({ recorded: [], status: none }).device.id).toBe('this');
  });
});

describe('the choice', () => {
  test('of a recording needs the index, then the recording', () => {
    expect(answer({ on: H100.id, recorded: [] }, { areListed: false })).toMatchObject({
      needsIndex: true,
      needs: null,
    });
    expect(answer({ on: H100.id })).toMatchObject({ device: { id: H100.id }, needs: H100.id, isChosen: true });
  });

  test('of a recording that was replaced leads to the newest of its card', () => {
    expect(answer({ on: 'h100@2026-01-01' })).toMatchObject({ device: { id: H100.id }, isChosen: true });
  });

  test('of a report of this very device leads to it', () => {
    expect(answer({ on: 'report:GeForce' }).device.id).toBe('this');
  });

  test('of a device that is not there is said, and the page chooses', () => {
    expect(answer({ on: 'report:Radeon', reports: [reportOn('GeForce')] })).toMatchObject({
      device: { id: 'this' },
      isChosen: false,
      missing: 'This browser has no report of Radeon: import it under Measure.',
    });
    expect(answer({ on: 'mi300@2026-01-01' }).missing).toBe('There is no recording mi300@2026-01-01.');
  });
});

test('a recorded card is listed once: its earlier read speed remains for links that name it', () => {
  const measuredOf = (given: Partial<DeviceSources>): readonly string[] =>
    devicesOf(sources(given)).flatMap(({ id, published }) => (published?.by === 'measured' ? [id] : []));
  expect(measuredOf({})).toEqual([]);
  expect(measuredOf({ recorded: [H100] })).toEqual(['h200-measured']);
  expect(measuredOf({ on: 'h200-measured' })).toEqual(['h200-measured']);
});
