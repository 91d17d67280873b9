import { configure } from '@testing-library/react';
import { afterAll, vi } from 'vitest';
import { PATIENCE_MS } from './eventually.ts';

/** Setup of component tests: queries of Testing Library wait longer than 1 s, too short for a busy machine. */
configure({ asyncUtilTimeout: PATIENCE_MS });

// Code that a component loads ahead may still be on its way when the last test of a file ends.
afterAll(() => vi.dynamicImportSettled());
