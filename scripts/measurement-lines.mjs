// Reformats docs/measurements with a line per measured kernel: run `node scripts/measurement-lines.mjs` after adding a
// file. test/measurements.test.ts fails if a file is not in this form.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const MEASUREMENTS_FOLDER = resolve(import.meta.dirname, '../docs/measurements');

/**
 * Returns reports as JSON with each property and each list entry on a separate line, so that a diff has a line per kernel.
 *
 * @param {readonly object[]} reports
 * @returns {string}
 */
export function measurementLines(reports) {
  const texts = reports.map((report) => {
    const properties = Object.entries(report).map(([key, value]) => {
      const entries = Array.isArray(value) ? value.map((entry) => `      ${JSON.stringify(entry)}`) : [];
      const text = entries.length === 0 ? JSON.stringify(value) : `[\n${entries.join(',\n')}\n    ]`;
      return `    ${JSON.stringify(key)}: ${text}`;
    });
    return `  {\n${properties.join(',\n')}\n  }`;
  });
  return `[\n${texts.join(',\n')}\n]\n`;
}

if (process.argv[1] === import.meta.filename) {
  for (const name of readdirSync(MEASUREMENTS_FOLDER)) {
    const path = join(MEASUREMENTS_FOLDER, name);
    writeFileSync(path, measurementLines([JSON.parse(readFileSync(path, 'utf8'))].flat()));
  }
}
