import { configure } from '@testing-library/react';
import { PATIENCE_MS } from './eventually.ts';

/** On a busy machine one second, the default, is not enough to draw a page. */
configure({ asyncUtilTimeout: PATIENCE_MS });
