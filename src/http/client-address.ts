import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';

/** The client address that the trusted proxies report, without port, brackets and zone; IPv4-mapped IPv6 as IPv4. `unknown` if invalid. */
export function addressOf(request: Pick<Request, 'ip'>): string {
  return canonicalAddress(request.ip ?? '');
}

export function canonicalAddress(written: string): string {
  const address = written.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/%.*$/, '');
  if (isIPv6(address)) return fromGroups(groupsOf(address));
  const [, withoutPort = address] = /^([\d.]+):\d+$/.exec(address) ?? [];
  return isIPv4(withoutPort) ? withoutPort : 'unknown';
}

/** The network of a client: an IPv4 address, or the /64 of an IPv6 address, of which a single subscriber can use all addresses. */
export function networkOf(address: string): string {
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** The eight groups of an IPv6 address. URL normalizes it: lower case, no leading zeros, no dotted IPv4 part. */
function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail].map((half) => (half === '' ? [] : half.split(':'))) as [string[], string[]];
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

function fromGroups(groups: readonly string[]): string {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return groups.join(':');
  return groups
    .slice(6)
    .map((group) => parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}
