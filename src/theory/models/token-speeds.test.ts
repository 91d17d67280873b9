import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DecodeReport } from '../../core/reports/decode-report.ts';
import { PUBLISHED_DEVICES } from '../roofline/devices.ts';
import recorded from './recorded-tokens.json';
import { tokenSpeedAt, type TokenSpeed, tokenSpeeds } from './token-speeds.ts';

const MACKO = { model: 'Llama-2-7B', format: 'macko', params: { valueType: 'f16' }, device: 'NVIDIA H200' } as const;

test('tokenSpeeds returns the recorded speeds of a model, a format, a value type and a device', () => {
  const speeds = tokenSpeeds(MACKO);
  expect(speeds.map(({ density, tokensPerSecond }) => [density, tokensPerSecond])).toEqual([
    [0.5, 294],
    [0.3, 417],
    [0.1, 605],
  ]);
  expect(tokenSpeedAt(speeds, 0.3)?.date).toBe('2026-11-27');
  expect(tokenSpeedAt(speeds, 0.4)).toBeNull();
  expect(tokenSpeeds({ ...MACKO, model: 'Llama-3.1-8B' })).toEqual([]);
  expect(tokenSpeeds({ ...MACKO, device: 'NVIDIA H100' }).map(({ density }) => density)).toEqual([0.5, 0.3, 0.1]);
  expect(tokenSpeeds({ ...MACKO, device: 'NVIDIA A100' })).toEqual([]);
  expect(tokenSpeeds({ ...MACKO, params: { valueType: 'i4' } })).toEqual([]);
});

test('each recorded speed and the time of its matrices are in the same report of docs/whole-tokens', () => {
  const folder = new URL('../../../docs/whole-tokens/', import.meta.url);
  const reports = readdirSync(folder).flatMap((name) => {
    const content = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as DecodeReport | readonly DecodeReport[];
    return [content].flat().map((report) => [name.slice(0, 4), report] as const);
  });
  for (const { device, format, density, tokensPerSecond, matricesNs } of recorded.tokens) {
    const matrixTimes = reports.flatMap(([card, report]) =>
      device.toLowerCase().endsWith(card) && report.format === format && Math.abs(report.density - density) < 0.004
        ? report.runs.flatMap(({ context, msPerToken, times }) => {
            const hasSpeed = context === 0 && Math.abs(1000 / (msPerToken?.median ?? 1) - tokensPerSecond) < 0.6;
            return hasSpeed && times ? [Math.round(times.kinds.matrices.ns + times.kinds.head.ns)] : [];
          })
        : [],
    );
    expect(matrixTimes, `${device}, ${format}, ${density}`).toContain(matricesNs);
    expect(matricesNs).toBeLessThan(1e9 / tokensPerSecond);
  }
});

test('a device with published figures has the speeds recorded on the same kind of device', () => {
  const rates = (device: string): readonly number[] =>
    tokenSpeeds({ ...MACKO, device }).map(({ tokensPerSecond }) => tokensPerSecond);
  expect(rates('NVIDIA H200 SXM')).toEqual(rates('NVIDIA H200'));
  expect(rates('NVIDIA H100 SXM')).toEqual(rates('NVIDIA H100'));
  expect(rates('NVIDIA H100 PCIe')).toEqual([]);
  for (const name of Object.keys(recorded.published))
    expect(PUBLISHED_DEVICES.map((device) => device.name)).toContain(name);
});

test('speeds measured by the user replace recorded ones of the same density, and the first listed one is used', () => {
  const measured: TokenSpeed[] = [220, 210].map((tokensPerSecond) => ({
    ...MACKO,
    density: 0.5,
    tokensPerSecond,
    date: '2026-12-01',
    isRecorded: false,
  }));
  expect(tokenSpeeds(MACKO, measured).map(({ tokensPerSecond }) => tokensPerSecond)).toEqual([220, 417, 605]);
});
