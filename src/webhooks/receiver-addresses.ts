import { BlockList, isIP } from 'node:net';

/** Special-purpose IPv4 networks (IANA registry): private, loopback, link-local, shared, documentation, multicast and reserved ones. */
const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** IPv6 has one public network. Mapped and translated addresses (::ffff:0:0/96, 64:ff9b::/96) are outside of it. */
const PUBLIC_IPV6 = ['2000::', 3] as const;

/** Parts of it that are not public: protocols such as Teredo, documentation, 6to4 and AS112. */
const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const specialIPv4 = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) specialIPv4.addSubnet(network, prefix, 'ipv4');
const publicIPv6 = new BlockList();
publicIPv6.addSubnet(...PUBLIC_IPV6, 'ipv6');
const specialIPv6 = new BlockList();
for (const [network, prefix] of SPECIAL_IPV6) specialIPv6.addSubnet(network, prefix, 'ipv6');

function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIPv4.check(address, 'ipv4');
    case 6:
      return publicIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6');
    default:
      return false;
  }
}

/** The addresses that webhooks may be sent to: public ones by https, and those of the allowed networks. */
export class ReceiverAddresses {
  private readonly allowed = new BlockList();
  private readonly hasAllowed: boolean;

  constructor(networks: readonly string[] = []) {
    this.hasAllowed = networks.length > 0;
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
      this.allowed.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family);
    }
  }

  permits(protocol: string, address: string): boolean {
    const isAllowed = isIP(address) !== 0 && this.allowed.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
    return isAllowed || (protocol === 'https:' && isPublic(address));
  }

  /** Why no address of this URL is permitted, as far as the URL shows it; completes "url ...". */
  faultOf({ protocol, hostname }: URL): string | undefined {
    if (protocol !== 'https:' && !this.hasAllowed) return 'must begin with https://';
    const literal = literalIn(hostname);
    if (literal === undefined || this.permits(protocol, literal)) return undefined;
    return 'must have a public address';
  }
}

/** The address in a URL that has no name. The parser of URLs has resolved other spellings, such as 0x7f.1. */
export function literalIn(hostname: string): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}
