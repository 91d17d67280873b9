import type { LoadsAnswer } from '../service/kernel-loads-types.ts';
import { figuresCsv } from '../../../kit/charts/chart-csv.ts';

/** What all loads of some kernels cost, array by array, as CSV. */
export function countsCsv(answers: readonly LoadsAnswer[]): string {
  return figuresCsv({
    head: ['kernel', 'array', 'of', 'memory', 'loads', 'lanes that ask', 'lines or turns', 'bytes used'],
    rows: answers.flatMap(({ kernel, arrays }) =>
      arrays.map(({ name, of, space, loads, asked, cost, usedBytes }) => ({
        name: kernel,
        cells: [],
        values: [kernel, name, of, space, loads, asked, cost, usedBytes],
      })),
    ),
  });
}
