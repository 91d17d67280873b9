import { ReadError } from '../../core/errors.ts';

// References to files on the web, as users write them: addresses, and short forms for the Hugging Face hub.

/** The Hugging Face hub. */
export const HUB = 'https://huggingface.co';

/** The kinds of repositories that the hub has. */
export type RepositoryKind = 'models' | 'datasets' | 'spaces';

/** What a reference names: a file at an address, or a repository of the hub with a file or folder in it. */
export type Reference =
  | { readonly kind: 'url'; readonly url: string }
  | {
      readonly kind: 'hub';
      readonly repository: RepositoryKind;
      /** 'org/name'; of old repositories a single word, 'gpt2' */
      readonly repo: string;
      /** branch, tag or commit */
      readonly revision: string;
      /** null if only the repository is named, or one of its folders */
      readonly path: string | null;
      /** the folder that is searched; absent: the whole repository */
      readonly folder?: string;
    };

const REPO = /^(?:(?!\.+\/)[\w.-]+\/)?(?!\.+$)[\w.-]+$/;

/** All hosts of the hub; requests go to HUB. */
const HUB_HOSTS: readonly string[] = ['huggingface.co', 'www.huggingface.co', 'hf.co', 'www.hf.co'];

/** The kinds of the hub's pages in their addresses: pages of a file, and pages of a folder, which may name a file. */
const FILE_PAGES: readonly (string | undefined)[] = ['blob', 'resolve', 'raw', 'blame'];
const FOLDER_PAGES: readonly (string | undefined)[] = ['tree', 'commit', 'commits'];

/** How an address without a scheme begins: a host and a slash. NEAR_HOST: in a private network, where http is usual. */
const HOST = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?\/./u;
const NEAR_HOST = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[\w-]+(?=:\d))(?::\d+)?\/./i;

/**
 * Parses `org/name`, `org/name/file`, `org/name@revision/file`, an old repository of one word, `hf://` before any of
 * these, links of the hub to a repository, a folder or a file, and any other address, also without http or https.
 * Throws ReadError with found and expected.
 */
export function parseReference(text: string, hub = HUB): Reference {
  const trimmed = text.trim();
  const quoted = trimmed.slice(0, 80);
  const malformed = (): ReadError =>
    new ReadError(`address: found '${quoted}', expected https://..., org/name, or hf://org/name@revision/file`);
  const decoded = (part: string): string => {
    const text = decodedText(part);
    if (text !== null) return text;
    throw new ReadError(`address: found a % that encodes no character in '${quoted}', expected %25 for the sign`);
  };
  const address = withScheme(trimmed);
  if (address !== null) {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (!url) throw malformed();
    if (url.username !== '' || url.password !== '') {
      throw new ReadError(
        'address: found a name or password in it, expected an address without one; a token goes into its own field',
      );
    }
    const isHub =
      url.origin === new URL(hub).origin || (hub === HUB && url.port === '' && HUB_HOSTS.includes(url.hostname));
    const link = isHub ? hubReferenceOf(url, decoded) : null;
    return link ?? { kind: 'url', url: suiteSparseFile(url) ?? url.href };
  }
  const short = trimmed.replace(/^hf:\/\//i, '');
  const { repository, remainder } = splitKind(short);
  const [first, ...following] = remainder.split('/');
  const lacksOrganisation = first.includes('@') || following.every((part) => part === '');
  const [nameAndRevision, ...path] = lacksOrganisation ? [first, ...following] : following;
  const [name, encodedRevision = 'main', ...more] = nameAndRevision.split('@');
  const repo = lacksOrganisation ? name : `${first}/${name}`;
  if (!REPO.test(repo) || more.length > 0 || encodedRevision === '') throw malformed();
  // This looks like the name of a file, or a host without a path.
  if (lacksOrganisation && name.includes('.') && short === trimmed) throw malformed();
  const revision = decoded(encodedRevision);
  if (isDotSegment(revision) || path.some(isDotSegment)) throw malformed();
  return { kind: 'hub', repository, repo, revision, ...fileOrFolder(path, path.at(-1) === '') };
}

/** A web address with its scheme, which is added if it is missing; null for a short form. */
function withScheme(text: string): string | null {
  if (/^https?:\/\//i.test(text)) return text;
  if (NEAR_HOST.test(text)) return `http://${text}`;
  return HOST.test(text) ? `https://${text}` : null;
}

function fileOrFolder(
  path: readonly string[],
  isFolder: boolean,
): { readonly path: string | null; readonly folder?: string } {
  const joined = path.filter((part) => part !== '').join('/');
  if (joined === '') return { path: null };
  return isFolder ? { path: null, folder: joined } : { path: joined };
}

/** The file of a matrix whose page in the SuiteSparse collection this is: `sparse.tamu.edu/HB/west0479`. */
function suiteSparseFile({ protocol, host, pathname }: URL): string | null {
  const page = host === 'sparse.tamu.edu' ? /^\/([\w-]+\/[\w-]+)\/?$/.exec(pathname)?.[1] : undefined;
  return page === undefined ? null : `${protocol}//${host}/MM/${page}.tar.gz`;
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
export function hubReference(repoKind: RepositoryKind, repo: string, revision: string, path: string): string {
  const kind = repoKind === 'models' ? '' : `${repoKind}/`;
  return `hf://${kind}${repo}@${encodeURIComponent(revision)}/${path}`;
}

/** The address of a file of the hub. */
export function hubFileUrl(
  hub: string,
  repoKind: RepositoryKind,
  repo: string,
  revision: string,
  path: string,
): string {
  const kind = repoKind === 'models' ? '' : `${repoKind}/`;
  const file = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  return `${hub}/${kind}${repo}/resolve/${encodeURIComponent(revision)}/${file}`;
}

/** An address of the hub as a reference; null for its API and its static files. Throws ReadError for other pages. */
function hubReferenceOf({ pathname, searchParams }: URL, decoded: (part: string) => string): Reference | null {
  // Without (?<!\/) the end would be tried from every slash of a run.
  const { repository, remainder } = splitKind(pathname.replace(/^\/+|(?<!\/)\/+$/g, ''));
  // A revision such as refs/pr/1 has its slashes encoded: the path is split before decoding.
  const parts = remainder.split('/').map(decoded);
  const isPage = (part: string | undefined): boolean => FILE_PAGES.includes(part) || FOLDER_PAGES.includes(part);
  const lacksOrganisation = parts.length === 1 || (parts.length > 2 && isPage(parts[1]) && !isPage(parts[2]));
  const repo = parts.slice(0, lacksOrganisation ? 1 : 2).join('/');
  const [page, revision = 'main', ...path] = parts.slice(lacksOrganisation ? 1 : 2);
  const isApiOrStaticFile = parts[0] === 'api' || (parts.length === 1 && repo.includes('.'));
  if (!REPO.test(repo) || isApiOrStaticFile || [revision, ...path].some((part) => part.split('/').some(isDotSegment)))
    return null;
  if (page !== undefined && !isPage(page)) {
    throw new ReadError(
      `address: found the page '${page.slice(0, 40)}' of ${repo}, expected one of a file (/blob/) or a folder (/tree/)`,
    );
  }
  const infoFile = path.length === 0 ? searchParams.get('show_file_info') : null;
  const parentsAndName = infoFile === null ? path : infoFile.split('/');
  if (parentsAndName.some(isDotSegment)) return null;
  return {
    kind: 'hub',
    repository,
    repo,
    revision,
    ...fileOrFolder(parentsAndName, infoFile === null && FOLDER_PAGES.includes(page)),
  };
}

/** The kind of repository that a reference begins with, by default models, and the text after it. */
function splitKind(text: string): { repository: RepositoryKind; remainder: string } {
  for (const repository of ['models', 'datasets', 'spaces'] as const) {
    if (text.startsWith(`${repository}/`)) return { repository, remainder: text.slice(repository.length + 1) };
  }
  return { repository: 'models', remainder: text };
}

function isDotSegment(part: string): boolean {
  return part === '..' || part === '.';
}
