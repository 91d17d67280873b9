import { defaultParams } from '../../src/core/format.ts';
import { formats } from '../../src/formats/registry.ts';
import { generate } from '../../src/generate/generate.ts';
import { type Figure, referenceWork } from './figure.ts';

type Params = Readonly<Record<string, unknown>>;

// Figures of `npm run bench:page` that are measured under Node: the time that each format's encoder takes.

/** No run is repeated after this time. */
const MAX_MS = 2000;

/** The shortest of some runs, in milliseconds: other work of the machine only makes them longer. */
function minMs(maxRuns: number, work: () => unknown): number {
  let min = Number.POSITIVE_INFINITY;
  const start = performance.now();
  for (let i = 0; i < maxRuns && (i === 0 || performance.now() - start < MAX_MS); i++) {
    const before = performance.now();
    work();
    min = Math.min(min, performance.now() - before);
  }
  return min;
}

/** A figure with the mean time of the reference work before and after it, by which figures of machines are compared. */
function betweenReferences(name: string, unit: Figure['unit'], ms: () => number, budget?: number): Figure {
  const before = minMs(2, referenceWork);
  const measuredMs = ms();
  const referenceMs = (before + minMs(2, referenceWork)) / 2;
  const value = unit === 's' ? measuredMs / 1000 : measuredMs;
  return { name, unit, value, referenceMs, ...(budget === undefined ? {} : { budget }) };
}

/** Times the encoder of every format on a large matrix. `say` prints each figure. */
export function nodeFigures(say: (line: string) => void): readonly Figure[] {
  // Runs a few times first, so that it is compiled when it is measured.
  minMs(3, referenceWork);
  // Each format encodes the first of these matrices that it supports.
  const kinds = [
    ['30 % left', { pattern: 'uniform', density: 0.3, seed: 1 }],
    ['1 % left', { pattern: 'uniform', density: 0.01, seed: 1 }],
  ] as const;
  const matrices = kinds.map(([left, kind]) => [left, generate({ ...kind, rows: 4096, cols: 4096 })] as const);
  const figures: Figure[] = [];
  const add = (figure: Figure): void => {
    figures.push(figure);
    say(`${figure.name}: ${figure.value.toPrecision(3)} ${figure.unit}`);
  };
  for (const format of formats) {
    const params: Params = defaultParams(format.params);
    const supported = matrices.find(([, m]) => format.admits(m, params).ok);
    if (!supported) throw new Error(`${format.id}: found no matrix that it supports`);
    const [left, matrix] = supported;
    add(
      betweenReferences(`${format.id}: encode, 4096 × 4096, ${left}`, 's', () =>
        minMs(2, () => format.encode(matrix, params)),
      ),
    );
  }
  return figures;
}
