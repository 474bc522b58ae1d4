#!/bin/sh
# The operators' commands of the image. Each explains itself with --help and works on DATABASE_URL:
#
#   waybill migrate | keys | archive | restore | erase | check-database [OPTION...]
set -eu
command=${1:-}
case $command in
  migrate | keys | erase | check-database) shift ;;
  # Two commands of one program, which reads the name itself.
  archive | restore) command=archive ;;
  *) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
exec node "/app/dist/tools/$command/main.js" "$@"
