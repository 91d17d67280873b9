import { countText } from '../../core/story/words.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { GalleryThumbnail } from './GalleryThumbnail.tsx';
import { usePictures } from './use-pictures.ts';
import { baseOf } from '../../state/index.ts';
import { density, shape } from '../../kit/words/quantity.ts';

/** The bundled matrices: what each shows, how large it is, and where it comes from. */
export function Gallery({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const { gallery, formats } = useApp();
  const pictures = usePictures();
  const source = useDocument((doc) => baseOf(doc.source));
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
            <GalleryThumbnail picture={pictures.get(entry.id)} />
            <span className="name">{entry.name}</span>
            <span className="shape number">{shape(entry.rows, entry.cols)}</span>
            <span className="about">
              {entry.about}
              <Suited titles={formats.filter((f) => f.shownBestOn.id === entry.id).map((f) => f.title)} />
            </span>
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

/** The formats that an entry shows best. */
function Suited({ titles }: { readonly titles: readonly string[] }) {
  if (titles.length === 0) return null;
  return <span className="suited"> Shows {titles.join(' and ')} best.</span>;
}
