import type { FormatStory } from '../../../core/format.ts';
import { admits } from '../encode.ts';
import type { BitmaskParams } from '../params.ts';
import { storage } from '../storage.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type BitmaskStep, type BitmaskTrace, trace } from './trace.ts';

/** The story of the bitmask format on a window, loaded when the format is chosen. */
export const story: FormatStory<BitmaskParams, BitmaskStep> = {
  admits,
  trace,
  scene,
  ledger: (t) => storage((t as BitmaskTrace).encoded),
  questions,
};
