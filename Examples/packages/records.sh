#!/bin/sh
# Turns a dpkg status file into records for `graphstore import --all`: one JSON object a line, sections and
# maintainers first, then the installed packages with links to both and to the packages they depend on.
#
# usage: records.sh [STATUS-FILE] >packages.ndjson
#
# Without a file it reads /var/lib/dpkg/status, or the sample beside this script where there is none.
# Of alternatives (`a | b`) the first that is installed counts; a virtual package stands for the first
# package that provides it; versions and architecture qualifiers (`:any`) are left out.
set -eu

status=${1:-/var/lib/dpkg/status}
if [ $# -eq 0 ] && [ ! -s "$status" ]; then
  status=$(dirname "$0")/sample-status
fi
if [ ! -r "$status" ]; then
  echo "records.sh: cannot read $status" >&2
  exit 66
fi

# Bytes are passed through as they are, in every awk alike.
LC_ALL=C
export LC_ALL

exec awk '
BEGIN {
  for (i = 1; i < 32; i++) escapes[sprintf("%c", i)] = sprintf("\\u%04x", i)
  escapes["\t"] = "\\t"
  escapes["\n"] = "\\n"
  escapes["\r"] = "\\r"
  escapes["\b"] = "\\b"
  escapes["\f"] = "\\f"
  escapes["\177"] = "\\u007f"
  escapes["\""] = "\\\""
  escapes["\\"] = "\\\\"
}

# Fields of one paragraph. Lines that begin with a blank go on with the field above: of a list of packages
# they are more of it, of a description the long text, which is of no use here.
/^[A-Za-z0-9-]+:/ {
  colon = index($0, ":")
  last = tolower(substr($0, 1, colon - 1))
  field[last] = trimmed(substr($0, colon + 1))
  next
}
/^[ \t]/ { if (last ~ /depends$|^provides$/) field[last] = field[last] $0; next }
/^\r?$/ { take() }

END {
  take()
  for (i = 1; i <= sections; i++)
    print "{\"entity\":\"Section\",\"id\":\"Section/p" i "\"" text("name", sectionName[i]) "}"
  for (i = 1; i <= maintainers; i++) printMaintainer(i)
  for (i = 1; i <= packages; i++) printPackage(i)
}

function trimmed(s) {
  sub(/^[ \t]+/, "", s)
  sub(/[ \t\r]+$/, "", s)
  return s
}

# Keeps the paragraph read so far when it is an installed package, and forgets its fields.
function take(  words, n, state, name, list, count, i) {
  n = split(field["status"], state, /[ \t]+/)
  name = field["package"]
  if (name != "" && state[3] == "installed") {
    packages++
    architecture[packages] = field["architecture"]
    nameOf[packages] = name
    # A second architecture of the same package goes by the name that dpkg gives it.
    if (name in first) nameOf[packages] = name ":" field["architecture"]
    else first[name] = packages
    if (!((name, field["architecture"]) in exact)) exact[name, field["architecture"]] = packages
    version[packages] = field["version"]
    size[packages] = field["installed-size"]
    priority[packages] = field["priority"]
    summary[packages] = field["description"]
    statusOf[packages] = field["status"]
    essential[packages] = (tolower(field["essential"]) == "yes")
    sectionOf[packages] = sectionNumber(field["section"])
    maintainerOf[packages] = maintainerNumber(field["maintainer"])
    depends[packages] = field["pre-depends"] "," field["depends"]
    count = split(field["provides"], list, ",")
    for (i = 1; i <= count; i++) {
      name = bare(list[i])
      if (name != "" && !(name in provider)) provider[name] = packages
    }
  }
  split("", field)
}

function sectionNumber(name) {
  if (name == "") return 0
  if (!(name in sectionIndex)) {
    sectionIndex[name] = ++sections
    sectionName[sections] = name
  }
  return sectionIndex[name]
}

function maintainerNumber(name) {
  if (name == "") return 0
  if (!(name in maintainerIndex)) {
    maintainerIndex[name] = ++maintainers
    maintainerName[maintainers] = name
  }
  return maintainerIndex[name]
}

# The name in a dependency: no version, no architecture, no build profile.
function bare(s) {
  sub(/[(<[].*/, "", s)
  s = trimmed(s)
  sub(/:[a-z0-9-]+$/, "", s)
  return s
}

# The number of the installed package that a name means to a package of an architecture; 0 when none does.
function resolve(name, own) {
  if ((name, own) in exact) return exact[name, own]
  if (name in first) return first[name]
  if (name in provider) return provider[name]
  return 0
}

function quoted(s,  out, i, n, c) {
  if (s !~ /[\001-\037\177"\\]/) return "\"" s "\""
  n = length(s)
  for (i = 1; i <= n; i++) {
    c = substr(s, i, 1)
    out = out ((c in escapes) ? escapes[c] : c)
  }
  return "\"" out "\""
}

function text(key, s) {
  return s == "" ? "" : ",\"" key "\":" quoted(s)
}

function printMaintainer(i,  s, open, name, email) {
  s = maintainerName[i]
  name = s
  open = index(s, "<")
  if (open > 0) {
    name = trimmed(substr(s, 1, open - 1))
    email = substr(s, open + 1)
    sub(/>.*/, "", email)
    if (name == "") name = email
  }
  # A name that holds a comma comes in quotes of its own.
  if (name ~ /^".*"$/) name = substr(name, 2, length(name) - 2)
  print "{\"entity\":\"Maintainer\",\"id\":\"Maintainer/p" i "\"" text("name", name) text("email", email) "}"
}

function printPackage(i,  line, list, links, count, j) {
  line = "{\"entity\":\"Package\",\"id\":\"Package/p" i "\""
  line = line text("name", nameOf[i]) text("version", version[i]) text("architecture", architecture[i])
  if (size[i] ~ /^[0-9]+$/) line = line ",\"installedSize\":" size[i]
  line = line text("priority", priority[i]) text("summary", summary[i]) text("status", statusOf[i])
  line = line ",\"essential\":" (essential[i] ? "true" : "false")
  if (sectionOf[i]) line = line ",\"section\":\"Section/p" sectionOf[i] "\""
  if (maintainerOf[i]) line = line ",\"maintainer\":\"Maintainer/p" maintainerOf[i] "\""
  split("", seen)
  count = split(depends[i], list, ",")
  for (j = 1; j <= count; j++) {
    target = chosen(list[j], architecture[i])
    if (target == 0 || target == i || (target in seen)) continue
    seen[target] = 1
    links = links (links == "" ? "" : ",") "\"Package/p" target "\""
  }
  print line ",\"dependsOn\":[" links "]}"
}

# The first installed of the alternatives of one dependency.
function chosen(dependency, own,  list, count, j, target) {
  count = split(dependency, list, /\|/)
  for (j = 1; j <= count; j++) {
    target = resolve(bare(list[j]), own)
    if (target) return target
  }
  return 0
}
' "$status"
