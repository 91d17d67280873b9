import { expect, it } from 'vitest';
import { REPORT } from '../../../../test/reports.ts';
import { plainText } from '../../../../test/text-rules.ts';
import { formats } from '../../../formats/catalog.ts';
import type { BenchReport } from '../../../core/report.ts';
import type { Device } from '../../../state/devices/device.ts';
import type { FormatParams } from '../../../state/index.ts';
import { allTimesOf, amongOf } from './all-times.ts';
import { measuredWords } from './answer-words.ts';
import { type MeasuredPair, measuredOf, timesWith } from './use-measured.ts';

const { workload } = REPORT;

function deviceOf(report: BenchReport, kind: Device['kind'] = 'this'): Device {
  return { id: kind, kind, name: 'Made Up 1', label: '', reports: [report], roofs: null, isSoftware: false };
}

/** MACKO against dense on this device. */
function measuredOn(device: Device): MeasuredPair {
  const queryOf = (id: string) => ({
    format: id,
    params: (REPORT.rows.find(({ format }) => format === id)?.params ?? {}) as FormatParams,
    spec: formats.find((format) => format.id === id)?.params ?? {},
  });
  const [queryA, queryB] = [queryOf('macko'), queryOf('dense')];
  const matrix = { ...workload, tokens: 1, names: [workload.source], isEstimated: false, isEven: false };
  const summary = {
    ...workload,
    name: workload.source,
    source: { kind: 'file' },
  } as unknown as MeasuredPair['summary'];
  const times = timesWith(matrix, queryA, queryB)(device);
  return measuredOf({ formats, summary, matrix, device, times, encodingOf: () => undefined, queryA, queryB });
}

const allOf = (device: Device) => allTimesOf({ formats, device, measuredPair: measuredOn(device) });

it('allTimesOf lists the times of a run of many formats, the fastest first, and why other formats have none', () => {
  const all = allOf(deviceOf(REPORT));
  const times = all?.timedFormats.map(({ timedRow }) => timedRow?.row.medianNs ?? 0) ?? [];
  expect(times).toEqual(times.toSorted((x, y) => x - y));
  expect(all?.timedFormats.map(({ stored, side }) => [stored.format, side]).toSorted()).toEqual([
    ['csr', null],
    ['dense', 'b'],
    ['macko', 'a'],
  ]);
  // A wrong kernel, and one that cannot run.
  expect(all?.untimedFormats.map(({ name }) => name.replace(/ .*/, '')).toSorted()).toEqual(['ELL', 'bitmask']);
  expect(all?.untimedFormats.map(({ reason }) => reason).join()).toMatch(
    /wrong results.*storage buffers|storage buffers.*wrong/,
  );
});

it('allTimesOf is null for a run of A against B, and for a recording', () => {
  const rows = REPORT.rows.filter(({ format }) => format === 'macko' || format === 'dense');
  expect(allOf(deviceOf({ ...REPORT, rows, refused: [] }))).toBeNull();
  expect(allOf(deviceOf(REPORT, 'recorded'))).toBeNull();
});

it('the answer ends with the fastest of all once the run is complete', () => {
  const device = deviceOf(REPORT);
  const all = allOf(device);
  if (!all) throw new Error('found no run of all formats');
  const [first] = all.timedFormats;
  const text = plainText(measuredWords(measuredOn(device), device, null, { all }));
  expect(text).toContain(`Of 3 formats, ${first.name} is the fastest`);
  expect(amongOf(all)).toMatchObject({ formats: 3, ns: first.timedRow?.row.medianNs });
  const unfinished = { ...all, report: { ...REPORT, unfinished: { waiting: [] } } };
  expect(plainText(measuredWords(measuredOn(device), device, null, { all: unfinished }))).not.toContain('Of 3 formats');
});
