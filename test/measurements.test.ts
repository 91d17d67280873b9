import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MEASUREMENTS_FOLDER, measurementLines } from '../scripts/measurement-lines.mjs';
import { checkDecodeReport } from '../src/core/reports/decode-check.ts';
import { failedStages } from '../src/core/reports/decode-report.ts';
import { parseReports } from '../src/core/reports/report-check.ts';

const docs = resolve(import.meta.dirname, '../docs');
const measurements = readdirSync(MEASUREMENTS_FOLDER);
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => readFileSync(join(docs, path), 'utf8'));

describe('docs/measurements', () => {
  it('docs/measurements contains files', () => expect(measurements.length).toBeGreaterThan(10));

  it.each(measurements)('%s is linked from a page of docs', (name) => {
    expect(pages.some((page) => page.includes(`measurements/${name})`))).toBe(true);
  });

  it.each(measurements)('%s can be imported, and has a line for each measured kernel', (name) => {
    const text = readFileSync(join(MEASUREMENTS_FOLDER, name), 'utf8');
    const reports = parseReports(name, text);
    expect(text === measurementLines(reports), 'run `node scripts/measurement-lines.mjs` and commit the file').toBe(
      true,
    );
  });
});

const WHOLE_TOKENS = join(docs, 'whole-tokens');

describe('docs/whole-tokens', () => {
  it.each(readdirSync(WHOLE_TOKENS))('%s has reports without a wrong stage, and a link', (name) => {
    expect(pages.some((page) => page.includes(`whole-tokens/${name})`))).toBe(true);
    const reports = JSON.parse(readFileSync(join(WHOLE_TOKENS, name), 'utf8')) as readonly unknown[];
    expect(reports.length).toBeGreaterThan(0);
    for (const report of reports) expect(failedStages(checkDecodeReport(name, report))).toEqual([]);
  });
});
