"""Writes a workspace for this task: the same five museums with other paths, boxes, certificates, wishes and freezes."""

import datetime as dt
import hashlib
import random
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

WORDS = (
    "collection visit learn archive journal families groups picnic history friends events school concerts garden "
    "library workshop postcards recipes diary letters portraits maps"
).split()
SLUGS = (
    "blue-shawl ribbon-loom flax-comb sample-book bobbin-rack dye-pot apron-1840 hand-shuttle warping-mill silk-band "
    "lace-pillow spindle-set wool-cards pattern-card stocking-frame tape-loom carding-bench reed-hook quilt-star "
    "heddle-set"
).split()
PEOPLE = "Ansgar Benedikta Corvin Dagny Eskil Frauke Gerrit Hedda Ilse Jorid Kaspar Lieke".split()
MUSEUMS = ("loom", "quay", "fern", "clock", "slate")
SWITCH = dt.date(2026, 11, 10)


class World:
    """One move: names and numbers, and what becomes of the wishes."""

    def __init__(self, seed):
        self.rng = rng = random.Random(hashlib.sha256(f"gallery-proxy-move:{seed}".encode()).digest())
        self.words = dict(zip("abcdefghijklmnopqrst", rng.sample(WORDS, 20)))
        self.people = dict(zip((*MUSEUMS, "ylva", "volunteer", "driver"), rng.sample(PEOPLE, 8)))
        self.people["ylva"] = "Ylva"
        self.frozen, self.thawed = ("clock", "slate") if seed % 2 == 0 else ("slate", "clock")
        self._boxes()
        self._sites()
        self._certificates()
        self._catalogue()

    def _boxes(self):
        """Box -> (old address, new address), without ports."""
        names = ["web-a", "web-b", "shop", "press", "images", "catalog", "tickets", "forms"]
        olds, news = self.rng.sample(range(11, 99), 8), self.rng.sample(range(101, 240), 8)
        self.old = {name: f"10.0.4.{n}" for name, n in zip(names, olds)}
        self.new = {name: f"10.8.1.{n}" for name, n in zip(names, news)}
        self.new_press = f"10.8.2.{self.rng.randrange(11, 99)}"
        ports = self.rng.sample(range(8001, 8999), 8)
        self.box = {name: f"{self.old[name]}:{port}" for name, port in zip(names, ports)}
        self.outside = f"203.0.113.{self.rng.randrange(20, 200)}:8443"

    def _sites(self):
        """Site -> hosts that wicket 3 answers to."""
        self.alias = f"{self.words['t']}.slate.example"
        own = {
            "loom-web": ["loom.example"],
            "loom-shop": ["shop.loom.example"],
            "loom-old": ["old.loom.example"],
            "quay-web": ["quay.example"],
            "quay-tickets": ["tickets.quay.example"],
            "fern-web": ["fern.example"],
            "fern-www": ["www.fern.example"],
            "fern-images": ["images.fern.example", "scans.fern.example"],
            "clock-web": ["clock.example"],
            "clock-shop": ["shop.clock.example"],
            "slate-web": ["slate.example"],
            "slate-archive": ["archive.slate.example"],
        }
        self.named = own
        named = {host for hosts in own.values() for host in hosts}
        self.hosts = {
            site: hosts + [f"www.{h}" for h in hosts if f"www.{h}" not in named and h[:4] != "www."]
            for site, hosts in own.items()
        }

    def _certificates(self):
        """The list, and the certificate that each site has today."""
        rng, self.today, rows = self.rng, {}, []
        for site, hosts in self.hosts.items():
            full = hosts + ([self.alias] if site == "slate-web" else [])
            first, second, third, fourth = sorted(rng.sample(range(5, 80), 4))
            present = self._name(site)
            self.today[site] = present
            rows.append((present, hosts, dt.date(2026, 12, 1) + dt.timedelta(days=rng.randrange(0, 58)), "yes", ""))
            before, after = (dt.date(2027, 2, 2) + dt.timedelta(days=days) for days in (first, second))
            rows.append((self._name(site), *self._decoy(full, before)))
            rows.append((self._name(site), full, after, "yes", ""))
            if site in ("loom-web", "quay-web", "slate-archive", "fern-images"):
                rows.append((self._name(site), full, after + dt.timedelta(days=third), "yes", ""))
            if site == "slate-web":
                rows.append((self._name(site), hosts, before + dt.timedelta(days=1), "yes", ""))
        for name in ("clock-web", "clock-shop"):
            rows = [(name, *row[1:]) if row[0] == self.today[name] else row for row in rows]
        for museum in ("loom", "quay", "slate"):
            day = dt.date(2027, 2, 2) + dt.timedelta(days=rng.randrange(1, 5))
            rows.append((f"{museum}-wild", [f"*.{museum}.example"], day, "yes", ""))
        day = dt.date(2027, 2, 2) + dt.timedelta(days=rng.randrange(1, 5))
        rows.append(("coast-all", [f"{museum}.example" for museum in MUSEUMS], day, "yes", ""))
        rng.shuffle(rows)
        self.certificates = rows

    def _decoy(self, hosts, day):
        """A certificate that would be used first if it were not for one thing."""
        fault = self.rng.choice(["revoked", "no key"] + ["one short"] * (len(hosts) > 1))
        covered = hosts[:-1] if fault == "one short" else hosts
        return covered, day, "no" if fault == "no key" else "yes", "revoked" if fault == "revoked" else ""

    def _name(self, site):
        return f"{site.split('-')[0]}-{self.rng.randrange(0x1000, 0xFFFF):04x}"

    def _catalogue(self):
        """Rows of number, slug, state, replaced_by, in the order of the export."""
        rng = self.rng
        numbers = [f"{n:04d}" for n in sorted(rng.sample(range(12, 1990), 22))]
        slugs = rng.sample(SLUGS, 16)
        rng.shuffle(numbers)
        plain, rest = numbers[:11], numbers[11:]
        rows = [[number, slug, "published", ""] for number, slug in zip(plain, slugs)]
        gone, draft, twice = rest[0], rest[1], rest[2]
        rows += [[gone, slugs[11], "withdrawn", ""], [draft, slugs[12], "draft", ""]]
        rows += [[twice, slugs[13], "draft", ""]]
        merged = rest[3:]
        targets = [plain[0], merged[0], plain[1], gone, draft, merged[2], merged[3], plain[2]]
        rows += [[number, "", "merged", target] for number, target in zip(merged, targets)]
        rng.shuffle(rows)
        changed = plain[3]
        again = [[twice, slugs[14], "published", ""], [changed, slugs[15], "published", ""]]
        withdrawn = [[plain[4], "", "withdrawn", ""]]
        self.catalogue = rows + again + withdrawn


# ---------------------------------------------------------------- the site files


def site(w, name, lines, cert=True):
    own = [f"    cert {w.today[name]}"] if cert else []
    return (
        "\n".join([f"site {name}", f"    host {' '.join(w.named[name])}", *own, *(f"    {line}" for line in lines)])
        + "\n"
    )


def loom(w):
    a, b, c = (w.words[letter] for letter in "abc")
    web = [
        f"backend web {w.box['web-a']}",
        f"backend press {w.box['press']}",
        f"route /{a}/ web keep",
        f"route /{a}/press/ press            # the press corner",
        f"redirect /{b} /{a} 301",
        f"route /{c.title()}/ web",
        "route / web keep",
    ]
    shop = [f"redirect / https://loom.example/{c}"]
    old = [f"backend catalog {w.box['catalog']}", "redirect /start /item/0001", "route / catalog keep"]
    head = "# The weaving museum\n# heron, wicket 3; the shop moved into the big site in 2023\n\n"
    return head + "\n".join([site(w, "loom-web", web), site(w, "loom-shop", shop), site(w, "loom-old", old)])


def quay(w):
    d, e, f = (w.words[letter] for letter in "def")
    web = [
        f"backend web {w.box['web-b']}",
        f"backend images {w.box['images']}",
        f"route /{d}/photos/ images",
        f"redirect /{d} /{e}",
        f"route /{e}/ web keep",
        f"redirect /{e}/old /{f}",
        f"redirect /{f}/2019/summer /{f}/best",
        f"redirect /{f}/2019 /{f}/before 301",
        f"redirect /{f}/2019/winter /{f}/cold   # Sten asked for this, 2020",
        f"route /{f}/ web",
        "route / web keep",
    ]
    tickets = [f"backend tickets {w.box['tickets']}", "route /api tickets keep", "route / tickets"]
    return "# The harbour museum\n\n" + site(w, "quay-web", web) + "\n" + site(w, "quay-tickets", tickets)


def fern(w):
    g = w.words["g"]
    web = [
        f"backend web {w.box['web-b']}",
        f"backend forms {w.box['forms']}",
        f"route /{g}/form/ forms keep",
        f"route /{g}/ web",
        f"route /{g.title()}/Form/thanks/ web",
        "route / web keep",
    ]
    www = ["redirect / https://fern.example 301"]
    images = [
        f"backend images {w.box['images']}",
        f"backend catalog {w.box['catalog']}",
        "route /iiif/2/ images keep",
        "route /iiif images",
        "route /Sheets/ images",
        "route /sheets/ catalog             # new viewer, one day",
        f"redirect /herbar https://fern.example/{g}",
    ]
    return "# The herbarium\n\n" + "\n".join(
        [site(w, "fern-web", web), site(w, "fern-www", www), site(w, "fern-images", images)]
    )


def clock(w):
    h, i, j, k = (w.words[letter] for letter in "hijk")
    web = [
        f"backend web {w.box['web-a']}",
        f"backend shop {w.box['shop']}",
        f"redirect /{h} /{i}",
        f"route /{i}/{j}/ shop",
        f"route /{i}/ web keep",
        f"redirect /{i}/{j} /{h}",
        f"redirect /{k} https://clock.example/{i}/{j} 303",
        "route / web",
    ]
    shop = [f"backend shop {w.box['shop']}", f"route /{h}/ shop keep", f"redirect /{j} /{h}/{j}", "route / shop"]
    head = "# The clock museum\n# no cert lines needed: they are called like the sites\n\n"
    return head + site(w, "clock-web", web, cert=False) + "\n" + site(w, "clock-shop", shop, cert=False)


def slate(w):
    el, m, n = (w.words[letter] for letter in "lmn")
    web = [
        f"backend web {w.box['web-a']}",
        f"backend outside {w.outside}     # not ours",
        f"route /{el}/ outside keep",
        f"redirect /{m} /{el}/{m}",
        f"redirect /{n}/ https://archive.slate.example/{n} 307",
        "route / web keep",
    ]
    archive = [
        f"backend catalog {w.box['catalog']}",
        f"redirect /{n}/index /{n}/start",
        f"route /{n}/ catalog",
        f"redirect /{n} /start",
        "route / catalog keep",
    ]
    return (
        "# The quarry museum and its archive\n\n" + site(w, "slate-web", web) + "\n" + site(w, "slate-archive", archive)
    )


# ---------------------------------------------------------------- the papers

WICKET_3 = """# wicket 3, in short

(Ylva's page for people who have to read heron's files. The real manual has gone with its maker.)

A file holds sites. A line is a word and what belongs to it; `#` begins a remark; indentation is for the eye.

    site NAME
        host NAME ...
        cert NAME
        backend NAME ADDRESS
        route PREFIX BACKEND [keep]
        redirect PATH TARGET [CODE]

**host.** The site answers to each of these names, and to each of them with `www.` in front of it, unless it has that in front already, or a
site of the same file names that one itself. Upper and lower case are the same.

**cert.** The certificate that is shown. Without the line it is the one that is called like the site.

**route and redirect** are tried from top to bottom, all in one list, and the first that fits the path decides. If none fits, the
answer is 404. Whether letters of a path are upper or lower case makes no difference to what fits; what is handed on keeps its case.

- A *route* fits every path that begins with PREFIX. If PREFIX ends with a slash, it also fits the path that is PREFIX without this
  slash. PREFIX is taken off before the path goes to the backend, and a slash put in front if none is left there; with `keep` the path
  goes as it is. The query goes along.
- A *redirect* fits PATH and everything below it, that is PATH, a slash and whatever follows. A slash at the end of PATH itself counts for
  nothing, so `/` fits every path. Whatever follows PATH in the request, its slash included, is put behind TARGET, and then
  the query, if there is one, with its question mark. A TARGET that begins with a slash is on the same host. Without a CODE it is 302.
"""

WICKET_4 = """# Upgrading from wicket 3 to wicket 4

Site files look the same, and mean other things. There is no converter. `wicket-try` (with every copy of wicket 4) answers what a site
file would do without serving it.

| | wicket 3 | wicket 4 |
| --- | --- | --- |
| `host` | and the same with `www.` | exactly these names |
| `cert` | may be left out | one in each site |
| which line | the first that fits | see below |
| letters of a path | upper or lower case | as written, unless the line says `anycase` |
| `route` | takes PREFIX off, unless `keep` | leaves the path alone, unless `strip`; `keep` is an error |
| `/shop` for PREFIX `/shop/` | fits | does not |
| `redirect` | PATH and what is below, which is put behind TARGET | that path alone; `/*` at the end of PATH for what is below |
| query of a `redirect` | goes along | is dropped, unless the line says `query` |
| `redirect` without a code | 302 | 308 |

## Lines

    route PREFIX BACKEND [strip] [anycase] [early]
    route =PATH BACKEND [strip] [anycase] [early]
    redirect PATH TARGET [CODE] [query] [anycase]
    redirect PATH/* TARGET [CODE] [query] [anycase]
    map FILE

`=PATH` fits this path and no other. `strip` takes off what is written after `route` (without the `=`), and the rest begins with a slash
in any case. In the TARGET of a redirect with `/*`, a `*` stands for what the `*` of PATH stood for; a TARGET without it is the same for all.
Codes are 301, 302, 303, 307 and 308. A map is a file with tab stops between `from`, `to` and `code` (these words are its first line): for exactly
the path `from` a redirect to `to`, or, where `to` is `-`, the bare code. Maps know no other letters than those written, and
drop the query. Cells of a map may stand in quotation marks.

## Which line

Not the order of the file decides, but

1. routes with `early`,
2. the map,
3. redirects,
4. the other routes,

and among the routes of a step first those with `=`, then the longest PREFIX that fits; among redirects first those without `/*`, then
the longest PATH. If nothing fits: 404. A PREFIX or PATH that stands twice in a site is an error, and a file with an error is not
loaded at all. Two lines with `anycase` are the same if they differ in nothing but case.
"""

DRAFT = """DRAFT, 21 September

- we take the certificate that expires LAST, then we have peace
- www names: leave them, nobody uses them
- every museum may wish what it likes
- new addresses: whatever Ylva hands out
"""


def plan(w):
    a = w.words["a"]
    return f"""# Moving from heron (wicket 3) to dipper (wicket 4)

Agreed with the five museums on 5 October 2026. We switch on **Tuesday, 10 November 2026, at six in the morning**. All dates and
times are ours (Central European).

1. **Nothing changes unless it stands here.** Whoever asks dipper for anything gets what heron would have given: same site, same
   answer, same code, same address, path and query to the backend. That includes the slips people make (capital letters, a
   missing slash, `www.`) and the lines that never had an effect: they go on having none. `docs/wicket-3.md` says how heron reads its files,
   `docs/wicket-4-upgrade.md` what dipper makes of them. Names of sites stay.
2. **Addresses.** The boxes move to the new net the same night. `plan/addresses.tsv` says which address becomes which; ports stay. What
   Ylva has written about it since then (in `mail/`) goes above the table, and her latest word above her earlier ones. An address that is
   not in the table stays.
3. **Certificates.** Each site gets one from `certs/list.tsv`. It has to cover every host name of the site, those with `www.` too, by itself (a `*` stands for
   exactly one part of a name, the first), its key has to be on dipper, it must not be revoked, and it has to hold through the whole of 31 January 2027, because
   nobody may renew anything in the winter freeze. Of those that do, we use up the one that expires first.
4. **The old catalogue.** The box behind `loom-old` is not replaced by another. In its place the site gets a map, `maps/loom.tsv`, from what
   `catalogue/export.csv` knows. For a number, the last row of the export with it counts. A published object is moved from
   `/item/NUMBER` to `https://loom.example/{a}/item/SLUG` with 301. A withdrawn one is gone (`-`, 410). One that was merged goes where
   the one goes into which it was merged, however often that one was merged again. A draft, and what was merged into a draft, has
   no row. Every path of `loom-old` that has no row is sent to `https://loom.example/{a}/` with 301, without the rest of its path and without its query.
5. **Wishes.** A museum may have wishes for the switch. A wish is fulfilled with it if the museum's contact (`plan/contacts.csv`) wrote it, if it was
   sent by Friday, 30 October 2026, 12:00 at the latest, and if the museum is not in a freeze on the day of the switch. A
   contact can take back a wish at any time. All other wishes wait until spring.
6. **Freezes** are in `calendar/freezes.ics`, entries for whole days; as always in such files, DTEND is the first day after. A site in a
   freeze moves like all others (1 to 4), only without wishes.
"""


def addresses(w):
    rows = ["box\told\tnew"] + [f"{box}\t{w.old[box]}\t{w.new[box]}" for box in sorted(w.old) if box != "catalog"]
    return "\n".join(rows) + f"\ncatalog\t{w.old['catalog']}\t{w.new['catalog']}\n"


def contacts(w):
    rows = ["museum;contact;mail;telephone"]
    rows += [f"{m};{w.people[m]};{w.people[m].lower()}@{m}.example;{w.rng.randrange(10000, 99999)}" for m in MUSEUMS]
    return "\r\n".join(rows) + "\r\nwebb\u00fcro;Ylva;ylva@coast-web.example;30207\r\n"


def freezes(w):
    ranges = [
        ("quay", dt.date(2026, 10, 12), dt.date(2026, 10, 24), "regatta"),
        (w.thawed, dt.date(2026, 10, 26), SWITCH, "anniversary"),
        (w.frozen, dt.date(2026, 11, 6), dt.date(2026, 11, 21), "opening of the new hall"),
        ("loom", dt.date(2026, 11, 11), dt.date(2026, 11, 30), "weaving days"),
        ("all museums", dt.date(2026, 12, 14), dt.date(2027, 2, 1), "winter freeze"),
    ]
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//coast-web//freezes//EN"]
    for number, (museum, first, after, why) in enumerate(ranges, 1):
        lines += ["BEGIN:VEVENT", f"UID:freeze-{number}@coast-web.example", f"DTSTART;VALUE=DATE:{first:%Y%m%d}"]
        lines += [f"DTEND;VALUE=DATE:{after:%Y%m%d}", f"SUMMARY:Freeze {museum}: {why}", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def certificates(w):
    lines = ["name\tcovers\tnot_after\tkey_on_dipper\tremark"]
    rows = [*w.certificates, ("quay-last-day", w.hosts["quay-web"], None, "yes", "")]
    for name, hosts, day, key, remark in rows:
        moment = (
            f"{day:%b %d} {w.rng.randrange(1, 21):02d}:{w.rng.randrange(60):02d}:00 {day.year} GMT"
            if day
            else "Jan 31 09:30:00 2027 GMT"
        )
        lines.append(f"{name}\t{','.join(hosts)}\t{moment}\t{key}\t{remark}")
    return "\n".join(lines) + "\n"


def catalogue(w):
    rows = [";".join(row) for row in w.catalogue]
    return "number;slug;state;merged_into\r\n" + "\r\n".join(rows) + "\r\n"


def mail(sender, date, subject, text):
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Date"] = sender, "web@coast-web.example", date
    message["Subject"] = subject
    message.set_content(text.strip() + "\n", charset="utf-8", cte="quoted-printable")
    return message.as_bytes()


def mails(w):
    words, people = w.words, w.people
    a, d, e, f, g, h, i, k = (words[letter] for letter in "adefghik")

    def of(museum):
        return f"{people[museum]} <{people[museum].lower()}@{museum}.example>"

    ylva = "Ylva <ylva@coast-web.example>"
    return {
        "10-14-tickets.eml": mail(
            of("quay"),
            "Wed, 14 Oct 2026 09:12:00 +0200",
            "Our wish: tickets",
            f"""We no longer sell tickets ourselves. With the switch please send everything that reaches the site quay-tickets, by
whichever of its names, to https://booking.example/quay, and do it with 301. Whatever the path was doesn't matter any more, but what stands behind the question
mark has to go along, our partners count it.

{people["quay"]}""",
        ),
        "10-16-sheets.eml": mail(
            f"{people['volunteer']} <{people['volunteer'].lower()}@fern.example>",
            "Fri, 16 Oct 2026 19:40:00 +0200",
            "a wish of the herbarium",
            f"""Hello! On images.fern.example the sheets should finally go to the new viewer, so please let /sheets/ go to the
catalog box. Everybody here wants it.

{people["volunteer"]} (digitising, Thursdays)""",
        ),
        "10-19-form.eml": mail(
            of("fern"),
            "Mon, 19 Oct 2026 08:05:00 +0200",
            "Wish of the herbarium",
            f"""For the switch: on fern.example please redirect /{g}/form to /{g}/help.

{people["fern"]}""",
        ),
        "10-22-clock.eml": mail(
            of("clock"),
            "Thu, 22 Oct 2026 16:31:00 +0200",
            "clock.example, one wish",
            f"""We'd like /{k} on clock.example, and everything below it, to go to /{i}/{h} on the same host instead of where it goes now, as a
301 this time. What follows /{k} and the query go along as ever.

{people["clock"]}""",
        ),
        "10-27-slate.eml": mail(
            of("slate"),
            "Tue, 27 Oct 2026 11:02:00 +0100",
            "new name",
            f"""Our shop window has a name of its own now: {w.alias}. Please let the site of slate.example answer to it
as well from the switch on. Just that name, no www in front of it, that would look silly.

{people["slate"]}""",
        ),
        "10-30-press.eml": mail(
            of("loom"),
            "Fri, 30 Oct 2026 12:40:00 +0200",
            "the press corner",
            f"""(from the train to Vilnius) On loom.example, the press corner never worked: /{a}/press, with or without a slash at its end, and everything
below it ends up at web. It should go to the press box, the way the line in the file was meant. Can we have that with
the switch?

{people["loom"]}""",
        ),
        "10-30-late.eml": mail(
            of("quay"),
            "Fri, 30 Oct 2026 11:25:00 +0000",
            "One more wish",
            f"""One more for quay.example: please redirect /{e} to /{f}.

{people["quay"]}, from Reykjavik""",
        ),
        "11-02-addresses.eml": mail(
            ylva,
            "Mon, 2 Nov 2026 10:20:00 +0100",
            "addresses",
            f"""Correction to the table: the press box does not become {w.new["press"]}, that one is taken by the scanner. It becomes 10.8.2.9.

Ylva""",
        ),
        "11-04-form.eml": mail(
            of("fern"),
            "Wed, 4 Nov 2026 08:15:00 +0100",
            "Re: Wish of the herbarium",
            f"""Forget the redirect of /{g}/form, please. The form stays after all.

{people["fern"]}""",
        ),
        "11-06-addresses.eml": mail(
            ylva,
            "Fri, 6 Nov 2026 17:55:00 +0100",
            "addresses, again",
            f"""Two things. The press box becomes {w.new_press}, finally. And the images box has no slot in the new rack before spring: it stays where
it is, so its old address holds.

Ylva""",
        ),
        "11-07-lunch.eml": mail(
            f"{people['driver']} <{people['driver'].lower()}@coast-web.example>",
            "Sat, 7 Nov 2026 12:00:00 +0100",
            "van",
            f"""The van is at the door on Tuesday at five. Please label the boxes, last time {w.box["forms"].split(":")[0]} came back as a coffee machine.""",
        ),
    }


def asked(w):
    """What people asked heron for in October, some of it."""
    words, rng = w.words, w.rng
    urls = [
        f"https://loom.example/{words['a']}/press/2026",
        f"https://www.loom.example/{words['c']}",
        f"https://old.loom.example/item/{w.catalogue[3][0]}",
        f"https://quay.example/{words['d']}/photos/12.jpg",
        f"https://quay.example/{words['d'].upper()}/boats?lang=en",
        "https://tickets.quay.example/?partner=7",
        f"https://www.fern.example/{words['g']}/form",
        "https://images.fern.example/iiif/2/0071/full/max/0/default.jpg",
        f"https://clock.example/{words['k']}/winter?x=1",
        f"https://slate.example/{words['n']}/1911",
    ]
    return "".join(f"{rng.randrange(3, 900):4d} {url}\n" for url in urls)


def files(seed):
    w = World(seed)
    out = {
        "try/wicket_try.py": TRY,
        "docs/wicket-3.md": WICKET_3,
        "docs/wicket-4-upgrade.md": WICKET_4,
        "plan/move-plan.md": plan(w),
        "plan/old/move-plan-draft.txt": DRAFT,
        "plan/addresses.tsv": addresses(w),
        "calendar/freezes.ics": freezes(w),
        "certs/list.tsv": certificates(w),
        "logs/asked-in-october.txt": asked(w),
        "notes/heron.txt": "heron goes to the recycling yard on Friday 13. No jokes, please.\nThe fan is kept for the herbarium.\n",
    }
    out |= {f"sites/{name}.conf": text(w) for name, text in zip(MUSEUMS, (loom, quay, fern, clock, slate))}
    coded = {name: text.encode() for name, text in out.items()}
    coded["plan/contacts.csv"] = contacts(w).encode("cp1252")
    coded["catalogue/export.csv"] = catalogue(w).encode("cp1252")
    return coded | {f"mail/{name}": content for name, content in mails(w).items()}


def generate(seed, out_dir):
    for name, content in files(seed).items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


TRY = r'''"""wicket-try 4.1: what would wicket 4 answer?

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
'''
