import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecordedQuality } from '../../src/language/quality/recorded.ts';
import { drawTale } from '../../src/tales/draw.ts';
import { exactBits } from '../../src/tales/judge.ts';

const MODELS = 'public/models';
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

test('the one for phones takes at most 1.3 MB of weights', () => {
  expect(statSync(join(MODELS, 'tales-small', 'model.safetensors')).size).toBeLessThanOrEqual(1.3e6);
});

describe.each(names)('%s', (name) => {
  test('has the files that its provenance names', () => {
    const { sha256 } = json(name, 'provenance.json') as Provenance;
    expect(Object.keys(sha256)).toEqual(['config.json', 'model.safetensors', 'tokenizer.json']);
    for (const [file, expected] of Object.entries(sha256)) {
      const found = createHash('sha256')
        .update(readFileSync(join(MODELS, name, file)))
        .digest('hex');
      expect(found, file).toBe(expected);
    }
  });

  test('was measured on the tales that are drawn today', () => {
    const { floor, tales, bytes, rows } = readRecordedQuality(json(name, 'quality.json'));
    const drawn = Array.from({ length: tales }, (_, i) => drawTale('held-out', 0, i));
    expect(drawn.reduce((sum, { text }) => sum + text.length, 0)).toBe(bytes);
    const exact = drawn.reduce((sum, { text }) => sum + exactBits(text).bits, 0);
    expect(floor.exact).toBeCloseTo(exact / bytes, 9);
    expect(floor.path).toBeCloseTo(drawn.reduce((sum, { bits }) => sum + bits, 0) / bytes, 9);
    // Nobody can predict better than the language itself.
    expect(rows.filter(({ bitsPerByte }) => bitsPerByte < floor.exact)).toEqual([]);
  });
});
