import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { formatRows, remedyText, sizeText } from '../src/app/subject/FormatPopover.tsx';
import { asideOf } from '../src/app/subject/OnPopover.tsx';
import { type AnyFormat, defaultParams, type EncodedMatrix, namedArrays } from '../src/core/format.ts';
import { csrMatrix, type Matrix, toDense } from '../src/core/matrix/index.ts';
import type { EncodingSummary, MatrixSummary } from '../src/engine/matrix/types.ts';
import { formats } from '../src/formats/catalog.ts';
import { formats as registry } from '../src/formats/registry.ts';
import { DeviceLabel, onText } from '../src/kit/devices/DeviceLabel.tsx';
import type { Device } from '../src/state/devices/device.ts';
import { devicesOf } from '../src/state/devices/devices.ts';
import { doneText, withRemedy } from '../src/state/document.ts';
import { defaultDocument, type EncodingState, type FormatParams } from '../src/state/index.ts';
import { PUBLISHED_DEVICES } from '../src/theory/roofline/devices.ts';
import { allParams, buildMatrix } from './arbitraries.ts';
import { CATALOG } from './fake-engine.ts';
import { shownText } from './markup.ts';
import { recordedDevices } from './recorded-questions.ts';
import { bytes, type Facts, number, rate, Read } from './sentences.ts';
import { shippedMatrices } from './shipped.ts';

/* The law for sentences, for what opens below the words of the sentence: devices, formats, and what is offered on a refusal. */

const [recorded] = recordedDevices;
const label = (device: Device): string => shownText(createElement(DeviceLabel, { device }));

describe('devices', () => {
  const on = 'typed:123,2';
  const all = devicesOf({ status: null, recorded: [], loaded: {}, reports: [], on });

  it('say how fast they read, and that an unmeasured figure is a bound', () => {
    const read = new Read();
    for (const { id, name, readGBps, by, source } of PUBLISHED_DEVICES) {
      const device = all.find((one) => one.id === id);
      if (!device) throw new Error(`found no device ${id}`);
      const facts: Facts = { speed: rate(readGBps), source: source ?? '' };
      const rule = `${by === 'measured' ? 'as measured' : 'by its data sheet'}${source === null ? '' : ' ({source})'}`;
      read.sentence(label(device), `bounds: at most {speed}, ${rule}`, facts, name);
      read.sentence(asideOf(device), 'at most {speed}', facts, name);
    }
    const typed = all.find(({ kind }) => kind === 'typed');
    if (!typed) throw new Error('found no typed device');
    read.sentence(label(typed), 'bounds: at most {speed}, as typed here', { speed: rate(123) }, on);
    read.sentence(typed.name, 'a device that reads {speed}', { speed: { ...rate(123), digits: 3 } }, on);
  });

  it('say when and with what they were measured, and recorded and software only where they are', () => {
    const read = new Read();
    const mark = {
      id: 'x',
      name: recorded.name,
      date: '2026-11-22',
      driver: '570.1',
      commit: 'abcdef1234567890',
      shapes: [],
    };
    const withMark = { ...recorded, recorded: mark as never };
    const facts: Facts = {
      name: recorded.name,
      day: '22 November 2026',
      driver: '570.1',
      commit: 'abcdef1',
      speed: rate(recorded.roofs?.readGBps ?? 0),
    };
    read.sentence(label(withMark), 'recorded on {name}, {day}, driver {driver}, commit {commit}', facts, 'recorded');
    expect(onText(withMark, null)).toBe(`${recorded.name}, recorded`);
    const reports = [{ ...recorded.reports[0], createdAt: '2026-11-20T10:00:00Z' }];
    const here: Device = { ...recorded, kind: 'this', reports };
    read.sentence(label(here), 'measured here, reads {speed}, {day}', { ...facts, day: '20 November 2026' }, 'here');
    read.sentence(asideOf(here), 'reads {speed}', facts, 'here');
    read.sentence(
      label({ ...here, kind: 'report' }),
      'from your reports, reads {speed}, {day}',
      { ...facts, day: '20 November 2026' },
      '',
    );
    expect(label({ ...here, reports: [] })).toBe('nothing is measured here yet');
    const software: Device = { ...here, isSoftware: true, roofs: null };
    expect(label(software)).toBe('measured here, 20 November 2026');
    expect(asideOf(software)).toBe('software: says nothing about cards');
    expect([onText(software, null), onText(here, null)]).toEqual(['this computer’s software GPU', 'this GPU']);
    for (const device of all) expect(label(device)).not.toMatch(/recorded|software/);
  });
});

/** Every row keeps the largest of each group. */
function pruned(m: Matrix, kept: number, group: number): Matrix {
  const cells = toDense(m);
  const rows = Array.from({ length: m.rows }, (_, r) => {
    const columns: number[] = [];
    for (let first = 0; first < m.cols; first += group) {
      const inGroup = Array.from({ length: Math.min(group, m.cols - first) }, (__, i) => first + i)
        .filter((c) => cells[r * m.cols + c] !== 0)
        .toSorted((a, b) => Math.abs(cells[r * m.cols + b]) - Math.abs(cells[r * m.cols + a]))
        .slice(0, kept);
      columns.push(...inGroup.toSorted((a, b) => a - b));
    }
    return columns;
  });
  return csrMatrix({
    rows: m.rows,
    cols: m.cols,
    indptr: Uint32Array.from({ length: m.rows + 1 }, (_, r) =>
      rows.slice(0, r).reduce((sum, { length }) => sum + length, 0),
    ),
    indices: Uint32Array.from(rows.flat()),
    data: Float32Array.from(rows.flatMap((columns, r) => columns.map((c) => cells[r * m.cols + c]))),
  });
}

describe('formats in their list', () => {
  const doc = defaultDocument({ ...CATALOG, formats });
  const rowsOf = (m: Matrix, isEncoded: boolean) => {
    const encodings: Record<string, EncodingState> = {};
    const counted = new Map<string, number | null>();
    for (const format of registry) {
      const params = defaultParams<FormatParams>(format.params);
      const encoder: AnyFormat = format;
      const admission = encoder.admits(m, params);
      const e: EncodedMatrix | null = admission.ok ? encoder.encode(m, params) : null;
      const size = e && [...namedArrays(e).values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
      counted.set(format.id, size);
      const summary = {
        admission,
        ledger: e && encoder.storage(e),
        format: format.id,
        params,
      } as unknown as EncodingSummary;
      if (isEncoded) encodings[format.id] = { kind: 'ready', params, summary };
    }
    const summary = {
      rows: m.rows,
      cols: m.cols,
      nnz: m.nnz,
      density: m.nnz / m.rows / m.cols,
      source: doc.source,
      ...(!isEncoded && { sampledRows: 8 }),
    } as unknown as MatrixSummary;
    const examples = formats.map(({ shownBestOn: { id } }) => ({ id, title: id, url: '' }));
    return { rows: formatRows({ formats, doc, side: 'a', encodings, summary, examples }), counted };
  };

  it('have the bytes of their arrays, or about as many as random weights take, or what is offered in their place', () => {
    const read = new Read();
    let [exact, about] = [0, 0];
    for (const density of [0.03, 0.5]) {
      const m = buildMatrix({
        shape: [256, 1024],
        pattern: 'uniform',
        density,
        values: 'normal',
        seed: 6,
        storage: 'entries',
      });
      for (const isEncoded of [true, false]) {
        const { rows, counted } = rowsOf(m, isEncoded);
        for (const row of rows) {
          const size = counted.get(row.format.id) ?? null;
          if (row.bytes !== null) {
            expect(row.isExpected, row.format.id).toBe(!isEncoded);
            const rule = isEncoded ? '{count}' : '≈ {size}';
            const facts = { count: number(row.bytes), size: { ...bytes(row.bytes), digits: 2 } };
            read.sentence(sizeText(row.bytes, row.isExpected), rule, facts, row.format.id);
          }
          if (isEncoded) expect(row.bytes, row.format.id).toBe(size);
          else if (row.bytes !== null && size !== null)
            expect(Math.abs(row.bytes / size - 1), row.format.id).toBeLessThan(0.03);
          exact += isEncoded && size !== null ? 1 : 0;
          about += row.isExpected && row.bytes !== null ? 1 : 0;
          if (row.bytes !== null) continue;
          const { remedy } = row;
          const offered =
            remedy?.kind === 'prune'
              ? `prunes to ${remedy.kept}:${remedy.group} first`
              : remedy?.kind === 'open'
                ? `opens ${row.format.shownBestOn.what}`
                : row.isRefused
                  ? 'cannot store this'
                  : '';
          expect(remedyText(row)).toBe(offered);
        }
      }
    }
    expect([exact > 8, about > 8]).toEqual([true, true]);
  });

  it('offer prunings and examples with which a format that refuses can store the matrix', async () => {
    const examples = new Map([...(await shippedMatrices())].map(([{ id }, matrix]) => [id, matrix]));
    let met = 0;
    for (const format of registry) {
      const encoder: AnyFormat = format;
      const { id } = format.shownBestOn;
      const best = examples.get(id);
      if (best) expect(encoder.admits(best, defaultParams(format.params)).ok, `${format.id} on ${id}`).toBe(true);
      for (const params of allParams(format)) {
        for (const density of [0.3, 0.9]) {
          const m = buildMatrix({
            shape: [12, 96],
            pattern: 'uniform',
            density,
            values: 'normal',
            seed: 2,
            storage: 'cells',
          });
          const admission = encoder.admits(m, params);
          if (admission.ok || !admission.prune) continue;
          const { kept, group } = admission.prune;
          expect(encoder.admits(pruned(m, kept, group), params).ok, `${format.id}, ${kept}:${group}`).toBe(true);
          const remedy = { kind: 'prune', kept, group } as const;
          expect(doneText(remedy)).toBe(`it is pruned to ${kept}:${group}`);
          const stored = { format: format.id, params: params as FormatParams };
          expect(withRemedy(doc, 'a', stored, remedy)).toMatchObject({
            format: format.id,
            source: { kind: 'pruned', pruning: { way: 'n-of-m', kept, group } },
          });
          met++;
        }
      }
    }
    expect(met).toBeGreaterThan(3);
  });
});
