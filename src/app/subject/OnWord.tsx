import { Suspense } from 'react';
import { lazyPart } from '../../kit/browser/lazy-part.ts';

const OnLabel = lazyPart(async () => (await import('./OnLabel.tsx')).OnLabel);

/** Which devices there are is not known on the first screen. */
export function OnWord() {
  return (
    <Suspense fallback={<b>this device</b>}>
      <OnLabel />
    </Suspense>
  );
}
