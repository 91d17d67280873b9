import type { Target } from '../../../fuzz/target.ts';
import { draftsTarget } from './drafts.ts';
import { savedTarget } from './kept.ts';
import { ownTarget } from './own.ts';

export const targets: readonly Target[] = [draftsTarget, savedTarget, ownTarget];
