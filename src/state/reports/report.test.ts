import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadError } from '../../core/errors.ts';
import type { BenchReport, BenchRow } from '../../core/report.ts';
import { reportsToCsv } from '../../core/reports/report-csv.ts';
import { reportsToJson } from './report-export.ts';
import { parseReports } from '../../core/reports/report-check.ts';
import { REPORT } from '../../../test/fake-engine.ts';
import { rejectionOf } from '../../../test/io/rejections.ts';
import { CSR_ROW } from '../../../test/reports.ts';

type Path = readonly (string | number)[];

/** Every position in a value, as paths. */
function positionsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => positionsIn(inner, [...path, key]))];
}

/** A copy in which the value at the path is `replacement`, or missing if that is undefined. */
function withReplaced(value: unknown, [key, ...innerPath]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value);
  copy[key] = withReplaced(copy[key], innerPath, replacement);
  if (copy[key] === undefined) delete copy[key];
  return copy;
}

describe('reportsToJson and parseReports', () => {
  it('return one report or several, unchanged', () => {
    expect(parseReports('a.json', reportsToJson([REPORT]))).toEqual([REPORT]);
    expect(parseReports('a.json', reportsToJson([REPORT, REPORT]))).toEqual([REPORT, REPORT]);
  });

  it('keep unknown properties', () => {
    const text = JSON.stringify({ ...REPORT, comment: 'on battery' });
    expect(parseReports('a.json', text)).toEqual([{ ...REPORT, comment: 'on battery' }]);
  });

  it('reject text that is no JSON', () => {
    const message = /^a\.json: found no JSON \(.*\), expected a report exported by this application\.$/;
    expect(() => parseReports('a.json', 'not json')).toThrow(message);
  });

  const WRONG_REPORTS: readonly unknown[] = [
    [],
    7,
    [7],
    { ...REPORT, schema: 2 },
    { ...REPORT, createdAt: 'yesterday' },
    withReplaced(REPORT, ['rows', 0, 'samplesNs', 1], 'fast'),
    withReplaced(REPORT, ['rows', 1, 'where'], undefined),
    withReplaced(REPORT, ['environment', 'limits', 'maxBufferSize'], -1),
    withReplaced(REPORT, ['rows', 0, 'rounds'], [0, 1]),
    withReplaced(REPORT, ['rows', 0, 'rounds'], [4, 5, 5]),
    withReplaced(REPORT, ['rows', 0, 'rounds'], [0, 1.5, 2]),
    { ...REPORT, unfinished: { waiting: [{ format: 'csr' }] } },
    [REPORT, withReplaced(REPORT, ['rows', 0, 'vsDense'], [])],
  ];

  it('reject a report with file, path, found and expected', async () => {
    const texts = WRONG_REPORTS.map((value) => `${rejectionOf(() => parseReports('a.json', JSON.stringify(value)))}\n`);
    await expect(texts.join('')).toMatchFileSnapshot('words/reports.txt');
  });

  const arrayOf = <T>(length: number, value: T): T[] => Array.from({ length }, () => value);
  const keys = (length: number) => Object.fromEntries(arrayOf(length, 0).map((_, i) => [`p${i}`, i]));
  const { rows, refused: rejected } = REPORT;
  it.each([
    ['rows', { ...REPORT, rows: arrayOf(5001, rows[0]) }, '5 001 rows', '5 000'],
    ['refused', { ...REPORT, refused: arrayOf(5001, rejected[0]) }, '5 001 refusals', '5 000'],
    [
      'rows[0].samplesNs',
      withReplaced(REPORT, ['rows', 0, 'samplesNs'], arrayOf(200_001, 1)),
      '200 001 samples',
      '200 000',
    ],
    ['notes', { ...REPORT, notes: arrayOf(101, 'note') }, '101 notes', '100'],
    ['notes[0]', { ...REPORT, notes: ['x'.repeat(10_001)] }, '10 001 letters', '10 000'],
    [
      'rows[1].verified.failures',
      withReplaced(REPORT, ['rows', 1, 'verified', 'failures'], arrayOf(1001, rows[1].verified.failures[0])),
      '1 001 failures',
      '1 000',
    ],
    ['rows[0].params', withReplaced(REPORT, ['rows', 0, 'params'], keys(101)), '101 properties', '100'],
    ['workload.sizes', withReplaced(REPORT, ['workload', 'sizes'], keys(17)), '17 sizes', '16'],
    ['', arrayOf(1001, REPORT), '1 001 reports', '1 000'],
    ['', arrayOf(5, { ...REPORT, rows: arrayOf(4000, rows[0]) }), '20 005 rows and refusals in all reports', '20 000'],
    ['', { ...REPORT, comment: JSON.parse(`${'['.repeat(20)}${']'.repeat(20)}`) as unknown }, '17 levels', '16'],
  ])('reject more elements than the limit: %s', (path, value, found, max) => {
    const withNarrowSpaces = (text: string) => text.replaceAll(/(?<=\d) (?=\d)/g, '\u202f');
    const rejection = rejectionOf(() => parseReports('a.json', JSON.stringify(value)));
    expect(rejection).toContain(withNarrowSpaces(`a.json: ${path === '' ? '' : `${path}: `}found ${found}`));
    expect(rejection).toContain(withNarrowSpaces(`expected at most ${max}.`));
  });

  it('accept as many rows and samples as a large comparison has', () => {
    const rows = Array.from({ length: 2000 }, () => REPORT.rows[0]);
    const samplesNs = Array.from({ length: 130_000 }, (_, i) => 1000 + (i % 97));
    const row = { ...REPORT.rows[0], samplesNs, medianNs: 1048, p10Ns: 1009, p90Ns: 1087, GBps: 2500 / 1048 };
    const report = { ...REPORT, rows: [row, ...rows] };
    expect(parseReports('a.json', JSON.stringify(report))).toEqual([report]);
  });

  it('reject a number that JSON.parse reads as infinity', () => {
    const text = reportsToJson([REPORT]).replace(/"medianNs": [\d.]+/, '"medianNs": 1e999');
    expect(() => parseReports('report.json', text)).toThrow(/medianNs: found .*, expected a number of at least 0\.$/);
  });

  it('reject a text above the size limit before parsing it', () => {
    expect(() => parseReports('a.json', ' '.repeat(33 * 2 ** 20))).toThrow(
      'a.json: found 33 MiB, expected a file of reports of at most 24 MiB.',
    );
  });

  it('reject a report in which any single value is missing or of another type', () => {
    const isUnchecked = (path: Path): boolean => path.includes('params') || path.includes('features');
    const positions = positionsIn(REPORT).filter(
      (path) => path.length > 0 && !isUnchecked(path) && path.at(-2) !== 'limits',
    );
    const isElement = (path: Path): boolean => /^\d+$/.test(String(path.at(-1)));
    fc.assert(
      fc.property(fc.constantFrom(...positions), fc.boolean(), (path, isRemoved) => {
        const wrongValue = isRemoved && !isElement(path) ? undefined : { unexpected: 1n.toString() };
        // An object of objects accepts any key.
        fc.pre(!(wrongValue !== undefined && path.at(-1) === 'limits'));
        expect(() => parseReports('a.json', JSON.stringify(withReplaced(REPORT, path, wrongValue)))).toThrow(ReadError);
      }),
      { numRuns: 500 },
    );
  });
});

describe('reportsToCsv', () => {
  const lines = reportsToCsv([REPORT]).split('\r\n');
  const header = lines[0].split(',');

  it('records the round of every sample', () => {
    const withLaterRounds = withReplaced(REPORT, ['rows', 0, 'rounds'], [3, 5, 6]) as BenchReport;
    const unfinished = { ...withLaterRounds, unfinished: { waiting: [{ format: 'csr', params: { indexBits: 16 } }] } };
    expect(parseReports('a.json', reportsToJson([unfinished]))).toEqual([unfinished]);
    const rounds = reportsToCsv([unfinished])
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').at(-2));
    expect(rounds).toEqual(['round', '3', '5', '6', '']);
  });

  it('reportsToCsv has a line for every sample, and one for a kernel without samples', () => {
    expect(lines).toHaveLength(1 + 3 + 1 + 1);
    expect(lines.at(-1)).toBe('');
    const ends = lines.slice(1, 4).map((line) => line.split(',').slice(-2).join());
    expect(ends).toEqual(['0,1000', '1,1100', '2,1050']);
    expect(lines[4].endsWith(',,')).toBe(true);
  });

  it('quotes cells with commas or quotes', () => {
    expect(lines[1]).toContain('"Acme ""One"", 8 GB"');
    expect(lines[1]).toContain('"{""deltaBits"":4,""valueType"":""f16""}"');
  });

  it('contains operation, sizes, multiply-adds and the number of compared outputs', () => {
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
    expect([value(gemm, 'operation'), value(gemm, 'sizes')]).toEqual(['gemm', '"{""tokens"":256}"']);
    expect([value(gemm, 'peakGFMAps'), value(gemm, 'multiplyAdds')]).toEqual(['5000', '2100000']);
    expect(value(gemm, 'GFMAps')).toBe('2000');
    expect([value(gemm, 'outputs'), value(gemm, 'compared')]).toEqual(['4096', '512']);
    expect([value(REPORT, 'outputs'), value(REPORT, 'compared')]).toEqual(['64', '64']);
    expect([value(REPORT, 'sizes'), value(REPORT, 'multiplyAdds'), value(REPORT, 'GFMAps')]).toEqual(['', '', '']);
    expect(parseReports('a.json', reportsToJson([gemm]))).toEqual([gemm]);
  });

  it('leaves speed and ratio empty if the time is 0, below the step of the clock', () => {
    const row = {
      ...REPORT.rows[0],
      multiplyAdds: 2_100_000,
      samplesNs: [0, 0, 0],
      medianNs: 0,
      p10Ns: 0,
      p90Ns: 0,
      GBps: Number.POSITIVE_INFINITY,
      vsDense: { reference: 'dense/spmv', ratio: Number.POSITIVE_INFINITY, p10: 2, p90: Number.NaN },
    };
    const report = { ...REPORT, rows: [row] };
    expect(reportsToCsv([report])).not.toMatch(/Infinity|NaN/);
    const withoutSpeed = { ...report, rows: [{ ...row, GBps: null, vsDense: null }] };
    expect(parseReports('a.json', reportsToJson([report]))).toEqual([withoutSpeed]);
    expect(reportsToCsv([report])).toBe(reportsToCsv([withoutSpeed]));
  });

  it('contains the value type of the dense cells that a kernel was compared with', () => {
    const vsDense = { reference: 'dense/spmv', valueType: 'f16', ratio: 2, p10: 2, p90: 2 };
    const report = { ...REPORT, rows: [{ ...REPORT.rows[0], vsDense }] };
    expect(parseReports('a.json', reportsToJson([report]))).toEqual([report]);
    const [headLine, firstLine] = reportsToCsv([report]).split('\r\n');
    expect(
      firstLine.replaceAll(/"(?:[^"]|"")*"/g, 'quoted').split(',')[headLine.split(',').indexOf('vsDenseValueType')],
    ).toBe('f16');
  });

  it('leaves fields without a measurement empty', () => {
    const unquoted = lines[4].replaceAll(/"(?:[^"]|"")*"/g, 'quoted').split(',');
    expect(unquoted).toHaveLength(header.length);
    expect([unquoted[header.indexOf('medianNs')], unquoted[header.indexOf('vsDense')]]).toEqual(['', '']);
    expect(unquoted[header.indexOf('verified')]).toBe('false');
  });
});

describe('the columns of a CSV', () => {
  /** A report in which no two fields have the same value. */
  const row: BenchRow = {
    ...REPORT.rows[0],
    draft: { of: 'macko/original', name: 'mine', version: 3 },
    multiplyAdds: 80_000,
    tuned: { chosen: { lanes: 512 }, start: { lanes: 256 }, gain: 1.25, tried: 7, remembered: false },
    arithmetic: 'i8',
    verified: { ...REPORT.rows[0].verified, ok: false, outputs: 71, compared: 67, worstShare: 5.5, failureCount: 13 },
    samplesNs: [4001, 4003],
    rounds: [17, 19],
    medianNs: 4002,
    p10Ns: 4001.2,
    p90Ns: 4002.8,
    GBps: 0.6247,
    bytes: 2501,
    cached: true,
    vsDense: { reference: 'dense/other', valueType: 'f16', ratio: 1.7, p10: 1.6, p90: 1.9 },
    runsPerSample: 65,
    copies: 5,
    encodeMs: 101,
    uploadMs: 102,
    compileMs: 103,
    firstDispatchMs: 104,
    storedBytes: 105,
  };
  const report: BenchReport = {
    ...REPORT,
    readBandwidthGBps: 3001,
    peakGFMAps: 3002,
    peakI8GMAps: 3003,
    peakI8MatrixGMAps: 3004,
    nullDispatchNs: 3005,
    clock: { source: 'wall-clock', quantumNs: 3006 },
    environment: {
      ...REPORT.environment,
      isFallback: false,
      adapter: { vendor: 'maker', architecture: 'arch', device: 'no column', description: 'card' },
    },
    workload: {
      operation: 'gemm',
      sizes: { tokens: 256 },
      rows: 61,
      cols: 31,
      nnz: 997,
      density: 0.527,
      source: 'seeded',
      seed: 23,
      memory: 'warm' as const,
      rounds: 29,
    },
    rows: [row],
  };

  it('the columns of a CSV are the columns of the snapshot, each filled from its own field', async () => {
    const [head, ...lines] = reportsToCsv([report]).trimEnd().split('\r\n');
    const cells = (line: string): readonly string[] =>
      [...line.matchAll(/"((?:[^"]|"")*)"|([^,]+)|(?<=,)(?=,|$)/g)].map(
        ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
      );
    const columns = cells(head);
    expect(lines.map((line) => cells(line).slice(-2).join())).toEqual(['17,4001', '19,4003']);
    const table = columns.map((name, i) => `${name}: ${cells(lines[0])[i]}\n`).join('');
    await expect(table).toMatchFileSnapshot('words/columns.txt');
    expect(new Set(cells(lines[0])).size).toBe(columns.length - 1);
  });
});

describe('rows of a draft (a kernel that a user changed)', () => {
  const draft = { of: CSR_ROW.kernel, name: 'mine', version: 3 };
  const report = { ...REPORT, rows: [...REPORT.rows, { ...CSR_ROW, kernel: 'csr/spmv_subgroup (mine 3)', draft }] };

  it('keep the name of the draft through export and import, and in the CSV', () => {
    const [importedReport] = parseReports('a', reportsToJson([report]));
    expect(importedReport.rows.at(-1)?.draft).toEqual(draft);
    const [head, ...lines] = reportsToCsv([report]).split('\r\n');
    const index = head.split(',').indexOf('draftName');
    expect(lines.filter((line) => line.split(',').includes('mine'))).toHaveLength(CSR_ROW.samplesNs.length);
    expect(index).toBeGreaterThan(0);
    const negativeVersion = { ...report, rows: [{ ...CSR_ROW, draft: { ...draft, version: -1 } }] };
    expect(() => parseReports('a', JSON.stringify(negativeVersion))).toThrow(
      'rows[0].draft.version: found -1, expected a whole',
    );
  });
});
