# readhv.awk   reads the tide tapes, E.H. 1996
# usage: awk -f readhv.awk tape > levels
# 19.11.96  works for 0388. for 0417 the low waters look funny, ask somebody
/^N/ { next }
/^Z/ { zero = substr($2, 1, 4) * 10; next }
/^T/ { step = substr($3, 1, 2); split($2, t, "*"); now = substr(t[1], 1, 2) * 60 + substr(t[1], 3, 2); next }
/^R/ {
  sub(/[*].*/, "")
  for (i = 2; i <= NF; i++) {
    v = substr($i, 1, 3) * 10 + index("ABCDEFGHI", substr($i, 4))
    if ($i ~ /[J-R}]$/) v = -(substr($i, 1, 3) * 10 + index("JKLMNOPQR", substr($i, 4)) - 1)
    print now, (v * 10 + zero) / 1000
    now += step
  }
}
