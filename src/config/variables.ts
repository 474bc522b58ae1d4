import { isIP } from 'node:net';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Client } from 'pg';
import { withoutTls } from './database-url.js';
import { ListOf, Text, textRule, WholeNumber } from '../validation/rules.js';

/** Rules for environment variables only; shared rules are in validation/rules.ts. */

const ONE_HOUR_MS = 3_600_000;

export function Milliseconds(min = 1): PropertyDecorator {
  return WholeNumber(min, ONE_HOUR_MS);
}

export function AnyText(): PropertyDecorator {
  return Text(4096, { lines: true });
}

export function Segment(): PropertyDecorator {
  return textRule(
    'INVALID_SEGMENT',
    'must be one path segment of letters, digits and hyphens, beginning with a letter',
    (text) => /^[A-Za-z][A-Za-z0-9-]{0,31}$/.test(text),
  );
}

/** Headers whose values must get neither into history nor into the log. */
const CREDENTIALS = ['authorization', 'proxy-authorization', 'cookie'];

/** The name of a header, as Node.js spells it: in lower case. */
export function HeaderName(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: string }) => value.toLowerCase()),
    textRule(
      'INVALID_HEADER_NAME',
      'must be the name of a header without credentials, such as X-Forwarded-User',
      (text) => {
        return /^[a-z0-9-]{1,64}$/.test(text) && !CREDENTIALS.includes(text);
      },
    ),
  );
}

/** A rule whose message depends on the text. */
function faultRule(code: string, faultIn: (text: string) => string | undefined): PropertyDecorator {
  return textRule(
    code,
    (text) => faultIn(String(text)) ?? '',
    (text) => faultIn(text) === undefined,
  );
}

/** A PostgreSQL URL that the driver can parse, including the files that `sslrootcert` and similar parameters name. */
export function DatabaseUrl(): PropertyDecorator {
  return applyDecorators(
    WithoutTrailingSlash(),
    textRule('INVALID_URL', 'must be a URL that begins with postgres:// or postgresql://', (text) => {
      return /^postgres(ql)?:\/\/\S*$/.test(text);
    }),
    faultRule('INVALID_URL', driverFault),
  );
}

function driverFault(url: string): string | undefined {
  try {
    // crossChecks validates the TLS parameters, together with DATABASE_CA_FILE.
    new Client({ connectionString: withoutTls(url) });
    return undefined;
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    const reason = path === undefined ? message : `${path} cannot be read (${code ?? message})`;
    return `must be a valid PostgreSQL URL: ${reason}; percent-encode special characters in the password`;
  }
}

export function WebUrl(): PropertyDecorator {
  return textRule('INVALID_URL', 'must be a URL that begins with http:// or https://', isWebUrl);
}

export function isWebUrl(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
}

/** A URL that paths are appended to. */
export function BaseUrl(): PropertyDecorator {
  return applyDecorators(
    WithoutTrailingSlash(),
    WebUrl(),
    textRule('INVALID_URL', 'must be a URL without a query or fragment', (text) => !/[?#]/.test(text)),
    textRule('INVALID_URL', 'must be a URL without a user name or password', (text) => {
      return !isWebUrl(text) || (new URL(text).username === '' && new URL(text).password === '');
    }),
  );
}

function WithoutTrailingSlash(): PropertyDecorator {
  return Transform(({ value }: { value: string }) => value.replace(/\/+$/, ''));
}

/** The other rules of the variable apply to each item. */
export function CommaList(): PropertyDecorator {
  return ListOf({ blanks: true });
}

/** An origin in the form that browsers send; any other form would never match. */
export function Origin(): PropertyDecorator {
  return faultRule('INVALID_ORIGIN', originFault);
}

function originFault(item: string): string | undefined {
  if (/^https?:/i.test(item) && URL.canParse(item)) {
    const { origin } = new URL(item);
    if (item === origin) return undefined;
    const change = item === `${origin}/` ? 'remove the trailing slash from' : `write ${origin} instead of`;
    return `must be an origin alone, such as https://app.example.com: ${change} ${item}`;
  }
  // Browser extensions and apps have their own schemes, whose origins have no defined format.
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s*]+$/.test(item)) return undefined;
  return 'must be an origin with its scheme, such as https://app.example.com';
}

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

export function ProxyAddress(): PropertyDecorator {
  const message = `must be an IP address, a CIDR range such as 10.0.0.0/8, or one of ${PROXY_NAMES.join(', ')}`;
  return textRule('INVALID_ADDRESS', message, (item) => PROXY_NAMES.includes(item) || isNetwork(item));
}

export function Network(): PropertyDecorator {
  return textRule('INVALID_ADDRESS', 'must be an IP address or a CIDR range such as 10.0.0.0/8', isNetwork);
}

function isNetwork(item: string): boolean {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const length = prefix === undefined ? bits : Number(prefix);
  return length >= 1 && length <= bits;
}
