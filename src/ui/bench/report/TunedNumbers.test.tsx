import { expect, test } from 'vitest';
import { tunedText } from './TunedNumbers.tsx';

const start = { shares: 4096, lanes: 1024 };

test('says what was chosen, and what that gained', () => {
  const tuned = { chosen: { shares: 4224, lanes: 512 }, start, gain: 1.042, tried: 18, remembered: false };
  expect(tunedText(tuned)).toBe('shares 4\u202f224, lanes 512: 1.04× the speed');
  expect(tunedText({ ...tuned, chosen: start, gain: 1 })).toBe(
    'shares 4\u202f096, lanes 1\u202f024, as without a trial',
  );
});
