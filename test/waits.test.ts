import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS } from './eventually.ts';

/** Rules for tests, so that none fails on a slow machine: long timeouts for waits, and no assertions about time. */

interface Rule {
  readonly name: string;
  readonly refused: RegExp;
}

const RULES: readonly Rule[] = [
  { name: 'eventually() instead of a wait of one second', refused: /\bvi\.wait(?:For|Until)\(/ },
  { name: 'counts instead of clocks', refused: /\bexpect\([^;]*\b(?:performance\.now|Date\.now|cpuUsage|workedMs)\(/ },
  { name: 'counts instead of differences of clocks', refused: /\bexpect\(\s*\w*(?:elapsed|duration)\w*\s*[,)]/i },
];

/** Waits of Testing Library and polls with an explicit timeout, which must not be short. */
const SHORTENED = /\b(?:waitFor|find(?:All)?By\w+|expect\.poll)\([^;]*?\btimeout: ([\d_]+)/g;

const rejections = (text: string): readonly string[] => [
  ...RULES.filter(({ refused: rejected }) => rejected.test(text)).map(({ name }) => name),
  ...[...text.matchAll(SHORTENED)]
    .filter(([, ms = '']) => Number(ms.replaceAll('_', '')) < PATIENCE_MS)
    .map(([, ms]) => `the usual patience instead of ${ms} ms`),
];

const files = execFileSync('git', ['ls-files', 'src', 'test', 'bench', 'fuzz', 'scripts'])
  .toString()
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path) && (path.startsWith('test/') || /\.test\./.test(path)))
  .filter((path) => !['test/eventually.ts', 'test/waits.test.ts'].includes(path));

describe('tests wait long enough, and assert no time', () => {
  it('every test file keeps these rules', () => {
    expect(files.length).toBeGreaterThan(400);
    expect(files.flatMap((path) => rejections(readFileSync(path, 'utf8')).map((rule) => `${path}: ${rule}`))).toEqual(
      [],
    );
  });

  it.each([
    'await vi.waitFor(() => expect(log).toEqual([]));',
    'await vi.waitUntil(() => store.getState().isReady);',
    'expect(performance.now() - start).toBeLessThan(1000);',
    'expect(workedMs(start)).toBeLessThan(50);',
    'expect(elapsedMs).toBeLessThan(50);',
    "await waitFor(() => expect(screen.getByText('holds')).toBeTruthy(), { timeout: 4000 });",
    "await screen.findByText('holds', {}, { timeout: 10_000 });",
    'await expect.poll(() => log.ended, { timeout: 500 }).toBe(2);',
  ])('and rejects: %s', (line) => {
    expect(rejections(line)).toHaveLength(1);
  });

  it.each([
    'await eventually(() => expect(log).toEqual([]));',
    'await waitFor(() => expect(log).toEqual([]));',
    'await expect.poll(() => log.ended).toBe(2);',
    'const now = () => performance.now();',
    'const { durationMs } = run; expect(steps).toBe(7);',
  ])('and allows: %s', (line) => {
    expect(rejections(line)).toEqual([]);
  });
});
