import { createElement } from 'react';
import { expect, it } from 'vitest';
import { allParams, buildMatrix } from '../../../test/arbitraries.ts';
import { CATALOG } from '../../../test/fake-engine.ts';
import { visibleText } from '../../../test/markup.ts';
import { recordedDevices } from '../../../test/recorded-questions.ts';
import { shippedMatrices } from '../../../test/shipped.ts';
import { type Statement, wordings } from '../../../test/wordings.ts';
import { type AnyFormat, defaultParams } from '../../core/format.ts';
import { csrMatrix, type Matrix, toDense } from '../../core/matrix/index.ts';
import { formats } from '../../formats/catalog.ts';
import { formats as registry } from '../../formats/registry.ts';
import { DeviceLabel, deviceAfterOn } from '../../kit/devices/DeviceLabel.tsx';
import type { Device } from '../../state/devices/device.ts';
import { devicesOf } from '../../state/devices/devices.ts';
import { remedyPhrase, withRemedy } from '../../state/document.ts';
import { defaultDocument, type FormatParams } from '../../state/index.ts';
import { sizeText } from './format-rows.ts';
import { deviceDetail } from './DevicePopover.tsx';

/** Yields the texts of each device: its name, its figure with the source, its label, and its name after 'on'; then sizes. */
function* devices(): Generator<Statement> {
  const [recorded] = recordedDevices;
  const recordedFields = {
    id: 'x',
    name: recorded.name,
    date: '2026-11-22',
    driver: '570.1',
    commit: 'abcdef1234567890',
  };
  const reports = [{ ...recorded.reports[0], createdAt: '2026-11-20T10:00:00Z' }];
  const thisDevice: Device = { ...recorded, kind: 'this', reports };
  const devicesByName: Readonly<Record<string, Device>> = {
    recorded: { ...recorded, recorded: { ...recordedFields, shapes: [] } as never },
    here: thisDevice,
    reported: { ...thisDevice, kind: 'report' },
    unmeasured: { ...thisDevice, reports: [] },
    software: { ...thisDevice, isSoftware: true, roofs: null },
  };
  const unmeasured = devicesOf({ status: null, recorded: [], loaded: {}, reports: [], deviceChoice: 'typed:123,2' });
  for (const [name, device] of [
    ...unmeasured.map((item) => [item.id, item] as const),
    ...Object.entries(devicesByName),
  ]) {
    const label = visibleText(createElement(DeviceLabel, { device }));
    yield [name, [device.name, deviceDetail(device), label, deviceAfterOn(device, null)].join(' / ')];
  }
  for (const bytes of [1234, 12_345_678])
    for (const isExpected of [false, true]) yield ['size', sizeText(bytes, isExpected)];
}

it('devices show how fast they read, by which source, and that an unmeasured figure is a bound', async () => {
  await expect(wordings(devices())).toMatchFileSnapshot('words/devices.txt');
});

/** Prunes a matrix: every row keeps the `kept` largest magnitudes of each `group` neighbouring columns. */
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

const doc = defaultDocument({ ...CATALOG, formats });

it('formats that reject a matrix suggest prunings and examples that they can store', async () => {
  const examples = new Map([...(await shippedMatrices())].map(([{ id }, matrix]) => [id, matrix]));
  let count = 0;
  for (const format of registry) {
    const encoder: AnyFormat = format;
    const { id } = format.bestExample;
    const bestExample = examples.get(id);
    if (bestExample)
      expect(encoder.admits(bestExample, defaultParams(format.params)).ok, `${format.id} on ${id}`).toBe(true);
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
        const support = encoder.admits(m, params);
        if (support.ok || !support.prune) continue;
        const { kept, group } = support.prune;
        expect(encoder.admits(pruned(m, kept, group), params).ok, `${format.id}, ${kept}:${group}`).toBe(true);
        const remedy = { kind: 'prune', kept, group } as const;
        expect(remedyPhrase(remedy)).toBe(`it is pruned to ${kept}:${group}`);
        const stored = { format: format.id, params: params as FormatParams };
        expect(withRemedy(doc, 'a', stored, remedy)).toMatchObject({
          format: format.id,
          source: { kind: 'pruned', pruning: { way: 'n-of-m', kept, group } },
        });
        count++;
      }
    }
  }
  expect(count).toBeGreaterThan(3);
});
