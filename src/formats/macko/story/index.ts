import type { FormatStory } from '../../../core/format.ts';
import { admits } from '../encode.ts';
import type { MackoParams } from '../params.ts';
import { quotes } from './code.ts';
import { scene } from './scene.ts';
import { type MackoStep, trace } from './trace.ts';

/** The story of MACKO on a window, loaded when the format is chosen. */
export const story: FormatStory<MackoParams, MackoStep> = { admits, trace, scene, quotes };
