import { expect, test } from 'vitest';
import { modelReport } from '../../../test/model-reports.ts';
import type { BenchReport, Environment } from '../../core/report.ts';
import type { DeviceStatus } from '../../engine/device.ts';
import type { Device } from './device.ts';
import { chooseDevice, type DeviceSources, devicesOf } from './devices.ts';
import type { RecordingEntry } from '../../core/reports/recording.ts';

const entry = (id: string, date: string): RecordingEntry => ({
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
const softwareGpu: DeviceStatus = { kind: 'ready', environment: environment('SwiftShader', true) };
const noGpu: DeviceStatus = { kind: 'unavailable', reason: 'no WebGPU' };

const sources = (changes: Partial<DeviceSources>): DeviceSources => ({
  reports: [],
  status: gpu,
  recorded: [H200, H100],
  loaded: {},
  deviceChoice: '',
  ...changes,
});
const hasTimes = ({ reports }: Device): boolean => reports.length > 0;

/** The device whose times are shown, with the data that is still missing. */
function chosenDevice(
  changes: Partial<DeviceSources>,
  {
    areListed = true,
    mayHave = true,
    hasAll,
  }: { readonly areListed?: boolean; readonly mayHave?: boolean; readonly hasAll?: (device: Device) => boolean } = {},
): ReturnType<typeof chooseDevice> {
  const allSources = sources(changes);
  const { status, deviceChoice, loaded } = allSources;
  return chooseDevice({
    devices: devicesOf(allSources),
    deviceChoice,
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
    sources({ reports: [reportOn('Radeon'), reportOn('GeForce'), reportOn('Radeon')], deviceChoice: 'typed:900' }),
  );
  expect(devices.map(({ kind }) => kind).filter((kind, i, all) => kind !== all[i - 1])).toEqual([
    'this',
    'recorded',
    'report',
    'published',
    'typed',
  ]);
  const [thisDevice, newestRecording] = devices;
  expect(thisDevice).toMatchObject({ id: 'this', name: 'GeForce', roofs: { readGBps: 4593 } });
  expect(thisDevice.reports).toHaveLength(1);
  expect(newestRecording).toMatchObject({ id: 'h200@2026-11-22', label: 'NVIDIA H200, 22 November 2026', reports: [] });
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
  // A forged mark, or none: an imported report of this very device is not measured by this device.
  for (const marks of [{ imported: true as const }, { imported: true as const, recorded: mark }, { recorded: mark }]) {
    const devices = devicesOf(sources({ reports: [{ ...reportOn('GeForce'), ...marks }] }));
    expect(devices[0].reports).toEqual([]);
    expect(devices.filter(({ kind }) => kind === 'report').map(({ name, isImported }) => [name, isImported])).toEqual([
      [marks.recorded ? 'NVIDIA H100, imported' : 'GeForce, imported', true],
    ]);
  }
});

const HERE = reportOn('GeForce');
const IN_SOFTWARE = reportOn('SwiftShader', true);
const ONLY_VERIFIED = {
  ...IN_SOFTWARE,
  rows: IN_SOFTWARE.rows.map((row) => ({ ...row, medianNs: null, samplesNs: [] })),
};
const loadedWith = (...reports: readonly BenchReport[]) => ({ [H200.id]: { reports, changed: new Set<string>() } });
const hasTwo = ({ reports }: Device): boolean => reports.length > 1;

/** The arguments of `chosenDevice`, by the tested case. */
const CASES: Readonly<Record<string, Parameters<typeof chosenDevice>>> = {
  'this device has times': [{ reports: [HERE] }],
  'an imported report has': [{ reports: [reportOn('Radeon')] }],
  'nothing has times, and the index is not there': [{}, { areListed: false }],
  'nothing has times': [{}],
  'the newest recording is loaded': [{ loaded: loadedWith(reportOn('NVIDIA H200')) }],
  'the recording has no times': [{ loaded: loadedWith() }],
  'the recording has no times, and there is no GPU': [{ loaded: loadedWith(), status: noGpu }],
  'the recording has no times, and the GPU is software': [{ loaded: loadedWith(), status: softwareGpu }],
  'a software adapter has times': [{ reports: [IN_SOFTWARE], status: softwareGpu }],
  'a CPU has times': [{ reports: [reportOn('CPU, one thread')], status: noGpu }],
  'a software adapter verified alone': [{ reports: [ONLY_VERIFIED], status: softwareGpu }],
  'a software adapter that verified alone is chosen': [
    { reports: [ONLY_VERIFIED], status: softwareGpu, deviceChoice: 'this' },
  ],
  'a card is chosen instead of software': [{ reports: [IN_SOFTWARE], status: softwareGpu, deviceChoice: H200.id }],
  'a software adapter elsewhere': [{ reports: [reportOn('llvmpipe', true)] }],
  'a software adapter elsewhere is chosen': [
    { reports: [reportOn('llvmpipe', true)], deviceChoice: 'report:llvmpipe' },
  ],
  'software has no roofs': [{ reports: [{ ...IN_SOFTWARE, readBandwidthGBps: 9 }], status: softwareGpu }],
  'a GPU has the roofs of its report': [{ reports: [{ ...HERE, readBandwidthGBps: 9 }] }],
  'some of the times, and the index is not there': [{ reports: [HERE] }, { hasAll: hasTwo, areListed: false }],
  'some of the times': [{ reports: [HERE] }, { hasAll: hasTwo }],
  'some of the times, and a recording has all': [
    { reports: [HERE], loaded: loadedWith(HERE, HERE) },
    { hasAll: hasTwo },
  ],
  'some of the times, and nobody has all': [{ reports: [HERE], loaded: loadedWith(HERE) }, { hasAll: hasTwo }],
  'all of the times': [{ reports: [HERE, HERE], loaded: loadedWith(HERE, HERE) }, { hasAll: hasTwo }],
  'not requested for all': [{ reports: [HERE], loaded: loadedWith(HERE, HERE) }],
  'it is not known what this device is': [{ status: null }, { areListed: false }],
  'no recording can have them': [{}, { mayHave: false }],
  'no recording can have them, and there is no GPU': [{ status: noGpu }, { mayHave: false }],
  'a recording that cannot have them is chosen': [{ deviceChoice: H200.id }, { mayHave: false }],
  'there is no recording': [{ recorded: [], status: noGpu }],
  'a recording is chosen, and the index is not there': [{ deviceChoice: H100.id, recorded: [] }, { areListed: false }],
  'a recording is chosen': [{ deviceChoice: H100.id }],
  'a recording is chosen that was replaced': [{ deviceChoice: 'h100@2026-01-01' }],
  'a report of this device is chosen': [{ deviceChoice: 'report:GeForce' }],
  'a report is chosen that is not there': [{ deviceChoice: 'report:Radeon', reports: [HERE] }],
  'a recording is chosen that is not there': [{ deviceChoice: 'mi300@2026-01-01' }],
};

test('the device is chosen whose times are shown, with what it still needs', async () => {
  const texts = Object.entries(CASES).map(([caseName, args]) => {
    const { device, needs, needsIndex, isChosen, missingReason } = chosenDevice(...args);
    const parts = [
      `${device.id} with ${device.reports.length} reports`,
      ...(device.isSoftware ? ['software'] : []),
      device.roofs ? `reads ${device.roofs.readGBps} GB/s` : 'no roofs',
      ...(isChosen ? ['chosen'] : []),
      ...(needs === null ? [] : [`needs ${needs}`]),
      ...(needsIndex ? ['needs the index'] : []),
      ...(missingReason ? [missingReason] : []),
    ];
    return `${caseName}: ${parts.join(', ')}\n`;
  });
  await expect(texts.join('')).toMatchFileSnapshot('words/answering.txt');
});

test('a recorded card is listed once: its earlier read speed remains for links that name it', () => {
  const measuredOf = (changes: Partial<DeviceSources>): readonly string[] =>
    devicesOf(sources(changes)).flatMap(({ id, published }) => (published?.by === 'measured' ? [id] : []));
  expect([measuredOf({}), measuredOf({ recorded: [H100] })]).toEqual([[], ['h200-measured']]);
  expect(measuredOf({ deviceChoice: 'h200-measured' })).toEqual(['h200-measured']);
});
