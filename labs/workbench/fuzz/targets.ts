// The fuzz targets of the Workbench.

import type { Target } from '../../../fuzz/target.ts';
import { draftsTarget } from './drafts.ts';
import { savedTarget } from './kept.ts';
import { userTarget } from './own.ts';

export const targets: readonly Target[] = [draftsTarget, savedTarget, userTarget];
