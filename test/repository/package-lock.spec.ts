import { readFileSync } from 'node:fs';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly os?: string[];
  readonly cpu?: string[];
  readonly optionalDependencies?: Record<string, string>;
}
type Packages = Record<string, LockedPackage>;

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

describe('package-lock.json', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Packages };

  it('has an entry for every optional dependency, because npm ci refuses a lock file that lacks one', () => {
    expect(missingOptionalPackages(packages)).toEqual([]);
  });

  it('has the binaries of Linux and macOS, x64 and arm64, for every package that comes with binaries', () => {
    expect(missingPlatforms(packages)).toEqual([]);
  });

  it('has a checksum for every package and names no registry', () => {
    const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
    expect(installed.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([]);
    expect(installed.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
  });
});

it('finds what a lock file lacks', () => {
  const complete: Packages = {
    'node_modules/a': { optionalDependencies: { 'a-linux': '1', 'a-mac': '1' } },
    'node_modules/a/node_modules/a-linux': { os: ['linux'], cpu: ['x64', 'arm64'] },
    'node_modules/a-mac': { os: ['darwin'], cpu: ['x64', 'arm64'] },
  };
  expect(missingOptionalPackages(complete)).toEqual([]);
  expect(missingPlatforms(complete)).toEqual([]);

  const { 'node_modules/a-mac': _, ...incomplete } = complete;
  expect(missingOptionalPackages(incomplete)).toEqual(['node_modules/a needs a-mac']);
  expect(missingPlatforms(incomplete)).toEqual(['node_modules/a for darwin-x64', 'node_modules/a for darwin-arm64']);
});

function missingOptionalPackages(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => find(packages, path, name) === undefined)
      .map((name) => `${path} needs ${name}`),
  );
}

function missingPlatforms(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
    const covered = Object.keys(optionalDependencies).flatMap((name) => platformsOf(find(packages, path, name)));
    const missing = covered.length === 0 ? [] : PLATFORMS.filter((platform) => !covered.includes(platform));
    return missing.map((platform) => `${path} for ${platform}`);
  });
}

function platformsOf({ os = [], cpu = [] }: LockedPackage = {}): string[] {
  return os.flatMap((system) => cpu.map((processor) => `${system}-${processor}`));
}

/** Looks where Node.js would: in the package's own node_modules, then in those of the folders above it. */
function find(packages: Packages, path: string, name: string): LockedPackage | undefined {
  const found = packages[[path, 'node_modules', name].filter(Boolean).join('/')];
  if (found || path === '') return found;
  const above = path.lastIndexOf('/node_modules/');
  return find(packages, above === -1 ? '' : path.slice(0, above), name);
}
