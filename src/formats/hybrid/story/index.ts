import type { FormatStory } from '../../../core/format.ts';
import { admits } from '../encode.ts';
import type { HybridParams } from '../params.ts';
import { rowCounts, tailRefusal } from '../routing.ts';
import { storage } from '../storage.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type HybridStep, type HybridTrace, trace } from './trace.ts';

/** The story of the hybrid on a window of activations, loaded when the format is chosen. */
export const story: FormatStory<HybridParams, HybridStep> = {
  admits,
  trace,
  // Where the tail is full, the story takes a longer one.
  tracesRefused: (m, p) => tailRefusal(rowCounts(m), m.cols, p) !== null,
  scene,
  ledger: (t) => storage((t as HybridTrace).encoded),
  questions,
};
