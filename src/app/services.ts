import { bench } from '../engine/bench-service.ts';
import { device } from '../engine/device-service.ts';
import { matrix } from '../engine/matrix-service.ts';
import { compareFormats } from '../pages/compare/service/service.ts';
import { kernels } from '../pages/code/service/service.ts';

/** The functions of the worker that the page calls, in groups: of the engine, and of pages such as Compare. */
export const services = [matrix, device, bench, kernels, compareFormats] as const;
