import type { Lab } from '../kit/lab.ts';
import { language } from '../labs/language/lab.ts';
import { training } from '../labs/training/lab.ts';
import { workbench } from '../labs/workbench/lab.ts';

/** The labs of the page: without its line, and its folder, a lab is gone. */
export const LABS: readonly Lab[] = [language, training, workbench];
