import { countText } from '../../core/story/words.ts';
import { useApp, useDocument } from '../app-context.ts';
import { density, shape } from '../parts/quantity.ts';

/** The bundled matrices: what each shows, how large it is, and where it comes from. */
export function Gallery({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const { gallery } = useApp();
  const source = useDocument((doc) => doc.source);
  if (gallery.length === 0) return <p className="faint">The gallery could not be read.</p>;
  return (
    <ul className="gallery">
      {gallery.map((entry) => (
        <li key={entry.id} className="gallery-entry">
          <button
            type="button"
            className="gallery-item"
            aria-current={source.kind === 'example' && source.id === entry.id}
            onClick={() => onChoose(entry.id)}
          >
            <span className="name">{entry.name}</span>
            <span className="shape number">{shape(entry.rows, entry.cols)}</span>
            <span className="about">{entry.about}</span>
            <span className="shape number">
              {entry.nnz < entry.rows * entry.cols && entry.rows * entry.cols > 0
                ? density(entry.nnz / (entry.rows * entry.cols))
                : countText(entry.nnz)}
            </span>
          </button>
          <details className="disclosure provenance">
            <summary>where it comes from</summary>
            <p>
              {entry.provenance} Licence: {entry.licence}.
            </p>
          </details>
        </li>
      ))}
    </ul>
  );
}
