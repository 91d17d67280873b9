import { CompareChart } from './chart/CompareChart.tsx';
import { CompareFolds } from './folds/CompareFolds.tsx';
import { CompareAnswer } from './rows/CompareAnswer.tsx';
import { CompareTable } from './rows/CompareTable.tsx';
import { useCompared } from './rows/use-compared.ts';

/** All formats ranked for the sentence, of a matrix or a whole model; the chart over what is left; folds. */
export function AllFormats() {
  const compared = useCompared();
  return (
    <main className="compare-all" id="content" tabIndex={-1}>
      <CompareAnswer compared={compared} />
      <CompareTable compared={compared} />
      <CompareChart compared={compared} />
      <CompareFolds compared={compared} />
    </main>
  );
}
