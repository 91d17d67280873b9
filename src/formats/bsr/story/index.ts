import type { FormatStory } from '../../../core/format.ts';
import { admits } from '../encode.ts';
import type { BsrParams } from '../params.ts';
import { scene } from './scene.ts';
import { type BsrStep, trace } from './trace.ts';

/** The story of BSR on a window, loaded when the format is chosen. */
export const story: FormatStory<BsrParams, BsrStep> = { admits, trace, scene };
