import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import type { ComparedFormats } from './compare-row.ts';

/** Below the table: the encoding in progress, and errors. */
export function RowsFoot({ compared: { model } }: { readonly compared: ComparedFormats }) {
  if (!model?.encoding && !model?.problem) return null;
  return (
    <div className="flex wrap gap-1-6 quiet mt-2">
      {model.encoding && <JobProgress job={model.encoding} onCancel={model.cancelEncoding} />}
      {model.problem && <p role="alert">{model.problem}</p>}
    </div>
  );
}
