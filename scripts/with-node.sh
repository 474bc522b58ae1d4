#!/usr/bin/env bash
# Runs a command with another major version of Node.js, installed from the npm registry:
#   scripts/with-node.sh 24 npm test
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
major=${1:?usage: scripts/with-node.sh MAJOR COMMAND...}
shift

package=node-$(node --print 'process.platform + "-" + process.arch')
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error "$package@$major" >/dev/null
export PATH="$folder/node_modules/$package/bin:$PATH"
echo "Node.js $(node --version)"
"$@"
