import { configure } from '@testing-library/react';

/** Queries that wait give up late: on a machine with other work, a second is not enough for a page to be drawn. */
configure({ asyncUtilTimeout: 10_000 });
