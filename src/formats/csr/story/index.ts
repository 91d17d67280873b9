import type { FormatStory } from '../../../core/format.ts';
import { admits } from '../encode.ts';
import type { CsrParams } from '../params.ts';
import { storage } from '../storage.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type CsrStep, type CsrTrace, trace } from './trace.ts';

/** The story of CSR on a window, loaded when the format is chosen. */
export const story: FormatStory<CsrParams, CsrStep> = {
  admits,
  trace,
  scene,
  ledger: (t) => storage((t as CsrTrace).encoded),
  questions,
};
