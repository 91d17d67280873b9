import { useMemo } from 'react';
import { useSession } from '../../../kit/app-context.ts';
import { nameAfterOn } from '../../../kit/devices/DeviceLabel.tsx';
import { type NamedQuery, useCrossoverText } from '../../../kit/report/crossover-text.ts';
import { storedName } from '../../../kit/words/answer-names.ts';
import type { Device } from '../../../state/index.ts';
import type { VisitFacts } from './visit-facts.ts';
import { queryOf } from './visit-times.ts';
import { StyledWords } from '../../../kit/primitives/Text.tsx';

interface PublishedCrossoverProps {
  readonly facts: VisitFacts;
  /** the GPU that the page shows, without times of this matrix */
  readonly device: Device;
}

/** The density below which format A is faster than B on a GPU, according to published times. */
export function PublishedCrossover({ facts: { matrix, a, b }, device }: PublishedCrossoverProps) {
  const status = useSession((s) => s.device);
  const [queryA, queryB] = useMemo(
    () =>
      [a, b].map((side): NamedQuery => ({ query: queryOf(side), name: storedName(side.format, queryOf(side), null) })),
    [a, b],
  );
  const words = useCrossoverText({ matrix, device, deviceName: nameAfterOn(device, status), a: queryA, b: queryB });
  return words && <StyledWords words={words} />;
}
