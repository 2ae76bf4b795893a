#!/bin/sh
# The company on a PostgreSQL server: the model, the commands and the answers of a SQLite store, with an address in place of a
# path, and programs that write at the same time. Every command is shown before what it prints.
#
# GRAPHSTORE names the command (default: graphstore-postgresql on the path), GRAPHSTORE_TEST_POSTGRESQL the database, as
# .ci/postgresql gives it.
set -eu
cd "$(dirname "$0")/../.."

command=${GRAPHSTORE:-graphstore-postgresql}
work=.build/demo
mkdir -p "$work"
rm -f "$work"/company.db* "$work"/raise.*
server=$GRAPHSTORE_TEST_POSTGRESQL
case $server in *\?*) server="$server&schema=demo" ;; *) server="$server?schema=demo" ;; esac
GRAPHSTORE_STORE=$server
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

# Where the answer has to be one number.
expect() {
  printf '$ %s\n' "$2"
  answer=$(eval "$2")
  printf '%s\n' "$answer"
  if [ "$answer" != "$1" ]; then
    printf 'demo: %s where %s was expected\n' "$answer" "$1" >&2
    exit 1
  fi
}

printf 'The server is in a folder of its own, and goes with this tour:\nGRAPHSTORE_STORE=%s\n' "$GRAPHSTORE_STORE"

title "A store is a schema of the database, which init makes"
show "graphstore init --model Models/company.json"
show "graphstore import --all Examples/company/company.ndjson"

title "Questions are those of a file"
show "graphstore fetch Employee --where 'salary > 75000' --sort -salary --fields name,salary,department.name"
show "graphstore fetch Department --sort name --fields name,employees.@count"
show "graphstore fetch Employee --group-by department.name --aggregate 'count, sum:salary as total' --sort -total"

title "The rules of the model hold: what is wrong does not come in"
refused_with 65 "graphstore insert Employee salary=100"

title "The server's own tools find tables and columns by the names of the model"
if command -v psql >/dev/null 2>&1; then
  show "psql -At '$GRAPHSTORE_TEST_POSTGRESQL' -c \
    'SELECT count(*), min(badge), max(badge) FROM demo.employee_view WHERE salary > 75000'"
fi

title "Four programs raise the same salary at the same time, ten times each: no raise is lost"
graphstore update Employee salary=1000 --where 'badge == 1' --quiet
raise() { for round in 1 2 3 4 5 6 7 8 9 10; do graphstore update Employee salary+=1 --where 'badge == 1' --quiet || exit 1; done; }
programs=
for program in 1 2 3 4; do
  raise >"$work/raise.$program" 2>&1 &
  programs="$programs $!"
done
for program in $programs; do wait "$program" || { cat "$work"/raise.* >&2; exit 1; }; done
expect 1 "graphstore count Employee --where 'badge == 1 AND salary == 1040'"

title "The same objects in a file: nothing differs"
show "graphstore init $work/company.db --model Models/company.json"
show "graphstore import --all Examples/company/company.ndjson --store $work/company.db"
show "graphstore update Employee salary=1040 --where 'badge == 1' --store $work/company.db"
show "graphstore diff $work/company.db '$GRAPHSTORE_STORE' --exit-code"
