import type { Lab } from '../../kit/lab.ts';

export const workbench: Lab = { places: [] };
