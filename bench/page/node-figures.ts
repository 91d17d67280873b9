import { defaultParams } from '../../src/core/format.ts';
import { formats } from '../../src/formats/registry.ts';
import { generate } from '../../src/generate/generate.ts';
import { type Figure, referenceWork } from './figure.ts';

type Params = Readonly<Record<string, unknown>>;

/** After which nothing is repeated. */
const MAX_MS = 2000;

/** The shortest of some runs, in milliseconds: other work of the machine only makes them longer. */
function minMs(times: number, work: () => unknown): number {
  let min = Number.POSITIVE_INFINITY;
  const begun = performance.now();
  for (let i = 0; i < times && (i === 0 || performance.now() - begun < MAX_MS); i++) {
    const before = performance.now();
    work();
    min = Math.min(min, performance.now() - before);
  }
  return min;
}

/** A figure between two runs of the reference work. */
function betweenReferences(name: string, unit: Figure['unit'], ms: () => number, budget?: number): Figure {
  const before = minMs(2, referenceWork);
  const found = ms();
  const referenceMs = (before + minMs(2, referenceWork)) / 2;
  const value = unit === 's' ? found / 1000 : found;
  return { name, unit, value, referenceMs, ...(budget === undefined ? {} : { budget }) };
}

/** Every format's encoder on a large matrix. */
export function nodeFigures(say: (line: string) => void): readonly Figure[] {
  // Compiled before it is measured.
  minMs(3, referenceWork);
  // A format that rejects most matrices has the first that it accepts.
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
    const found = matrices.find(([, m]) => format.admits(m, params).ok);
    if (!found) throw new Error(`${format.id}: found no matrix that it supports`);
    const [left, matrix] = found;
    add(
      betweenReferences(`${format.id}: encode, 4096 × 4096, ${left}`, 's', () =>
        minMs(2, () => format.encode(matrix, params)),
      ),
    );
  }
  return figures;
}
