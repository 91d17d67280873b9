import './compare.css';
import { PlaceChoices } from '../../kit/browser/PlaceChoices.tsx';
import { COMPARING } from './address.ts';
import { AllFormats } from './AllFormats.tsx';

/** All formats for the sentence; what is chosen here is in the address. */
export function ComparePage() {
  return (
    <div className="compare-place flex flex-col min-h-0 grow">
      <PlaceChoices of={COMPARING}>
        <AllFormats />
      </PlaceChoices>
    </div>
  );
}
