// A few seeded attempts of every fuzz target of the Language lab.

import { expect, test } from 'vitest';
import { cases } from '../../../test/scheduled.ts';
import { randomOf } from '../../../fuzz/thread.ts';
import { targets } from './targets.ts';

test.each(targets.map((target) => [target.id, target] as const))(
  'the fuzz target %s breaks no law',
  async (_, target) => {
    for (let i = 0; i < cases(5, 20); i++) {
      const attempt = target.generate(randomOf(9, target.id, i));
      expect(await attempt.find(), JSON.stringify(attempt.toJson())).toBeNull();
    }
  },
);
