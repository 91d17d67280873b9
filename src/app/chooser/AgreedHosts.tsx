import { useStore } from 'zustand';
import { useApp } from '../../kit/app-context.ts';

/** The hosts that links may load matrices from without asking, each to be forgotten. */
export function AgreedHosts() {
  const { preferences } = useApp();
  const origins = useStore(preferences.store, (state) => state.origins);
  if (origins.length === 0) return null;
  return (
    <details className="disclosure">
      <summary>hosts that links may open</summary>
      <ul className="agreed-hosts" aria-label="Hosts that links may open">
        {origins.map((origin) => (
          <li key={origin}>
            <span>{origin.replace(/^https:\/\//, '')}</span>
            <button
              type="button"
              className="text-button"
              aria-label={`Forget ${origin}`}
              onClick={() => preferences.forgetOrigin(origin)}
            >
              forget
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
