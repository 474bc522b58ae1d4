#!/bin/sh
# Installs what `npm run test:operations` needs besides Node, on Debian and its relatives: a load balancer, a connection
# pooler, PostgreSQL's own tools, openssl for certificates, and a browser. Run it as root.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install --yes --no-install-recommends nginx-light pgbouncer postgresql-client openssl chromium
