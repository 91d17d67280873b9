// The fuzz targets of the Language lab.

import type { Target } from '../../../fuzz/target.ts';
import { importedTarget } from './imported.ts';
import { decodersTarget } from './decoders.ts';
import { notesTarget } from './notes.ts';

export const targets: readonly Target[] = [decodersTarget, importedTarget, notesTarget];
