"""Another hand: each line kept as a remark above what it becomes, www names on a line of their own, unused backends and routes left in."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402


def below(path, base):
    return (path.rstrip("/") + "/").lower().startswith(base.rstrip("/").lower() + "/")


def takes_all(earlier, rule):
    """Whether heron never gets to `rule` because of an earlier line."""
    if earlier[0] == "redirect" or earlier[1].endswith("/"):
        return below(rule[1], earlier[1])
    return rule[1].lower().startswith(earlier[1].lower())


def idle(rules, number):
    return any(takes_all(rule, rules[number]) for rule in rules[:number])


def becomes(site, rules, number):
    word, path, goal, *rest = rules[number]
    if idle(rules, number):
        return []
    base = path.rstrip("/")
    if word == "redirect":
        code = (rest or ["302"])[0]
        only = [f"redirect {base} {goal} query anycase {code}"] if base else [f"redirect / {goal}/ query {code}"]
        return [*only, f"redirect {base}/* {goal}/* anycase query {code}"]
    options = " anycase" + ("" if rest else " strip")
    after = [rules[n] for n in range(number + 1, len(rules)) if not idle(rules, n)]
    if any(rule[0] == "redirect" and below(path, rule[1]) for rule in after):
        options += " early"
    exact = [f"route ={base} {goal}{options}"] if base and path.endswith("/") else []
    return [f"route {path} {goal}{options}", *exact]


def special(site, rules):
    """Sites that send everything away; what they had may stay, since redirects come first."""
    if rules[-1][0] != "all":
        return None
    lines = ["map maps/loom.tsv"] if rules[0][0] == "map" else []
    options = rules[-1][2]
    return [*lines, f"redirect / {rules[-1][1]} {options}", f"redirect /* {rules[-1][1]} {options}"]


def convert(ws, museum):
    text = solve.load(ws, f"sites/{museum}.conf")
    old, new, moved = solve.read_sites(text), solve.read_sites(text), solve.address_changes(ws)
    solve.fulfil(new, solve.granted(ws), solve.home(ws))
    out = [f"# {museum}, for dipper"]
    for before, site in zip(old, new):
        www = [host for host in site.hosts if host.startswith("www.")]
        out += [f"site {site.name}", f"  cert {solve.certificate(ws, site.hosts)}"]
        out += [
            f"  host {' '.join(host for host in site.hosts if host not in www)}",
            *(f"  host {host}" for host in www),
        ]
        for name, address in before.backends.items():
            host = address.split(":")[0]
            out.append(f"  backend {name} {address.replace(host, moved.get(host, host))}")
        away = special(site, site.rules)
        out += [f"  {line}" for line in away or []]
        for number, rule in enumerate([] if away else site.rules):
            out.append(f"  # {' '.join(rule)}")
            out += [f"  {line}" for line in becomes(site, site.rules, number)]
        if away:
            out += [f"  route / {name}" for name in list(before.backends)[:1]]
    return "\n".join(out)


ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
texts = {f"sites/{museum}.conf": convert(ws, museum) for museum in solve.MUSEUMS}
solve.write(ws, {**solve.solve(ws), **texts})
