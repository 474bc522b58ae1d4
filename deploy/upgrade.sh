#!/bin/sh
# Upgrades a running stack of docker-compose.yml to this checkout: builds, migrates while the old replicas serve, and replaces them one after
# the other. With --no-build, it uses the existing image.
set -eu
case ${1:-} in
  '') docker compose build ;;
  --no-build) ;;
  *) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
# Each with its dependencies, `migrate` first. After an upgrade with --no-deps, the next run of Compose would consider the replicas changed
# and replace both at once.
for services in service-1 service-2 ''; do
  # shellcheck disable=SC2086 # An empty list means all services.
  docker compose up --detach --wait --no-build $services
done
