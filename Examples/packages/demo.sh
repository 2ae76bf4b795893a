#!/bin/sh
# This machine's package database as a store, and answers that it gives. Every command is shown before
# what it prints; the store stays behind for trying more.
#
# GRAPHSTORE names the command (default: graphstore on the path), DEMO_STATUS another dpkg status file.
set -eu
cd "$(dirname "$0")/../.."

# By its path: below, a function has its name.
command=${GRAPHSTORE:-$(command -v graphstore || echo graphstore)}
work=.build/demo
mkdir -p "$work"
rm -f "$work"/packages.db*
GRAPHSTORE_STORE=$work/packages.db
export GRAPHSTORE_STORE

graphstore() { "$command" "$@" </dev/null; }

title() { printf '\n# %s\n' "$*"; }

# Shows a command, runs it, and ends the demo when it ends otherwise than expected.
show() { refused_with 0 "$1"; }

refused_with() {
  printf '$ %s\n' "$2"
  status=0
  eval "$2" || status=$?
  if [ "$1" -ne 0 ] && [ "$status" -eq "$1" ]; then printf '(exit %s, as it should)\n' "$status"; fi
  if [ "$status" -ne "$1" ]; then
    printf 'demo: exit %s where %s was expected\n' "$status" "$1" >&2
    exit 1
  fi
}

title "An empty store from a model file"
show "graphstore init $GRAPHSTORE_STORE --model Models/packages.json"

title "Records from the package database, and all of them in one transaction"
show "sh Examples/packages/records.sh ${DEMO_STATUS:+$DEMO_STATUS }>$work/packages.ndjson"
show "graphstore import --all $work/packages.ndjson"
show "graphstore count Package"

title "The largest packages that no other depends on"
show "graphstore fetch Package --where 'requiredBy.@count == 0' --sort -installedSize --limit 10 \
--fields name,installedSize,summary"

title "What would break if libc6 went"
show "graphstore count Package --where 'ANY dependsOn.name == \"libc6\"'"
printf '$ %s\n' "graphstore delete Package --where 'name == \"libc6\"' --dry-run"
graphstore delete Package --where 'name == "libc6"' --dry-run || [ $? -eq 3 ]
refused_with 3 "graphstore delete Package --where 'name == \"libc6\"'"
show "graphstore count Package --where 'name == \"libc6\"'"

title "Who maintains most"
show "graphstore fetch Maintainer --sort -packages.@count,name --limit 10 --fields name,packages.@count"

title "What depends on zlib1g two steps away, and not at once"
show "graphstore fetch Package --where 'ANY dependsOn.dependsOn.name == \"zlib1g\"' \
--where 'NOT ANY dependsOn.name == \"zlib1g\"' --sort name --limit 10 --fields name,version,section.name"
show "graphstore count Package --where 'ANY dependsOn.dependsOn.name == \"zlib1g\"'"

title "The store itself"
show "graphstore info"
show "graphstore check"

printf '\nThe store stays in %s; try: graphstore shell --store %s\n' "$GRAPHSTORE_STORE" "$GRAPHSTORE_STORE"
