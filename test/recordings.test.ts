import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { entryOf, hasKernelChanged, unpackRecording } from '../src/core/reports/recording.ts';
import { checkRecording, checkRecordingIndex } from '../src/core/reports/recording-check.ts';
import { checkReports } from '../src/core/reports/report-check.ts';
import { hashes } from '../src/formats/hashes.ts';
import { formats } from '../src/formats/registry.ts';
import { kernelHashes } from '../scripts/kernel-plans.ts';
import { RECORDING } from './recording.ts';

/** All recordings together, as a server sends them. */
const MAX_BYTES = 400 * 1024;

const folder = resolve(import.meta.dirname, '../public/recordings');
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');
const files = readdirSync(folder).filter((file) => file !== 'index.json');
const index = checkRecordingIndex('index.json', JSON.parse(textOf('index.json')));

test('the shipped recordings match the index, newest first and on one day the faster device first, in at most 400 KB', () => {
  const entries = files.map((file) => {
    const text = textOf(file);
    const recording = checkRecording(file, JSON.parse(text));
    expect(file).toBe(`${recording.id}.json`);
    return entryOf(recording, Buffer.byteLength(text));
  });
  const newest = entries.toSorted(
    (a, b) => b.date.localeCompare(a.date) || (b.roofs.readBandwidthGBps ?? 0) - (a.roofs.readBandwidthGBps ?? 0),
  );
  expect(index.recordings).toEqual(newest);
  const bytes = [...files, 'index.json'].reduce((sum, file) => sum + gzipSync(textOf(file)).length, 0);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
});

test('every shipped recording names device, date, driver and commit, and contains no samples', () => {
  for (const file of files) {
    const recording = checkRecording(file, JSON.parse(textOf(file)));
    const reports = checkReports(file, unpackRecording(recording));
    expect(reports.length).toBeGreaterThan(0);
    for (const { recorded } of reports) {
      expect(Object.values(recorded ?? {}).every((text) => text !== '')).toBe(true);
      expect(recorded?.commit).toMatch(/^[0-9a-f]{7,40}$/);
    }
    expect(textOf(file)).not.toContain('samplesNs');
  }
});

test('recordings contain a hash of every kernel’s text, and a changed kernel is reported', () => {
  const ids = formats.flatMap(({ kernels }) => kernels.map(({ id }: { readonly id: string }) => id));
  expect([Object.keys(hashes).toSorted(), hashes]).toEqual([ids.toSorted(), kernelHashes(formats)]);
  for (const hash of Object.values(hashes)) expect(hash).toMatch(/^[0-9a-f]{8}$/);
  const recording = { kernels: Object.fromEntries(ids.map((id) => [id, { title: id, hash: hashes[id] }])) };
  expect(ids.filter((id) => hasKernelChanged(recording, id, hashes))).toEqual([]);
  // The made-up recording is of made-up texts.
  expect(Object.keys(RECORDING.kernels).filter((id) => hasKernelChanged(RECORDING, id, hashes))).toEqual(
    Object.keys(RECORDING.kernels),
  );
});
