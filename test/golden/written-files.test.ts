import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultParams, resolvedParams } from '../../src/core/format.ts';
import { csrMatrix, denseMatrix, type Matrix, toCsr, toDense } from '../../src/core/matrix/index.ts';
import { threadPace } from '../../src/core/pace.ts';
import { ServiceJob } from '../../src/engine/bridge/service-job.ts';
import { encodingFile, matrixFile } from '../../src/engine/matrix/file-export.ts';
import { formatById, formats } from '../../src/formats/registry.ts';
import { listTensors, readMatrix } from '../../src/io/read.ts';
import { readStored } from '../../src/lib/files.ts';
import { parseReports } from '../../src/core/reports/report-check.ts';
import { reportsToJson } from '../../src/state/reports/report-export.ts';
import { REPORT } from '../reports.ts';
import { CHOICES, fileAt, KINDS, pathOf, WRITTEN, writtenMatrix, type Written } from './written-files.ts';

/**
 * `npm run printed` writes the files that are missing, such as those for a new format. An existing file is not
 * changed: an earlier page wrote it, and it has to open.
 */
const WRITES = process.env.GOLDEN === 'write';

const job = (): ServiceJob => new ServiceJob(threadPace);

/** A matrix that all formats support: rows of 0 to 16 non-zeros, two in each eight columns at most. */
function matrixOf(name: Written): Matrix {
  const [rows, cols] = [20, 64];
  const cells = new Float32Array(rows * cols);
  for (let r = 0; r < rows; r++) {
    const groups = [0, 1, 2, 4, 8][r % 5];
    for (let g = 0; g < groups; g++) {
      const start = r * cols + 8 * ((g * 5 + r) % 8);
      cells[start + (r % 4)] = name === 'coarse' ? -8 : 127 - 3 * g;
      cells[start + 4 + ((g + r) % 4)] = name === 'coarse' ? ((r + g) % 2 === 0 ? 7 : -8) : 5 * g - 60;
    }
  }
  const values = cells.map((k) => k / 16);
  return csrMatrix(toCsr(denseMatrix(rows, cols, values)));
}

/** The file at this path, which is written if it is missing and `npm run printed` runs. */
async function fileOrWrite(path: string, write: () => Promise<Blob>): Promise<File> {
  if (WRITES && !fileAt(path)) {
    mkdirSync(WRITTEN, { recursive: true });
    writeFileSync(path, new Uint8Array(await (await write()).arrayBuffer()));
  }
  const file = fileAt(path);
  if (!file) throw new Error(`${path}: found no file; npm run printed writes what is missing`);
  return new File([file], basename(path));
}

describe('files that earlier versions of the page wrote', () => {
  it.each(['fine', 'coarse'] as const)('the %s matrix opens from .mtx and .npz', async (name) => {
    const m = matrixOf(name);
    for (const kind of ['mtx', 'npz'] as const) {
      const file = await fileOrWrite(join(WRITTEN, `${name}.${kind}`), () => matrixFile(m, kind, job(), threadPace));
      const { matrix, notes } = await readMatrix(file);
      expect([[matrix.rows, matrix.cols, notes], toDense(matrix)]).toEqual([[20, 64, []], toDense(m)]);
    }
  });

  it.each(CHOICES.flatMap(([id, params, of], i) => KINDS.map((kind) => [kind, id, params, of, i] as const)))(
    '.%s of %s with %o has the same matrix and parameters',
    async (kind, id, params, of, i) => {
      const format = formatById(id);
      const all = { ...defaultParams<object>(format.params), ...params };
      const expected = await writtenMatrix(of);
      const file = await fileOrWrite(pathOf(i, kind), () =>
        encodingFile(format, all, format.encode(expected, all), kind, job(), threadPace),
      );
      const opened = await readStored(file);
      expect(opened.format.id).toBe(id);
      expect(opened.params).toEqual(all);
      const { encoded } = opened;
      expect(encoded).toMatchObject({ ...resolvedParams(format.params, all, expected), rows: 20, cols: 64, nnz: 120 });
      expect([format.validate(encoded, 'full'), toDense(format.decode(encoded))]).toEqual([[], toDense(expected)]);
      // The page itself shows its arrays.
      const { tensors } = await listTensors(file);
      expect(new Set(tensors?.map(({ name }) => name.replace('.npy', '')))).toEqual(
        new Set(Object.keys(opened.arrays)),
      );
    },
  );

  it('a report opens unchanged', async () => {
    const file = await fileOrWrite(join(WRITTEN, 'report.json'), async () => new Blob([reportsToJson([REPORT])]));
    const text = await file.text();
    expect(reportsToJson(parseReports('report.json', text))).toBe(text);
    expect(readFileSync(join(WRITTEN, 'report.json'), 'utf8')).toContain('"schema"');
  });

  it('every format has files with two choices of parameters', () => {
    expect(CHOICES.map(([id]) => id).toSorted()).toEqual(formats.flatMap(({ id }) => [id, id]).toSorted());
    expect(readdirSync(WRITTEN)).toHaveLength(4 + 1 + CHOICES.length * KINDS.length);
  });
});
