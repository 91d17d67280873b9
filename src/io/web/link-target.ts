import { HUB, parseReference } from './reference.ts';

/** The server from which a link loads its file. */
export interface LinkTarget {
  readonly address: string;
  /** scheme, host and port, which the user is asked to allow */
  readonly origin: string;
  /** host, with its port if that is not the default */
  readonly host: string;
  /** whether the server is on this machine or its network, as far as the address shows */
  readonly isPrivate: boolean;
}

/** The target of a link; null for the Hugging Face hub, and for text that is no address: it fails before a request. */
export function linkTarget(link: string): LinkTarget | null {
  let url: URL;
  try {
    const reference = parseReference(link);
    if (reference.kind === 'hub') return null;
    url = new URL(reference.url);
  } catch {
    return null;
  }
  const { href, origin, host, hostname } = url;
  return origin === HUB ? null : { address: href, origin, host, isPrivate: isPrivateHost(hostname) };
}

/** Endings of host names inside private networks: of RFC 6761, 6762, 8375, and others that are reserved or usual. */
const PRIVATE_ENDS = ['localhost', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa'];

/**
 * Whether a host, as URL writes it, is this machine, in its network, or anywhere but on the public internet: names
 * without a dot, IPv4 addresses that are private, shared, local or not of a single machine, and every IPv6 address that
 * is not global unicast or embeds an IPv4 address. It does not resolve public names.
 */
function isPrivateHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return !isGlobalV6(hostname.slice(1, -1));
  const name = hostname.replace(/\.$/, '');
  if (/^\d+(\.\d+){3}$/.test(name)) return !isGlobalV4(name.split('.').map(Number));
  return !name.includes('.') || PRIVATE_ENDS.some((end) => name.endsWith(`.${end}`));
}

/** Whether an address is outside the blocks of RFC 6890 that may lead to a machine nearby, and below 224.0.0.0. */
function isGlobalV4([a, b]: readonly number[]): boolean {
  const isShared = a === 100 && b >= 64 && b < 128;
  const isPrivate = a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168);
  const isLocal = a === 0 || a === 127 || (a === 169 && b === 254);
  const isForBenchmarks = a === 198 && (b === 18 || b === 19);
  return !(isShared || isPrivate || isLocal || isForBenchmarks || a >= 224);
}

/**
 * Whether an IPv6 address is in 2000::/3 (global unicast), but not Teredo (2001::/32) or 6to4 (2002::/16). URL writes
 * hexadecimal groups, and the longest run of zeros as '::'.
 */
function isGlobalV6(groups: string): boolean {
  const [first, second] = groups.split(':').map((group) => (group === '' ? 0 : Number.parseInt(group, 16)));
  return (first & 0xe000) === 0x2000 && first !== 0x2002 && !(first === 0x2001 && second === 0);
}
