import type { AnyListedFormat, WorkedExample } from '../../core/format.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { defaultStored, type FormatParams, type Stored } from '../../state/index.ts';

interface FormatAboutProps {
  readonly format: AnyListedFormat;
  /** takes a worked example with its parameters */
  readonly onExample: (id: string, stored: Stored) => void;
}

/** What a format is, who published it, and examples to follow by hand. */
export function FormatAbout({ format, onExample }: FormatAboutProps) {
  const { catalog } = useApp();
  const source = useDocument((doc) => doc.source);
  const examples = (format.examples ?? []).filter((worked) => catalog.examples.some(({ id }) => id === worked.id));
  const storedAs = (worked: WorkedExample<FormatParams>): Stored => {
    const given = Object.entries(worked.params).filter(
      (pair): pair is [string, FormatParams[string]] => pair[1] !== undefined,
    );
    return {
      format: format.id,
      params: { ...defaultStored(catalog, format.id)?.params, ...Object.fromEntries(given) },
    };
  };
  return (
    <div className="format-about">
      <p>{format.summary}</p>
      {format.source && (
        <p>
          <a href={format.source.url} target="_blank" rel="noreferrer">
            {format.source.title}
          </a>
          , {format.source.authors}, {format.source.year}
        </p>
      )}
      {examples.length > 0 && (
        <ul aria-label="Worked examples">
          {examples.map((worked) => (
            <li key={worked.id}>
              <button
                type="button"
                className="text-button"
                aria-pressed={source.kind === 'example' && source.id === worked.id}
                onClick={() => onExample(worked.id, storedAs(worked))}
              >
                {worked.title}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
