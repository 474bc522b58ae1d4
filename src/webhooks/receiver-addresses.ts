import { BlockList, isIP } from 'node:net';
import type { Config } from '../config/config.js';
import type { FieldError } from '../problem/problem.js';
import type { WebhookFields } from './dto/webhook-fields.js';

/** Special-purpose networks (IANA registries), such as private, loopback, documentation and multicast ones, Teredo, 6to4 and AS112. */
const SPECIAL = networksIn([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]);

/** IPv6 has one public network. Mapped and translated addresses (::ffff:0:0/96, 64:ff9b::/96) are outside of it. */
const PUBLIC_IPV6 = networksIn(['2000::/3']);

/** Networks such as 10.0.0.0/8, or single addresses. */
function networksIn(written: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const network of written) {
    const [address = '', prefix] = network.split('/');
    const isIPv4 = isIP(address) === 4;
    networks.addSubnet(address, Number(prefix ?? (isIPv4 ? 32 : 128)), isIPv4 ? 'ipv4' : 'ipv6');
  }
  return networks;
}

/** The addresses that webhooks may be sent to: public ones by https, and those of the allowed networks. */
export class ReceiverAddresses {
  private readonly allowed: BlockList;

  constructor(networks: readonly string[] = []) {
    this.allowed = networksIn(networks);
  }

  permits(protocol: string, address: string): boolean {
    if (isIP(address) === 0) return false;
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (this.allowed.check(address, family)) return true;
    const isPublic = family === 'ipv4' || PUBLIC_IPV6.check(address, family);
    return protocol === 'https:' && isPublic && !SPECIAL.check(address, family);
  }
}

/** Refuses URLs that no delivery could reach. The addresses of a host name are checked when a delivery is sent. */
export function permittedUrl({ WEBHOOK_ALLOWED_NETWORKS = [] }: Config, { url }: WebhookFields): FieldError[] {
  if (typeof url !== 'string' || !/^https?:/i.test(url) || !URL.canParse(url)) return [];
  const { protocol, hostname } = new URL(url);
  const refused = (message: string) => [{ pointer: '/url', code: 'NOT_PERMITTED', message }];
  if (protocol !== 'https:' && WEBHOOK_ALLOWED_NETWORKS.length === 0)
    return refused('must begin with https://, except for addresses in WEBHOOK_ALLOWED_NETWORKS');
  const literal = literalIn(hostname);
  if (literal === undefined || new ReceiverAddresses(WEBHOOK_ALLOWED_NETWORKS).permits(protocol, literal)) return [];
  return refused('must have a public address, or one in WEBHOOK_ALLOWED_NETWORKS');
}

/** The address in a URL that has no name. The parser of URLs has resolved other spellings, such as 0x7f.1. */
export function literalIn(hostname: string): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}
