// The pages of the application for tests that need their addresses only.

import { MEASURE } from '../src/pages/measure/address.ts';
import { COMPARE } from '../src/pages/compare/address.ts';
import { CODE } from '../src/pages/code/address.ts';
import { LEARN } from '../src/pages/learn/address.ts';
import { WATCH } from '../src/pages/watch/address.ts';
import { withLabPages } from '../src/kit/lab.ts';
import { LABS } from '../src/app/labs.ts';
import type { PageEntry } from '../src/state/index.ts';

/** Ids, titles and addresses of the pages, without components of src. test/page-names.test.ts compares them with src/app/pages.ts. */
export const PAGES: readonly PageEntry[] = withLabPages<PageEntry>(
  [WATCH, COMPARE, MEASURE],
  LABS.flatMap(({ pages }) => pages),
  [CODE, LEARN],
);
