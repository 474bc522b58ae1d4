#!/bin/sh
# Installs what `npm run test:operations` needs besides Node, on Debian and its relatives: a load balancer, a connection
# pooler, PostgreSQL's own tools, openssl for certificates, a browser, and a model checker with the compiler that it needs. Run it as root.
set -eu
case ${1:-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install --yes --no-install-recommends nginx-light pgbouncer postgresql-client openssl chromium \
  spin gcc libc6-dev
