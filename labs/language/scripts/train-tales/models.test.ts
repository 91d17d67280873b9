// The shipped models: their size, checksums and provenance.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecordedQuality } from '../../decoders/quality/recorded-quality.ts';
import { drawTale } from '../../tales/draw.ts';
import { exactBits } from '../../tales/judge.ts';
import { scheduled } from '../../../../test/scheduled.ts';

const MODELS = 'labs/language/public/models';
const names = readdirSync(MODELS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

interface Provenance {
  readonly sha256: Readonly<Record<string, string>>;
}

const json = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(MODELS, ...path), 'utf8'));

test('the models take at most 18 MB together', () => {
  const bytes = names.flatMap((name) =>
    readdirSync(join(MODELS, name)).map((file) => statSync(join(MODELS, name, file)).size),
  );
  expect(names).toEqual(['tales', 'tales-pruned', 'tales-relu', 'tales-small']);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(18e6);
});

test('the model for phones has at most 1.3 MB of weights', () => {
  expect(statSync(join(MODELS, 'tales-small', 'model.safetensors')).size).toBeLessThanOrEqual(1.3e6);
});

const drawnBefore = new Map<number, readonly ReturnType<typeof drawTale>[]>();

/** The first of the tales held out, which are the same for every model. */
function talesDrawn(count: number): readonly ReturnType<typeof drawTale>[] {
  let drawn = drawnBefore.get(count);
  if (!drawn) drawnBefore.set(count, (drawn = Array.from({ length: count }, (_, i) => drawTale('held-out', 0, i))));
  return drawn;
}

scheduled(
  'every tale that the models were measured on is parsed',
  "'was measured on the same test tales as the current grammar draws' in the same file, by their bytes and the bits of their paths, and labs/language/tales/tale.test.ts",
  'the exact floor of every model equals the floor of the tales that are drawn today',
  () => {
    const exact = new Map<number, number>();
    for (const name of names) {
      const { floor, tales, bytes } = readRecordedQuality(json(name, 'quality.json'));
      const bits = exact.get(tales) ?? talesDrawn(tales).reduce((sum, { text }) => sum + exactBits(text).bits, 0);
      exact.set(tales, bits);
      expect(floor.exact, name).toBeCloseTo(bits / bytes, 9);
    }
    expect(exact.size).toBeGreaterThan(0);
  },
);

describe.each(names)('%s', (name) => {
  test('contains the files that its provenance names', () => {
    const { sha256 } = json(name, 'provenance.json') as Provenance;
    expect(Object.keys(sha256)).toEqual(['config.json', 'model.safetensors', 'tokenizer.json']);
    for (const [file, expected] of Object.entries(sha256)) {
      const digest = createHash('sha256')
        .update(readFileSync(join(MODELS, name, file)))
        .digest('hex');
      expect(digest, file).toBe(expected);
    }
  });

  test('was measured on the same test tales as the current grammar draws', () => {
    const { floor, tales, bytes, rows } = readRecordedQuality(json(name, 'quality.json'));
    const drawn = talesDrawn(tales);
    expect(drawn.reduce((sum, { text }) => sum + text.length, 0)).toBe(bytes);
    expect(floor.path).toBeCloseTo(drawn.reduce((sum, { bits }) => sum + bits, 0) / bytes, 9);
    expect(floor.exact).toBeLessThanOrEqual(floor.path);
    // Nobody can predict better than the language itself.
    expect(rows.filter(({ bitsPerByte }) => bitsPerByte < floor.exact)).toEqual([]);
  });
});
