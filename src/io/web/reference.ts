import { ReadError } from '../../core/errors.ts';

/** The model hub that short references mean. */
export const HUB = 'https://huggingface.co';

export type RepositoryKind = 'models' | 'datasets' | 'spaces';

/** The location of a remote file, as a person wrote it. */
export type Reference =
  | { readonly kind: 'url'; readonly url: string }
  | {
      readonly kind: 'hub';
      readonly repository: RepositoryKind;
      /** 'org/name' */
      readonly repo: string;
      /** branch, tag or commit */
      readonly revision: string;
      /** null if only the repository is named */
      readonly path: string | null;
    };

const REPO = /^(?!\.+\/)[\w.-]+\/(?!\.+$)[\w.-]+$/;

/**
 * Parses `org/name`, `org/name/file`, `org/name@revision/file`, `hf://` before any of these, links of the hub to a
 * repository, a tree or a file (/blob/ and /resolve/), and any other address of http or https.
 * Throws ReadError with found and expected.
 */
export function parseReference(text: string, hub = HUB): Reference {
  const trimmed = text.trim();
  const shown = trimmed.slice(0, 80);
  const wrong = (): ReadError =>
    new ReadError(`address: found '${shown}', expected https://..., org/name, or hf://org/name@revision/file`);
  const decoded = (part: string): string => {
    const plain = decodedText(part);
    if (plain !== null) return plain;
    throw new ReadError(`address: found a % that encodes no character in '${shown}', expected %25 for the sign`);
  };
  if (/^https?:\/\//i.test(trimmed)) {
    const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
    if (!url) throw wrong();
    if (url.username !== '' || url.password !== '') {
      throw new ReadError(
        'address: found a name or password in it, expected an address without one; a token goes into its own field',
      );
    }
    const link = url.origin === new URL(hub).origin ? hubLink(url.pathname, decoded) : null;
    return link ?? { kind: 'url', url: url.href };
  }
  const { repository, rest } = withoutKind(trimmed.replace(/^hf:\/\//i, ''));
  const [org, nameAndRevision, ...path] = rest.split('/');
  const [name, encodedRevision = 'main', ...more] = (nameAndRevision ?? '').split('@');
  const repo = `${org}/${name ?? ''}`;
  if (!REPO.test(repo) || more.length > 0 || encodedRevision === '') throw wrong();
  const revision = decoded(encodedRevision);
  if (isNoFolder(revision) || path.some(isNoFolder)) throw wrong();
  const file = path.filter((part) => part !== '').join('/');
  return { kind: 'hub', repository, repo, revision, path: file === '' ? null : file };
}

/** Text with its percent-encoding decoded; null if it is malformed. */
export function decodedText(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return null;
  }
}

/** A reference to a file of the hub as written in a link: `hf://datasets/org/name@revision/file`. */
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
  const file = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  return `${hub}/${kind}${repo}/resolve/${encodeURIComponent(revision)}/${file}`;
}

/** The meaning of a path on the hub; null if it is not to a repository, a tree or a file. */
function hubLink(pathname: string, decoded: (part: string) => string): Reference | null {
  const { repository, rest } = withoutKind(pathname.replace(/^\/+|\/+$/g, ''));
  // A revision such as refs/pr/1 has its slashes encoded: the path is split before decoding.
  const [org, name, verb, revision, ...path] = rest.split('/').map(decoded);
  const repo = `${org}/${name ?? ''}`;
  if (!REPO.test(repo)) return null;
  if (verb === undefined) return { kind: 'hub', repository, repo, revision: 'main', path: null };
  if (!['blob', 'resolve', 'tree', 'raw'].includes(verb) || revision === undefined) return null;
  const file = verb === 'tree' ? '' : path.join('/');
  if (isNoFolder(revision) || file.split('/').some(isNoFolder)) return null;
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
