import { useApp, useDocument } from '../app-context.ts';

/** The bundled matrices with where each of them comes from. */
export function Gallery({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const { catalog } = useApp();
  const source = useDocument((doc) => doc.source);
  return (
    <ul className="gallery">
      {catalog.examples.map((example) => (
        <li key={example.id}>
          <button
            type="button"
            className="gallery-item"
            aria-current={source.kind === 'example' && source.id === example.id}
            onClick={() => onChoose(example.id)}
          >
            <span className="name">{example.title}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
