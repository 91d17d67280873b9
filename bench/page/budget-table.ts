import type { Figure } from './figure.ts';

/** Figures as stored in recorded.json. */
export interface Recorded {
  readonly date: string;
  readonly browser: string;
  readonly cores: number;
  readonly figures: Readonly<Record<string, Pick<Figure, 'unit' | 'value' | 'referenceMs'>>>;
}

/** Figures for recorded.json, by name. */
export function recordedFigures(figures: readonly Figure[]): Recorded['figures'] {
  return Object.fromEntries(
    figures.map(({ name, unit, value, referenceMs }) => [
      name,
      { unit, value: Number(value.toPrecision(3)), referenceMs: Number(referenceMs.toPrecision(3)) },
    ]),
  );
}

/** How many times as long as when it was recorded, counted by the clock and by the reference work of each run. */
export function ratiosOf(figure: Figure, recorded: Recorded | null): { readonly clock: number; readonly work: number } {
  const before = recorded?.figures[figure.name];
  if (!before || before.unit !== figure.unit) return { clock: Number.NaN, work: Number.NaN };
  const clock = figure.value / before.value;
  return { clock, work: clock / (figure.referenceMs / before.referenceMs) };
}

/**
 * One line for each figure: today's value, the recorded one, their ratio, and this ratio divided by the ratio of the
 * reference work, which a slow or busy machine changes little. Values above their budget are marked.
 */
export function budgetTable(figures: readonly Figure[], recorded: Recorded | null): string {
  const number = (value: number | undefined): string =>
    value === undefined || Number.isNaN(value) ? '-' : String(Number(value.toPrecision(3)));
  const rows = figures.map((figure) => {
    const { name, unit, value, budget, referenceMs } = figure;
    const { clock, work } = ratiosOf(figure, recorded);
    return [
      name,
      unit,
      `${number(value)}${budget !== undefined && value > budget ? ' !' : ''}`,
      number(budget),
      number(recorded?.figures[name]?.value),
      number(clock),
      number(referenceMs),
      number(work),
    ];
  });
  const table = [
    ['figure', 'unit', 'today', 'budget', 'recorded', 'ratio', 'reference ms', 'ratio by reference'],
    ...rows,
  ];
  // bounded: figures of the table
  const widths = table[0].map((_, column) => Math.max(...table.map((cells) => cells[column].length)));
  const lines = table.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  );
  const when = recorded
    ? `Recorded ${recorded.date}, ${recorded.browser}, ${recorded.cores} cores.`
    : 'Nothing was recorded yet: --record does.';
  return [...lines, when].join('\n');
}
