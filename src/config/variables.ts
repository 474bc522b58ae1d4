import { isIP } from 'node:net';
import { Client } from 'pg';

/** How one environment variable is read. `parse` throws an Error whose message completes "NAME ...". */
export interface Variable<Value> {
  readonly default: Value;
  parse(written: string): Value;
}

export function text(fallback: string): Variable<string> {
  return { default: fallback, parse: (written) => written };
}

export function choice<const Option extends string>(options: readonly Option[], fallback: Option): Variable<Option> {
  return {
    default: fallback,
    parse: (written) => options.find((option) => option === written) ?? fail(`must be one of ${options.join(', ')}`),
  };
}

/** A comma list of some of the options. */
export function choices<const Option extends string>(
  options: readonly Option[],
  fallback: readonly Option[],
): Variable<readonly Option[]> {
  return {
    default: fallback,
    parse: (written) => {
      const chosen = written.split(',').map((item) => options.find((option) => option === item.trim()));
      return chosen.every((item) => item !== undefined)
        ? chosen
        : fail(`must be a comma list of ${options.join(', ')}`);
    },
  };
}

export function wholeNumber(least: number, most: number, fallback: number): Variable<number> {
  return {
    default: fallback,
    parse: (written) => {
      const value = /^\d{1,15}$/.test(written) ? Number(written) : NaN;
      return value >= least && value <= most ? value : fail(`must be a whole number from ${least} to ${most}`);
    },
  };
}

const ONE_HOUR_MS = 3_600_000;

export function milliseconds(fallback: number, least = 1): Variable<number> {
  return wholeNumber(least, ONE_HOUR_MS, fallback);
}

export function segment(fallback: string): Variable<string> {
  return {
    default: fallback,
    parse: (written) =>
      /^[A-Za-z][A-Za-z0-9-]{0,31}$/.test(written)
        ? written
        : fail('must be one path segment of letters, digits and hyphens, beginning with a letter'),
  };
}

/** The address of a PostgreSQL server, as its driver reads it, with the files that `sslrootcert` and the like name. */
export function databaseUrl(): Variable<string> {
  return {
    default: '',
    parse: (written) => {
      if (!/^postgres(ql)?:\/\/\S*$/.test(written)) fail('must be a URL that begins with postgres:// or postgresql://');
      try {
        new Client({ connectionString: written });
      } catch (error) {
        const { code, path, message } = error as NodeJS.ErrnoException;
        const reason = path === undefined ? message : `${path} cannot be read (${code ?? message})`;
        fail(
          `must be a URL that PostgreSQL's driver can read: ${reason}; special characters in a password are percent-encoded`,
        );
      }
      return written.replace(/\/+$/, '');
    },
  };
}

export function webUrl(): Variable<string> {
  return {
    default: '',
    parse: (written) => {
      if (!/^https?:\/\/\S+$/.test(written) || !URL.canParse(written)) {
        fail('must be a URL that begins with http:// or https://');
      }
      return written;
    },
  };
}

/** A web address that paths are appended to. */
export function baseUrl(): Variable<string> {
  const anyWebUrl = webUrl();
  return {
    default: '',
    parse: (written) => {
      const { username, password } = new URL(anyWebUrl.parse(written));
      if (/[?#]/.test(written)) fail('must be a URL without a query or fragment');
      if (username !== '' || password !== '') fail('must be a URL without a user name or password');
      return written.replace(/\/+$/, '');
    },
  };
}

/** A comma list of origins as browsers send them; one that is written in another way would never match. */
export function origins(): Variable<readonly string[]> {
  return listOf(2048, (item) => {
    if (/^https?:/i.test(item) && URL.canParse(item)) {
      const { origin } = new URL(item);
      if (item === origin) return;
      const fault = item === `${origin}/` ? 'remove the trailing slash from' : `write ${origin} instead of`;
      fail(`must list origins alone, such as https://app.example.com: ${fault} ${item}`);
    }
    // Browser extensions and apps have schemes of their own, whose origins have no defined form beyond this.
    if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s*]+$/.test(item)) {
      fail('must be a comma list of origins, each with its scheme, such as https://app.example.com');
    }
  });
}

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** A comma list of addresses and CIDR ranges. */
export function proxies(): Variable<readonly string[]> {
  return listOf(64, (item) => {
    if (PROXY_NAMES.includes(item)) return;
    const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
    const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    const length = prefix === undefined ? bits : Number(prefix);
    if (length >= 1 && length <= bits) return;
    fail(`must be a comma list of IP addresses, CIDR ranges such as 10.0.0.0/8, or ${PROXY_NAMES.join(', ')}`);
  });
}

export function list(longest: number): Variable<readonly string[]> {
  return listOf(longest, () => undefined);
}

/** `check` throws when an item is not one that can be used. */
function listOf(longest: number, check: (item: string) => void): Variable<readonly string[]> {
  return {
    default: [],
    parse: (written) => {
      const items = written.split(',').map((item) => item.trim());
      const fits = items.every((item) => item.length >= 1 && item.length <= longest);
      if (!fits) fail(`must be a comma list of texts of 1 to ${longest} characters`);
      items.forEach(check);
      return items;
    },
  };
}

export function optional<Value>(variable: Variable<Value>): Variable<Value | undefined> {
  return { default: undefined, parse: (written) => variable.parse(written) };
}

function fail(message: string): never {
  throw new Error(message);
}
