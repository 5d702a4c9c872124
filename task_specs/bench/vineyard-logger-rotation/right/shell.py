"""The same in sh: facts about each file by awk, the plan by one more awk, then file by file; plan.tsv with CRLF."""

import subprocess
import sys
from pathlib import Path

SCRIPT = r"""#!/bin/sh
# rotate [-n] ROOT TODAY
LC_ALL=C
export LC_ALL
dry=
if [ "$1" = -n ]; then dry=yes; shift; fi
today=$2
cd "$1" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')

# path, whether its last line is the right one, whether the air was below zero
facts() {
  awk -v path="$1" '
    { sub(/\r$/, "") }
    /[^ ]/ { last = $0; gsub(/^ +| +$/, "", last) }
    head == "" {
      mark = index($0, ";") ? ";" : ","
      n = split($0, cell, mark)
      for (i = 1; i <= n; i++) if (cell[i] == "temp_c" || cell[i] == "Lufttemp") { head = cell[i]; column = i; sep = mark }
      next
    }
    /^#/ { next }
    split($0, cell, sep) >= column {
      value = cell[column]
      sub(/,/, ".", value)
      if (value != "-99.9" && value ~ /^-[0-9.]+$/ && value + 0 < 0) cold = 1
    }
    END { print path "\t" (last == "#END" ? "W" : last == "EOF" ? "L" : "-") "\t" cold + 0 }'
}

for file in incoming/[Ww][Ss][0-9]* incoming/leaf-[0-9]* archive/*/*/[0-9][0-9]-*.csv archive/*/*/[0-9][0-9]-*.csv.gz; do
  [ -f "$file" ] || continue
  case $file in
    *.gz) gzip -dc "$file" | facts "$file" ;;
    *) facts "$file" < "$file" ;;
  esac
done > "$work/facts"

cat > "$work/plan.awk" <<'AWK'
function leap(y) { return y % 4 == 0 && (y % 100 || y % 400 == 0) }
function length_of(y, m) { return m == 2 ? 28 + leap(y) : 30 + (m + int(m / 8)) % 2 }
function number(y, m, d,   n, i) {
  n = 365 * y + int((y - 1) / 4) - int((y - 1) / 100) + int((y - 1) / 400)
  for (i = 1; i < m; i++) n += length_of(y, i)
  return n + d
}
function real(y, m, d) { return m >= 1 && m <= 12 && d >= 1 && d <= length_of(y, m) }
function ini(section, key, otherwise) { return (section SUBSEP key) in value ? value[section, key] : otherwise }
function harvest(day,   md) { md = substr(day, 6); return md >= "08-25" && md <= "10-31" }
function age(day) { return now - number(substr(day, 1, 4) + 0, substr(day, 6, 2) + 0, substr(day, 9, 2) + 0) }
function ending(day) {
  if (harvest(day) && substr(day, 1, 4) == substr(today, 1, 4)) return ".csv"
  return age(day) > ini("compress", "after", 30) + 0 ? ".csv.gz" : ".csv"
}
function due(station, day, plot, cold,   i, hold) {
  if (age(day) <= ini("keep " plot, "days", ini("keep", "days", 400)) + 0) return 0
  if (cold && substr(day, 6, 2) >= "03" && substr(day, 6, 2) <= "05") return 0
  if (harvest(day) && substr(today, 1, 4) - substr(day, 1, 4) <= 10) return 0
  for (i = 1; i <= holds; i++) {
    split(held[i], hold, " ")
    if ((hold[1] == "*" || hold[1] == station) && day >= hold[2] && day <= hold[3]) return 0
  }
  return 1
}
function act(file, action, target) { print action "\t" file "\t" target }
function digits(text, width) { return length(text) == width && text !~ /[^0-9]/ }
# sets station, day (empty if there is none), counter; false for other files
function incoming(name,   piece, n, core, y, d, m) {
  counter = 1
  if (name ~ /^leaf-.*\.txt$/) core = substr(name, 6, length(name) - 9)
  else if (name ~ /^WS.*\.CSV$/ || name ~ /^ws.*\.csv$/) core = substr(name, 3, length(name) - 6)
  else return 0
  n = split(core, piece, "_")
  kind = name ~ /^leaf/ ? "L" : "W"
  if (n > (kind == "L" ? 2 : 3)) return 0
  if (kind == "L") { if (n == 2) counter = piece[2]; n = split(piece[1], piece, "-"); if (n != 3 || !digits(piece[2], 4) || !digits(piece[3], 3)) return 0 }
  else { if (n == 3) counter = piece[3]; if (n < 2 || !digits(piece[2], 8)) return 0 }
  if (!digits(piece[1], 2) || counter ~ /[^0-9]/ || counter == "") return 0
  station = piece[1]; counter += 0; day = ""
  if (kind == "W") {
    y = substr(piece[2], 1, 4); m = substr(piece[2], 5, 2); d = substr(piece[2], 7)
    if (real(y + 0, m + 0, d + 0)) day = y "-" m "-" d
  } else {
    y = piece[2]; d = piece[3] + 0
    if (d >= 1 && d <= 365 + leap(y + 0)) {
      for (m = 1; d > length_of(y + 0, m); m++) d -= length_of(y + 0, m)
      day = sprintf("%s-%02d-%02d", y, m, d)
    }
  }
  return 1
}
BEGIN {
  FS = "\t"
  now = number(substr(today, 1, 4) + 0, substr(today, 6, 2) + 0, substr(today, 9, 2) + 0)
  while ((getline line < "etc/rotation.ini") > 0) {
    sub(/\r$/, "", line); sub(/;.*/, "", line); gsub(/^[ \t]+|[ \t]+$/, "", line)
    if (line ~ /^\[/) section = substr(line, 2, length(line) - 2)
    else if ((at = index(line, "=")) > 0) {
      key = substr(line, 1, at - 1); sub(/ +$/, "", key)
      text = substr(line, at + 1); sub(/^ +/, "", text)
      value[section, key] = text
      if (section == "hold") held[++holds] = text
    }
  }
}
{
  n = split($1, part, "/")
  if (part[1] == "incoming") {
    if (n != 2 || !incoming(part[2])) next
    if (day == "" || day > today || !(("stations" SUBSEP station) in value)) { act($1, "quarantine", "quarantine/" part[2]); next }
    id = station " " day
    rank = ($2 == kind) * 1000000 + counter
    if (id in best && best_rank[id] > rank) { act($1, "delete", ""); next }
    if (id in best) act(best[id], "delete", "")
    best[id] = $1; best_rank[id] = rank; best_cold[id] = $3
  } else if (n == 4) {
    stem = part[4]; sub(/\.csv(\.gz)?$/, "", stem)
    if (stem !~ /^[0-9][0-9]-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]$/ || substr(stem, 4, 4) != part[3]) next
    if (!real(substr(stem, 4, 4) + 0, substr(stem, 9, 2) + 0, substr(stem, 12, 2) + 0)) next
    id = substr(stem, 1, 2) " " substr(stem, 4)
    here[$1] = id; cold_of[$1] = $3; plot_of[$1] = part[2]; count[id]++
  }
}
END {
  for (id in best) {
    split(id, word, " ")
    plot = value["stations", word[1]]
    fresh = best_rank[id] >= 1000000
    if (count[id] && fresh) replaced[id] = 1
    if ((count[id] && !fresh) || due(word[1], word[2], plot, best_cold[id])) act(best[id], "delete", "")
    else act(best[id], "archive", "archive/" plot "/" substr(word[2], 1, 4) "/" word[1] "-" word[2] ending(word[2]))
  }
  for (file in here) {
    id = here[file]; split(id, word, " "); plain = file; sub(/\.gz$/, "", plain)
    if (id in replaced || (plain != file && plain in here) || due(word[1], word[2], plot_of[file], cold_of[file])) act(file, "delete", "")
    else if (plain == file && ending(word[2]) == ".csv.gz") act(file, "compress", file ".gz")
  }
}
AWK
awk -v today="$today" -f "$work/plan.awk" "$work/facts" | sort -t "$tab" -k 2,2 > "$work/plan"
cat "$work/plan"
[ -n "$dry" ] && exit 0
while IFS=$tab read -r action file target; do
  if [ "$action" = delete ]; then rm -f "$file"; fi
done < "$work/plan"
while IFS=$tab read -r action file target; do
  [ "$action" = delete ] && continue
  mkdir -p "${target%/*}"
  case $action:$target in
    quarantine:* | *.csv) mv -f "$file" "$target" ;;
    *) gzip -nc < "$file" > "$work/packed" && mv -f "$work/packed" "$target" && rm -f "$file" ;;
  esac
done < "$work/plan"
exit 0
"""

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
(ws / "rotate").write_bytes(SCRIPT.encode())
done = subprocess.run(["sh", ws / "rotate", "-n", ws / "box", "2026-10-20"], stdout=subprocess.PIPE, check=True)
table = "action\tfile\ttarget\n" + done.stdout.decode()
(ws / "plan.tsv").write_bytes(table.replace("\n", "\r\n").encode())
