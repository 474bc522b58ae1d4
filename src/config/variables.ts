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

export function url(protocols: readonly string[]): Variable<string> {
  const demand = `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return {
    default: '',
    parse: (written) => {
      // A PostgreSQL URL may leave the host out (unix socket), which the URL class refuses.
      const known = protocols.some((protocol) => written.startsWith(`${protocol}//`));
      if (!known || /\s/.test(written)) fail(demand);
      return written.replace(/\/+$/, '');
    },
  };
}

export function list(longest: number): Variable<readonly string[]> {
  return {
    default: [],
    parse: (written) => {
      const items = written.split(',').map((item) => item.trim());
      const fits = items.every((item) => item.length >= 1 && item.length <= longest);
      return fits ? items : fail(`must be a comma list of texts of 1 to ${longest} characters`);
    },
  };
}

export function optional<Value>(variable: Variable<Value>): Variable<Value | undefined> {
  return { default: undefined, parse: (written) => variable.parse(written) };
}

function fail(message: string): never {
  throw new Error(message);
}
