#!/bin/sh
# Installs what `npm run test:operations` needs besides Node, on Debian and its relatives: a load balancer, a connection
# pooler, Debian's PostgreSQL, openssl for certificates, kubectl to render the manifests, Patroni with etcd and HAProxy, a browser, a spreadsheet, and a model checker with the compiler that it needs. Run it as root.
set -eu
case ${1:-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
export DEBIAN_FRONTEND=noninteractive
# The tests start servers of their own: no other one has to run.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] ||
  echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
apt-get update
apt-get install --yes --no-install-recommends nginx-light pgbouncer postgresql openssl chromium-headless-shell kubernetes-client \
  patroni python3-etcd etcd-server haproxy libreoffice-calc \
  spin gcc libc6-dev
