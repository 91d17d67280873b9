// Written by `npm run labs` from the folders of labs/.
import type { Lab } from '../kit/lab.ts';
import { language } from '../../labs/language/lab.ts';
import { training } from '../../labs/training/lab.ts';
import { workbench } from '../../labs/workbench/lab.ts';

/** The labs, optional parts of the page. */
export const LABS: readonly Lab[] = [language, training, workbench];
