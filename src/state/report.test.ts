import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadError } from '../core/errors.ts';
import type { BenchReport } from '../core/report.ts';
import { reportsToCsv, reportsToJson } from './report-export.ts';
import { parseReports } from './report-import.ts';
import { REPORT } from '../../test/fake-engine.ts';

type Path = readonly (string | number)[];

/** Every place in a value, as paths. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

/** A copy in which the value at `path` is another one, or missing. */
function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value);
  copy[key] = replaced(copy[key], rest, by);
  if (copy[key] === undefined) delete copy[key];
  return copy;
}

describe('reportsToJson and parseReports', () => {
  it('give back one report or several, as they are', () => {
    expect(parseReports('a.json', reportsToJson([REPORT]))).toEqual([REPORT]);
    expect(parseReports('a.json', reportsToJson([REPORT, REPORT]))).toEqual([REPORT, REPORT]);
  });

  it('keep properties that are not known', () => {
    const text = JSON.stringify({ ...REPORT, comment: 'on battery' });
    expect(parseReports('a.json', text)).toEqual([{ ...REPORT, comment: 'on battery' }]);
  });

  it.each([
    ['not json', /^a\.json: found no JSON \(.*\), expected a report that this application exported\.$/],
    ['[]', 'a.json: found an empty list, expected at least one report.'],
    ['7', 'a.json: found 7, expected an object.'],
    ['[7]', 'a.json: [0]: found 7, expected an object.'],
    [JSON.stringify({ ...REPORT, schema: 2 }), 'a.json: schema: found 2, expected 1.'],
    [
      JSON.stringify({ ...REPORT, createdAt: 'yesterday' }),
      'a.json: createdAt: found "yesterday", expected a date like 2026-01-31T12:00:00Z.',
    ],
    [
      JSON.stringify(replaced(REPORT, ['rows', 0, 'samplesNs', 1], 'fast')),
      'a.json: rows[0].samplesNs[1]: found "fast", expected a number of at least 0.',
    ],
    [
      JSON.stringify(replaced(REPORT, ['rows', 1, 'where'], undefined)),
      'a.json: rows[1].where: found nothing, expected "gpu" or "cpu".',
    ],
    [
      JSON.stringify(replaced(REPORT, ['environment', 'limits', 'maxBufferSize'], -1)),
      'a.json: environment.limits.maxBufferSize: found -1, expected a number of at least 0.',
    ],
    [
      JSON.stringify([REPORT, replaced(REPORT, ['rows', 0, 'vsDense'], [])]),
      'a.json: [1].rows[0].vsDense: found a list, expected an object.',
    ],
  ])('refuse %.40s with file, place, found and expected', (text, message) => {
    expect(() => parseReports('a.json', text)).toThrow(message);
    expect(() => parseReports('a.json', text)).toThrow(ReadError);
  });

  it('refuse a report in which any one value is missing or of another kind', () => {
    const free = (path: Path): boolean => path.includes('params') || path.includes('features');
    const places = placesIn(REPORT).filter((path) => path.length > 0 && !free(path) && path.at(-2) !== 'limits');
    const isElement = (path: Path): boolean => /^\d+$/.test(String(path.at(-1)));
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.boolean(), (path, missing) => {
        const wrong = missing && !isElement(path) ? undefined : { unexpected: 1n.toString() };
        // An object of objects takes any key.
        fc.pre(!(wrong !== undefined && path.at(-1) === 'limits'));
        expect(() => parseReports('a.json', JSON.stringify(replaced(REPORT, path, wrong)))).toThrow(ReadError);
      }),
      { numRuns: 500 },
    );
  });
});

describe('reportsToCsv', () => {
  const lines = reportsToCsv([REPORT]).split('\r\n');
  const header = lines[0].split(',');

  it('has a line for every sample, and one for a kernel without samples', () => {
    expect(lines).toHaveLength(1 + 3 + 1 + 1);
    expect(lines.at(-1)).toBe('');
    expect(lines.slice(1, 4).map((line) => line.split(',').slice(-2))).toEqual([
      ['0', '1000'],
      ['1', '1100'],
      ['2', '1050'],
    ]);
    expect(lines[4].endsWith(',,')).toBe(true);
  });

  it('quotes what has commas or quotes', () => {
    expect(lines[1]).toContain('"Acme ""One"", 8 GB"');
    expect(lines[1]).toContain('"{""deltaBits"":4,""valueType"":""f16""}"');
  });

  it('carries operation, sizes, multiply-adds and how many outputs were compared', () => {
    const row = REPORT.rows[0];
    const gemm = {
      ...REPORT,
      peakGFMAps: 5000,
      workload: { ...REPORT.workload, operation: 'gemm', sizes: { tokens: 256 } },
      rows: [{ ...row, multiplyAdds: 2_100_000, verified: { ...row.verified, outputs: 4096, compared: 512 } }],
    };
    const cells = (report: BenchReport): readonly string[] =>
      reportsToCsv([report])
        .split('\r\n')[1]
        .replaceAll(/"(?:[^"]|"")*"/g, (text) => text.replaceAll(',', ';'))
        .split(',');
    const value = (report: BenchReport, column: string): string => cells(report)[header.indexOf(column)];
    expect(value(gemm, 'operation')).toBe('gemm');
    expect(value(gemm, 'sizes')).toBe('"{""tokens"":256}"');
    expect(value(gemm, 'peakGFMAps')).toBe('5000');
    expect(value(gemm, 'multiplyAdds')).toBe('2100000');
    expect(value(gemm, 'GFMAps')).toBe('2000');
    expect([value(gemm, 'outputs'), value(gemm, 'compared')]).toEqual(['4096', '512']);
    expect([value(REPORT, 'outputs'), value(REPORT, 'compared')]).toEqual(['64', '64']);
    expect([value(REPORT, 'sizes'), value(REPORT, 'multiplyAdds'), value(REPORT, 'GFMAps')]).toEqual(['', '', '']);
    expect(parseReports('a.json', reportsToJson([gemm]))).toEqual([gemm]);
  });

  it('leaves a speed and a ratio out where the time is below the step of the clock', () => {
    const row = {
      ...REPORT.rows[0],
      multiplyAdds: 2_100_000,
      medianNs: 0,
      GBps: Number.POSITIVE_INFINITY,
      vsDense: { reference: 'dense/spmv', ratio: Number.POSITIVE_INFINITY, p10: 2, p90: Number.NaN },
    };
    const report = { ...REPORT, rows: [row] };
    expect(reportsToCsv([report])).not.toMatch(/Infinity|NaN/);
    const told = { ...report, rows: [{ ...row, GBps: null, vsDense: null }] };
    expect(parseReports('a.json', reportsToJson([report]))).toEqual([told]);
    expect(reportsToCsv([report])).toBe(reportsToCsv([told]));
  });

  it('leaves empty what was not measured', () => {
    const unquoted = lines[4].replaceAll(/"(?:[^"]|"")*"/g, 'quoted').split(',');
    expect(unquoted).toHaveLength(header.length);
    expect(unquoted[header.indexOf('medianNs')]).toBe('');
    expect(unquoted[header.indexOf('vsDense')]).toBe('');
    expect(unquoted[header.indexOf('verified')]).toBe('false');
  });
});
