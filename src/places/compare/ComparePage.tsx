import './compare.css';
import { PlaceChoices } from '../../kit/browser/PlaceChoices.tsx';
import { COMPARE_FIELDS } from './address.ts';
import { AllFormats } from './AllFormats.tsx';

/** All formats for the sentence; the choices here are in the address. */
export function ComparePage() {
  return (
    <div className="compare-place flex flex-col min-h-0 grow">
      <PlaceChoices of={COMPARE_FIELDS}>
        <AllFormats />
      </PlaceChoices>
    </div>
  );
}
