// The images that Dockerfile and compose file name, made of Debian packages: there is no registry.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { arch } from 'node:process';
import { join } from 'node:path';
import { DEBIAN_NAMES, Failure, output, slim } from './host.mjs';

const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Does what the official image does with these variables and with /docker-entrypoint-initdb.d, and no more. */
const POSTGRES_ENTRYPOINT = `#!/bin/sh
set -eu
case "\${1:-}" in -*) set -- postgres "$@" ;; esac
[ "\${1:-}" = postgres ] || exec "$@"
if [ "$(id -u)" = 0 ]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA"
  install -d -o postgres -g postgres /var/run/postgresql
  chown postgres:postgres /var/lib/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  secret=$(mktemp)
  printf '%s\\n' "\${POSTGRES_PASSWORD:?must be set}" > "$secret"
  initdb --username="\${POSTGRES_USER:=postgres}" --pwfile="$secret" --auth-local=trust --auth-host=scram-sha-256
  rm "$secret"
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl --options="-c listen_addresses=''" --wait start
  : "\${POSTGRES_DB:=$POSTGRES_USER}"
  [ "$POSTGRES_DB" = postgres ] || createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sql; do
    [ -e "$script" ] || continue
    psql --set=ON_ERROR_STOP=1 --no-password --no-psqlrc --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --file="$script"
  done
  pg_ctl --mode=fast --wait stop
fi
exec "$@"
`;

/** Arguments that are neither options nor commands are passed to node. */
const NODE_ENTRYPOINT = `#!/bin/sh
case "\${1:-}" in
  -*) set -- node "$@" ;;
  *) command -v "\${1:-node}" > /dev/null || set -- node "$@" ;;
esac
exec "$@"
`;

/** The base of one machine; what the Dockerfile names is the list of all that were made. */
export function nodeBase({ node }, machine) {
  return `localhost/${node.replace(':', `-${machine}:`)}`;
}

export class Bases {
  constructor({ host, engine, names }) {
    this.host = host;
    this.engine = engine;
    this.names = names;
  }

  /** PostgreSQL and nginx are those of this machine. The image is built on this machine as well, for the one given. */
  make(machine) {
    const { postgres, nginx } = this.names;
    if (!this.#has(postgres)) this.#postgres();
    if (!this.#has(nginx)) this.#nginx();
    for (const one of new Set([arch, machine])) {
      const base = nodeBase(this.names, one);
      if (this.engine.run(['buildah', 'inspect', '--type', 'image', base]).status !== 0) this.#node(one, base);
    }
  }

  #has(image) {
    return this.engine.run(['docker', 'image', 'inspect', image]).status === 0;
  }

  #postgres() {
    const root = this.host.path('build', 'postgres');
    this.host.debian(root, 'forky', ['postgresql-18', 'postgresql-client-18']);
    slim(root);
    appendFileSync(join(root, 'usr/share/postgresql/18/postgresql.conf.sample'), "listen_addresses = '*'\n");
    writeFileSync(join(root, 'usr/local/bin/docker-entrypoint.sh'), POSTGRES_ENTRYPOINT, { mode: 0o755 });
    mkdirSync(join(root, 'docker-entrypoint-initdb.d'));
    this.#import(root, this.names.postgres, [
      `ENV ${PATH}:/usr/lib/postgresql/18/bin`,
      'ENV PGDATA=/var/lib/postgresql/18/docker',
      'ENV LANG=C.UTF-8',
      'VOLUME /var/lib/postgresql',
      'STOPSIGNAL SIGINT',
      'ENTRYPOINT ["docker-entrypoint.sh"]',
      'CMD ["postgres"]',
    ]);
  }

  #nginx() {
    const root = this.host.path('build', 'nginx');
    this.host.debian(root, 'trixie', ['nginx-light', 'openssl']);
    slim(root);
    this.#import(root, this.names.nginx, [`ENV ${PATH}`, 'STOPSIGNAL SIGQUIT', 'CMD ["nginx", "-g", "daemon off;"]']);
  }

  #import(root, image, changes) {
    const packed = `${root}.tar`;
    output('tar', '-C', root, '--numeric-owner', '-cf', packed, '.');
    const options = changes.flatMap((change) => ['--change', change]);
    this.engine.work(`import ${image.replace(/\W/g, '-')}`, [
      'docker',
      'import',
      ...options,
      `/build/${root.split('/').at(-1)}.tar`,
      image,
    ]);
    rmSync(packed);
    rmSync(root, { recursive: true });
  }

  /** Debian stable's predecessor, as the official image of this Node.js, with the binary that npm has of the exact version. */
  #node(machine, base) {
    const root = this.host.path('build', 'node');
    const version = /^node:([\d.]+)/.exec(this.names.node)?.[1];
    if (version === undefined)
      throw new Failure(`The Dockerfile names ${this.names.node}, which is no version of Node.js`);
    this.host.debian(root, 'bookworm', [], machine);
    slim(root);
    const unpacked = this.#unpack(`node-linux-${machine}@${version}`, 'node-binary');
    copyFileSync(join(unpacked, 'bin/node'), join(root, 'usr/local/bin/node'));
    chmodSync(join(root, 'usr/local/bin/node'), 0o755);
    rmSync(unpacked, { recursive: true });
    mkdirSync(join(root, 'usr/local/lib/node_modules'), { recursive: true });
    renameSync(this.#unpack('npm@11', 'npm'), join(root, 'usr/local/lib/node_modules/npm'));
    for (const name of ['npm', 'npx']) {
      chmodSync(join(root, `usr/local/lib/node_modules/npm/bin/${name}-cli.js`), 0o755);
      symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name));
    }
    output('groupadd', '--root', root, '--gid', '1000', 'node');
    output(
      'useradd',
      '--root',
      root,
      '--uid',
      '1000',
      '--gid',
      '1000',
      '--create-home',
      '--shell',
      '/bin/bash',
      'node',
    );
    writeFileSync(join(root, 'usr/local/bin/docker-entrypoint.sh'), NODE_ENTRYPOINT, { mode: 0o755 });
    output('tar', '-C', root, '--numeric-owner', '-cf', `${root}.tar`, '.');
    const script = `c=$(buildah from scratch)
      buildah add --quiet "$c" /build/node.tar /
      buildah config --arch "$1" --env "$2" --env NODE_VERSION="$3" --entrypoint '["docker-entrypoint.sh"]' --cmd node "$c"
      buildah commit --quiet --format docker --rm --manifest "docker.io/library/$4" "$c" "$5"`;
    const words = [DEBIAN_NAMES[machine], PATH, version, this.names.node, base];
    this.engine.work(`node ${machine}`, ['sh', '-ec', script, 'sh', ...words]);
    rmSync(`${root}.tar`);
    rmSync(root, { recursive: true });
  }

  /** A package out of npm's registry, unpacked. */
  #unpack(name, folder) {
    const target = this.host.path('build', folder);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    const { stdout, status, stderr } = spawnSync('npm', ['pack', '--silent', name], { cwd: target, encoding: 'utf8' });
    const file = join(target, stdout.trim().split('\n').at(-1));
    if (status !== 0 || !existsSync(file)) throw new Failure(`npm has no ${name}: ${stderr}`);
    output('tar', '-C', target, '--strip-components=1', '-xzf', file);
    rmSync(file);
    return target;
  }
}
