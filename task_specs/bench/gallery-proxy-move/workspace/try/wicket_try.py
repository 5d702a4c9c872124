"""wicket-try 4.1: what would wicket 4 answer?

    python3 try/wicket_try.py sites/NAME.conf < urls
    python3 try/wicket_try.py sites/NAME.conf certs < urls

reads one site file and one URL a line, and prints one line for each: the URL, the site, and what happens (or which
certificate is shown). Run it from the folder in which `sites/` and `maps/` are. It changes nothing.
"""

import sys
from urllib.parse import urlsplit

OPTIONS = {"route": {"strip", "anycase", "early"}, "redirect": {"query", "anycase"}}
CODES = {"301", "302", "303", "307", "308"}


class Fault(Exception):
    """The file cannot be used."""


class Site:
    """One site of a file."""

    def __init__(self, name):
        self.name, self.cert = name, None
        self.hosts, self.backends, self.routes, self.redirects, self.map = [], {}, [], [], {}

    def backend(self, name, address):
        if name in self.backends:
            raise Fault(f"backend {name} twice in {self.name}")
        self.backends[name] = address

    def route(self, prefix, backend, *options):
        self._add(self.routes, prefix, {"backend": backend, "options": known("route", options)})

    def redirect(self, path, target, *rest):
        codes = [word for word in rest if word.isdigit()]
        if len(codes) > 1 or not CODES.issuperset(codes):
            raise Fault(f"code {' '.join(codes)}")
        options = known("redirect", [word for word in rest if not word.isdigit()])
        line = {"target": target, "code": (codes or ["308"])[0], "options": options}
        self._add(self.redirects, path, line)

    def _add(self, lines, path, line):
        if not path.lstrip("=").startswith("/"):
            raise Fault(f"path {path}")
        folded = path.lower() if "anycase" in line["options"] else path
        for other in lines:
            if folded == other["folded"]:
                raise Fault(f"{path} twice in {self.name}")
        lines.append({"path": path, "folded": folded, **line})

    def load_map(self, name):
        with open(name, encoding="utf-8-sig") as file:
            rows = [[cell.strip('" \r\n') for cell in line.split("\t")] for line in file if line.strip()]
        if rows[:1] != [["from", "to", "code"]] or any(len(row) != 3 for row in rows):
            raise Fault(f"{name}: expected from, to and code")
        self.map = {path: (target, code) for path, target, code in rows[1:]}

    def check(self):
        if not self.hosts or self.cert is None:
            raise Fault(f"{self.name}: no host or no cert")
        for line in self.routes:
            if line["backend"] not in self.backends:
                raise Fault(f"{self.name}: no backend {line['backend']}")

    def answer(self, url):
        """What happens to a request."""
        path, query = url.path or "/", url.query
        behind = f"?{query}" if query else ""
        line = best(self.routes, path, early=True)
        if line is None and path in self.map:
            target, code = self.map[path]
            return f"gone {code}" if target == "-" else f"redirect {code} {whole(target, url)}"
        redirect = None if line else best_redirect(self.redirects, path)
        if redirect:
            target = whole(redirect["target"], url)
            if redirect["path"].endswith("/*"):
                target = target.replace("*", path[len(redirect["path"]) - 1 :])
            if "query" in redirect["options"] and query:
                target += ("&" if "?" in target else "?") + query
            return f"redirect {redirect['code']} {target}"
        line = line or best(self.routes, path, early=False)
        if line is None:
            return "nothing 404"
        if "strip" in line["options"]:
            path = "/" + path[len(line["path"].lstrip("=")) :].lstrip("/")
        return f"pass {self.backends[line['backend']]} {path}{behind}"


def known(kind, options):
    strange = sorted(set(options) - OPTIONS[kind])
    if strange:
        raise Fault(f"{kind} does not know {strange[0]}")
    return set(options)


def whole(target, url):
    """The target as a URL; a path stays on its host."""
    return f"{url.scheme}://{url.netloc}{target}" if target.startswith("/") else target


def fits(line, path):
    """Whether a line's path, `=` taken for itself alone, is where this path begins."""
    folded = path.lower() if "anycase" in line["options"] else path
    if line["path"].startswith("="):
        return folded == line["folded"][1:]
    return folded.startswith(line["folded"])


def best(routes, path, early):
    """The route that fits: one with `=` before all others, else the longest."""
    found = [line for line in routes if ("early" in line["options"]) is early and fits(line, path)]
    return max(found, key=lambda line: (line["path"].startswith("="), len(line["path"])), default=None)


def best_redirect(redirects, path):
    """A redirect of just this path before those with `/*`, and of these the longest."""
    found = []
    for line in redirects:
        folded = path.lower() if "anycase" in line["options"] else path
        below = line["folded"].endswith("/*")
        if folded.startswith(line["folded"][:-1]) if below else folded == line["folded"]:
            found.append((not below, len(line["path"]), line))
    return max(found, key=lambda entry: entry[:2])[2] if found else None


def read(name):
    """The sites of a file."""
    sites = []
    with open(name, encoding="utf-8-sig") as file:
        for number, text in enumerate(file, 1):
            words = text.split("#")[0].split()
            try:
                if words:
                    read_line(sites, *words)
            except (Fault, TypeError, OSError) as fault:
                raise Fault(f"{name}, line {number}: {fault}") from fault
    for site in sites:
        site.check()
    return sites


def read_line(sites, what, *words):
    if what == "site":
        sites.append(Site(*words))
    elif not sites:
        raise Fault(f"{what} before the first site")
    elif what == "host":
        taken = {host for site in sites for host in site.hosts}
        for host in map(str.lower, words):
            if host in taken:
                raise Fault(f"host {host} twice")
            sites[-1].hosts.append(host)
    elif what == "cert":
        (sites[-1].cert,) = words
    elif what == "map":
        sites[-1].load_map(*words)
    elif what in ("backend", "route", "redirect"):
        getattr(sites[-1], what)(*words)
    else:
        raise Fault(f"what is {what}?")


def main():
    try:
        sites = read(sys.argv[1])
    except (Fault, UnicodeDecodeError, ValueError) as fault:
        print(f"wicket does not start: {fault}")
        sys.exit(1)
    for text in sys.stdin.read().split():
        url = urlsplit(text)
        site = next((site for site in sites if url.netloc.lower() in site.hosts), None)
        if site is None:
            print(f"{text} - nothing 421")
        else:
            print(f"{text} {site.name} {site.cert if sys.argv[2:] == ['certs'] else site.answer(url)}")


if __name__ == "__main__":
    main()
