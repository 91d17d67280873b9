import { ReadError } from '../../core/errors.ts';

/** The model hub that short references mean. */
export const HUB = 'https://huggingface.co';

export type RepositoryKind = 'models' | 'datasets' | 'spaces';

/** Where a remote file lies, as a person wrote it. */
export type Reference =
  | { readonly kind: 'url'; readonly url: string }
  | {
      readonly kind: 'hub';
      readonly repository: RepositoryKind;
      /** 'org/name' */
      readonly repo: string;
      /** branch, tag or commit */
      readonly revision: string;
      /** null when the repository alone is named */
      readonly path: string | null;
    };

const REPO = /^(?!\.+\/)[\w.-]+\/(?!\.+$)[\w.-]+$/;

/**
 * Understands `org/name`, `org/name/file`, `org/name@revision/file`, `hf://` before any of these, links of the hub to
 * a repository, a tree or a file (/blob/ and /resolve/), and any other address of http or https.
 * Throws ReadError with found and expected.
 */
export function parseReference(text: string, hub = HUB): Reference {
  const trimmed = text.trim();
  const wrong = (): ReadError =>
    new ReadError(
      `address: found '${trimmed.slice(0, 80)}', expected https://..., org/name, or hf://org/name@revision/file`,
    );
  if (/^https?:\/\//i.test(trimmed)) {
    const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
    if (!url) throw wrong();
    if (url.username !== '' || url.password !== '') {
      throw new ReadError(
        'address: found a name or password in it, expected it without; give a token in its own field',
      );
    }
    return (url.origin === new URL(hub).origin ? hubLink(url) : null) ?? { kind: 'url', url: url.href };
  }
  const { repository, rest } = withoutKind(trimmed.replace(/^hf:\/\//i, ''));
  const [org, nameAndRevision, ...path] = rest.split('/');
  const [name, revision = 'main', ...more] = (nameAndRevision ?? '').split('@');
  const repo = `${org}/${name ?? ''}`;
  if (!REPO.test(repo) || more.length > 0 || revision === '' || path.some(isNoFolder)) throw wrong();
  const file = path.filter((part) => part !== '').join('/');
  return { kind: 'hub', repository, repo, revision: decodeURIComponent(revision), path: file === '' ? null : file };
}

/** A reference to a file of the hub as it stands in a link: `hf://datasets/org/name@revision/file`. */
export function hubReference(repository: RepositoryKind, repo: string, revision: string, path: string): string {
  const kind = repository === 'models' ? '' : `${repository}/`;
  return `hf://${kind}${repo}@${encodeURIComponent(revision)}/${path}`;
}

/** The address of a file of the hub. */
export function hubFileUrl(
  hub: string,
  repository: RepositoryKind,
  repo: string,
  revision: string,
  path: string,
): string {
  const kind = repository === 'models' ? '' : `${repository}/`;
  return `${hub}/${kind}${repo}/resolve/${encodeURIComponent(revision)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

function hubLink(url: URL): Reference | null {
  const { repository, rest } = withoutKind(decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, ''));
  const [org, name, verb, revision, ...path] = rest.split('/');
  const repo = `${org}/${name ?? ''}`;
  if (!REPO.test(repo)) return null;
  if (verb === undefined) return { kind: 'hub', repository, repo, revision: 'main', path: null };
  if (!['blob', 'resolve', 'tree', 'raw'].includes(verb) || revision === undefined) return null;
  const file = verb === 'tree' ? '' : path.join('/');
  return { kind: 'hub', repository, repo, revision, path: file === '' ? null : file };
}

function withoutKind(text: string): { repository: RepositoryKind; rest: string } {
  for (const repository of ['models', 'datasets', 'spaces'] as const) {
    if (text.startsWith(`${repository}/`)) return { repository, rest: text.slice(repository.length + 1) };
  }
  return { repository: 'models', rest: text };
}

function isNoFolder(part: string): boolean {
  return part === '..' || part === '.';
}
