import type { FormatStory } from '../../../core/format.ts';
import type { BitmaskParams } from '../params.ts';
import { scene } from './scene.ts';
import { type BitmaskStep, trace } from './trace.ts';

/** The story of the bitmask format on a window, loaded when the format is chosen. */
export const story: FormatStory<BitmaskParams, BitmaskStep> = { trace, scene };
