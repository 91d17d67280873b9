import type { FormatStory } from '../../../core/format.ts';
import { admits } from '../encode.ts';
import type { MackoParams } from '../params.ts';
import { quotes } from './code.ts';
import { storage } from '../storage.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type MackoStep, type MackoTrace, trace } from './trace.ts';

/** The story of MACKO on a window, loaded when the format is chosen. */
export const story: FormatStory<MackoParams, MackoStep> = {
  admits,
  trace,
  scene,
  quotes,
  ledger: (t) => storage((t as MackoTrace).encoded),
  questions,
};
