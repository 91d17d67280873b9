import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fullDeviceReports, type Recording, type RecordingIndex } from '../../src/core/reports/recording.ts';
import { tokenRests } from '../../src/theory/models/token-speeds.ts';
import { formats, referenceFormat } from '../../src/formats/registry.ts';
import { candidates } from '../../src/theory/choice/format-choice.ts';
import { timedFormats } from '../../src/theory/choice/predicted-times.ts';

const FOLDER = new URL('../../public/recordings/', import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));

it('recorded-times.json contains the times of all delivered recordings (npm run printed writes it)', async () => {
  const { recordings } = read('index.json') as RecordingIndex;
  // A format without a closed form of its bytes is never chosen.
  const mayBeChosen = new Set(
    candidates(formats, referenceFormat, 4).flatMap(({ format }) =>
      format.expectedEffectiveDensity ? [format.id] : [],
    ),
  );
  const devices = recordings.map(({ id, name }) => ({
    id: id.replace(/@.*/, ''),
    name,
    recording: id,
    rests: tokenRests(name).map((rest) => ({ ...rest, nsPerLayer: Math.round(rest.nsPerLayer) })),
    times: timedFormats(fullDeviceReports(read(`${id}.json`) as Recording))
      .filter(({ format }) => mayBeChosen.has(format))
      .map(({ format, params, shapes }) => ({
        format,
        params,
        // Lists instead of objects: the package is smaller.
        shapes: shapes.map(({ rows, cols, times }) => ({
          rows,
          cols,
          density: times.map(({ density }) => Number(density.toFixed(3))),
          ns: times.map(({ ns }) => Math.round(ns)),
          spread: times.map(({ spread }) => Number(spread.toPrecision(2))),
        })),
      })),
  }));
  expect(devices.length).toBeGreaterThan(1);
  for (const { times } of devices) expect(times.length).toBeGreaterThan(10);
  await expect(`${JSON.stringify({ devices })}\n`).toMatchFileSnapshot('recorded-times.json');
});
