import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** With two attempts, a silent name server costs a call six seconds. A second server is asked after the first timeout. */
const QUERIES = { timeout: 2000, tries: 2 };

/** Failures that mean that the name, or one of its families, does not exist. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

export interface NameSettings {
  /** Tries the search list of resolv.conf, which has the domains of a cluster. */
  readonly usesSearchList: boolean;
  /** Other name servers than those of resolv.conf. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  readonly resolverFile?: string;
}

/**
 * Resolves the names of receivers without threads. dns.lookup() occupies one of the four threads of the process until the name server
 * answers and cannot be canceled, so a few names whose server is silent would stop new database connections. The queries here end with
 * the call. They read neither the hosts file nor the search list, so this class does.
 */
export class ReceiverNames {
  constructor(readonly settings: NameSettings) {}

  /** All addresses of a name, IPv4 first because every network has it. Throws if there are none. */
  async addressesOf(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const { usesSearchList, servers, hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf' } = this.settings;
    const local = addressesInHosts(await contentOf(hostsFile), name);
    if (local.length > 0) return local;
    const candidates = usesSearchList ? namesToTry(await contentOf(resolverFile), name) : [name];
    const resolver = new Resolver(QUERIES);
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel);
    try {
      return await firstFound(candidates, resolver, signal);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}

/** The addresses of the first candidate that has any. A failure of the name server counts only if no candidate has one. */
async function firstFound(
  candidates: readonly string[],
  resolver: Resolver,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let failure: NodeJS.ErrnoException | undefined;
  for (const candidate of candidates) {
    signal.throwIfAborted();
    const families = await Promise.allSettled([resolver.resolve4(candidate), resolver.resolve6(candidate)]);
    const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    if (addresses.length > 0) return addresses;
    for (const family of families) {
      if (family.status === 'fulfilled') continue;
      const reason = family.reason as NodeJS.ErrnoException;
      if (failure === undefined || !ABSENT.has(reason.code ?? '')) failure = reason;
    }
  }
  throw failure ?? new Error('The name of the receiver has no address');
}

/** In the order of resolver(5): names with fewer dots than `ndots` try the search list first. A final dot excludes it. */
export function namesToTry(resolverFile: string, name: string): string[] {
  if (name.endsWith('.')) return [name];
  let search: string[] = [];
  let dotsNeeded = 1;
  for (const [keyword, ...values] of wordsOf(resolverFile, /[#;]/)) {
    // The last of these lines wins.
    if (keyword === 'search') search = values;
    else if (keyword === 'domain') search = values.slice(0, 1);
    else if (keyword === 'options') {
      const written = values.findLast((value) => /^ndots:\d{1,2}$/.test(value));
      if (written !== undefined) dotsNeeded = Number(written.slice('ndots:'.length));
    }
  }
  const searched = search.filter((domain) => domain !== '.').map((domain) => `${name}.${domain}`);
  return name.split('.').length > dotsNeeded ? [name, ...searched] : [...searched, name];
}

function addressesInHosts(hostsFile: string, name: string): string[] {
  const wanted = withoutFinalDot(name);
  const addresses = [...wordsOf(hostsFile, /#/)]
    .filter(([, ...names]) => names.some((each) => withoutFinalDot(each) === wanted))
    .map(([address = '']) => address);
  // RFC 6761, 6.3: never asked of a name server.
  if (addresses.length === 0 && /(^|\.)localhost$/.test(wanted)) return ['127.0.0.1', '::1'];
  return addresses;
}

function withoutFinalDot(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function* wordsOf(file: string, comment: RegExp): Generator<string[]> {
  for (const line of file.split('\n')) {
    const words = (line.split(comment)[0] ?? '').split(/\s+/).filter((word) => word !== '');
    if (words.length > 0) yield words;
  }
}

/** A system without the file has no entries. */
function contentOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
