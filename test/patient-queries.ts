import { configure } from '@testing-library/react';
import { PATIENCE_MS } from './eventually.ts';

/** Setup of component tests: queries of Testing Library wait longer than 1 s, too short for a busy machine. */
configure({ asyncUtilTimeout: PATIENCE_MS });
