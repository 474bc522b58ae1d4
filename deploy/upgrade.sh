#!/bin/sh
# Upgrades a running stack of docker-compose.yml to this checkout without failing a request: builds, migrates while the old replicas serve,
# and replaces them one after the other. With --no-build it takes the image that is there.
set -eu
case ${1:-} in
  '') docker compose build ;;
  --no-build) ;;
  *) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
# Each with what it depends on, `migrate` first. With --no-deps, Compose would take the replicas for changed when it is run the next time, and
# would replace both at once.
for services in service-1 service-2 ''; do
  # shellcheck disable=SC2086 # At last all of them.
  docker compose up --detach --wait --no-build $services
done
