#!/bin/sh
# Installs the tools for `npm run test:operations` on Debian-based systems: a load balancer, a connection pooler, Debian's PostgreSQL,
# openssl for certificates, kubectl to render the manifests, Patroni with etcd and HAProxy, a browser, a spreadsheet, and a model checker
# with its compiler. Skips tools that are already installed. Run it as root.
set -eu
case ${1:-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac

missing=
# need PACKAGE COMMAND...: the package is missing if the command fails.
need() {
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}
need nginx-light command -v nginx
need pgbouncer command -v pgbouncer
need postgresql sh -c 'ls /usr/lib/postgresql/*/bin/initdb'
need openssl command -v openssl
need chromium-headless-shell command -v chromium-headless-shell
need kubernetes-client command -v kubectl
need patroni command -v patroni
# Patroni uses Debian's Python, even if another one is in the path.
need python3-etcd /usr/bin/python3 -c 'import etcd'
need etcd-server command -v etcd
need haproxy command -v haproxy
need libreoffice-calc command -v localc
need spin command -v spin
need gcc command -v gcc
need libc6-dev test -e /usr/include/stdio.h
if [ -z "$missing" ]; then
  echo 'All tools are installed.'
  exit 0
fi

export DEBIAN_FRONTEND=noninteractive
case $missing in
  *postgresql*)
    # The tests start their own servers.
    mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] ||
      echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
    ;;
esac
apt-get update
# shellcheck disable=SC2086 # A list of packages.
apt-get install --yes --no-install-recommends $missing
