import type { Matrix } from '../../../../../core/matrix/index.ts';
import { generate } from '../../../../../generate/generate.ts';

const DENSITIES = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1];
/** Rows and columns: few enough that each matrix is encoded within an animation frame. */
export const DENSITY_SIZE = 256;

const made = new Map<number, Matrix>();

/** Random matrices by density, each made once on first use. */
export const densities = DENSITIES.map((density) => ({
  density,
  make: (): Matrix => {
    const known = made.get(density);
    if (known) return known;
    const matrix = generate({ pattern: 'uniform', rows: DENSITY_SIZE, cols: DENSITY_SIZE, density, seed: 1 });
    made.set(density, matrix);
    return matrix;
  },
}));
