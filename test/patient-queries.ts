import { configure } from '@testing-library/react';

/** Queries wait ten seconds: on a busy machine one second is not enough to draw a page. */
configure({ asyncUtilTimeout: 10_000 });
