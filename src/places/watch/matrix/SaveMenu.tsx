import { useApp, useCurrentFormat } from '../../../kit/app-context.ts';
import { saveArrays, saveMatrix } from '../../../kit/browser/save-files.ts';

/** The matrix, and the arrays of the format on the stage, as files. */
export function SaveMenu() {
  const app = useApp();
  const format = useCurrentFormat();
  return (
    <details className="disclosure save-menu">
      <summary>save as a file</summary>
      <div role="group" aria-label="Save the matrix">
        <span className="faint">matrix</span>
        <button type="button" className="text-button" onClick={() => void saveMatrix('mtx', app)}>
          .mtx
        </button>
        <button type="button" className="text-button" onClick={() => void saveMatrix('npz', app)}>
          .npz (scipy)
        </button>
      </div>
      <div role="group" aria-label={`Save the arrays of ${format.title}`}>
        <span className="faint">{format.title} arrays</span>
        <button type="button" className="text-button" onClick={() => void saveArrays('npz', app)}>
          .npz
        </button>
        <button type="button" className="text-button" onClick={() => void saveArrays('safetensors', app)}>
          .safetensors
        </button>
      </div>
    </details>
  );
}
