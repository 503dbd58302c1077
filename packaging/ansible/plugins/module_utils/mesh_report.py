# SPDX-License-Identifier: LGPL-2.1-or-later
"""The report of a mesh for people: text, and one HTML file that needs nothing from outside. Pure functions."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import collections
import html
import re
import textwrap

TEXT_WIDTH = 100
TEXT_PATHS_MAX = 20
HTML_PATHS_MAX = 200
NAMES_MAX = 12  # of hosts in a sentence
HOSTS_MAX = 60  # with a row each in the matrix; of more, those at fault have one, and groups of the others
SIZES_MAX = 16  # rows of a matrix whose cells have room for a size
MIDDLE_MAX = 36  # and of one whose cells have room for two digits
CHUNKS = 20  # rows of hosts that are in no groups


def check_report(report):
    keys = ("good", "mtu", "hosts", "pairs", "culprits", "summary")
    missing = [key for key in keys if not isinstance(report, dict) or key not in report]
    if missing:
        raise ValueError("expected what setmtu.setmtu.mesh_report returns; it has no %s" % ", ".join(missing))


# ----------------------------------------------------------------------------------------------------------- sentences


def plain(text):
    """Whatever a name holds, it stays on its line and is shown in the order it is written."""
    return "".join(c if c.isprintable() else "\ufffd" for c in str(text))


def count_of(number, word):
    return "%d %s%s" % (number, word, "" if number == 1 else "s")


def headline(report):
    summary = report["summary"]
    if not report["pairs"]:
        return "Nothing was probed."
    if report["good"]:
        return "All %s carry %d bytes." % (count_of(summary["pairs"], "path"), report["mtu"])
    return "%d of %s carry %d bytes." % (summary["good"], count_of(summary["pairs"], "path"), report["mtu"])


def details(report):
    summary = report["summary"]
    parts = [count_of(summary["hosts"], "host")]
    parts += ["%s %s" % (count_of(summary[key], "path"), words) for key, words in (
        ("partly", "by some flows only"), ("small", "with less"), ("lost", "without an answer"), ("unknown", "not known")) if summary[key]]
    if summary["packets"]:
        parts.append(count_of(summary["packets"], "packet"))
    return ", ".join(parts)


def cards(report):
    """The culprits, those of whom the same is said together."""
    together = collections.OrderedDict()
    for culprit in report["culprits"]:
        together.setdefault((culprit["kind"], culprit["why"], culprit["do"], culprit["carries"], certainty(culprit)), []).append(culprit)
    return list(together.values())


def title_of(card):
    kind = {"port": "Switch port of", "uplink": "Uplinks of"}.get(card[0]["kind"], card[0]["kind"].capitalize())
    if len(card) > 1:
        kind = {"port": "Switch ports of", "switch": "Switches"}.get(card[0]["kind"], kind if kind.endswith("of") else kind + "s")
    return "%s %s" % (kind, names_of(culprit["name"] for culprit in card))


def hosts_of(card):
    """Where the title does not say them."""
    return sorted(set(host for culprit in card for host in culprit["hosts"]) - set(culprit["name"] for culprit in card if len(card) <= NAMES_MAX),
                  key=natural)


def sentences_of(card):
    why, limit = card[0]["why"], card[0]["carries"]
    if limit and str(limit) not in why:
        why += (" The failing flows carry at most %d bytes." if "flows" in why else " At most %d bytes pass.") % limit
    return why, card[0]["do"]


def certainty(culprit):
    percent = round(culprit["confidence"] * 100)
    return "%s, %d %%" % ("certain" if percent >= 95 else "likely" if percent >= 70 else "possible", percent)


def names_of(hosts):
    names = [plain(name) for name in sorted(hosts, key=natural)]
    more = len(names) - NAMES_MAX
    return ", ".join(names if more <= 1 else names[:NAMES_MAX]) + (" and %d more" % more if more > 1 else "")


def natural(name):
    """Sorts h2 before h10."""
    return [(int(part), part) if part.isdigit() and part.isascii() else (-1, part) for part in re.split("([0-9]+)", str(name))]


def carries(pair):
    """The largest size that passes, by how many of its flows more does."""
    size = "-" if not pair.get("size") else str(pair["size"])
    return "%s, %d of %d flows more" % (size, pair["flows_good"], pair["flows_all"]) if pair["state"] == "partly" else size


def without_culprit(report):
    return sorted((pair for pair in report["pairs"] if pair["state"] != "good" and pair.get("culprit") is None),
                  key=lambda pair: (natural(pair["from"]), natural(pair["to"])))


def text(report):
    """What a person reads after the run."""
    check_report(report)
    lines = [headline(report), "(%s)" % details(report)]

    def add(indent, sentence):
        lines.extend(textwrap.wrap(plain(sentence), TEXT_WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False))

    for number, card in enumerate(cards(report), 1):
        lines.append("")
        add("", "%d. %s (%s)" % (number, title_of(card), certainty(card[0])))
        for sentence in sentences_of(card):
            add("   ", sentence)
        if hosts_of(card):
            add("   ", "Hosts: %s." % names_of(hosts_of(card)))
    rest = without_culprit(report)
    if rest:
        lines += ["", "Paths without a pattern:" if report["culprits"] else "Paths:"]
        table = [("FROM", "TO", "VERDICT", "CARRIES")]
        table += [(plain(pair["from"]), plain(pair["to"]), plain(pair["verdict"]), carries(pair)) for pair in rest[:TEXT_PATHS_MAX]]
        widths = [max(len(row[column]) for row in table) for column in range(4)]
        lines += [("   " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths))).rstrip() for row in table]
        if len(rest) > TEXT_PATHS_MAX:
            lines.append("   and %d more" % (len(rest) - TEXT_PATHS_MAX))
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------------------------------------------------- the matrix

Row = collections.namedtuple("Row", "title block hosts")


def rows_of(report):
    """The rows, which are the columns as well: first those at fault, by culprit, so that what fails together is
    together; then the others by group."""
    # Groups that all hosts are in distinguish none.
    shared = set.intersection(*(set(host["groups"]) for host in report["hosts"])) if report["hosts"] else set()
    group_of = {host["name"]: ", ".join(group for group in host["groups"] if group not in shared) or host["segment"] for host in report["hosts"]}
    names = sorted(group_of, key=lambda name: (natural(group_of[name]), natural(name)))
    domain = domain_of(names)

    def short(name):
        return name[:len(name) - len(domain)]

    alone = list(collections.OrderedDict.fromkeys(culprit["name"] for culprit in report["culprits"] if culprit["kind"] in ("host", "port")))
    others = [name for name in names if name not in alone]
    if len(names) <= HOSTS_MAX:
        return [Row(short(name), "at fault", [name]) for name in alone] + [Row(short(name), group_of[name], [name]) for name in others]
    alone, more = alone[:HOSTS_MAX // 2], alone[HOSTS_MAX // 2:]
    groups = collections.OrderedDict()
    for name in others:
        groups.setdefault(group_of[name], []).append(name)
    if len(groups) == 1:
        only = list(groups.values())[0]
        size = -(-len(only) // CHUNKS)
        groups = collections.OrderedDict((span(list(map(short, part))), part) for part in (only[i:i + size] for i in range(0, len(only), size)))
    # A group at fault has a row of its own; of the others, several share one if they are many.
    bad = set(host for culprit in report["culprits"] if culprit["kind"] in ("switch", "uplink") for host in culprit["hosts"])
    guilty = [title for title in groups if bad.issuperset(groups[title])][:HOSTS_MAX // 4]
    if len(guilty) == len(groups):
        guilty = []
    rows = [Row(short(name), "at fault", [name]) for name in alone]
    rows += [Row("%d more" % len(more), "at fault", more)] if more else []
    rows += [Row(title, "at fault", groups.pop(title)) for title in guilty]
    titles = list(groups)
    size = -(-len(titles) // (HOSTS_MAX - len(rows)))
    parts = [titles[i:i + size] for i in range(0, len(titles), size)]
    return rows + [Row(span(part), "others" if rows else "", [name for title in part for name in groups[title]]) for part in parts]


def domain_of(names):
    """What all of several names end in, from a dot on; or nothing."""
    endings = set(name.partition(".")[1] + name.partition(".")[2] for name in names)
    return endings.pop() if len(endings) == 1 and len(names) > 1 else ""


def span(names):
    return names[0] if len(names) == 1 else "%s … %s" % (names[0], names[-1])


def ways(pair):
    """What a probe tells of the way there and of the way back: (from, to, state). A limit says nothing about the way back,
    except that of the way back about the way there."""
    a, b, state = pair["from"], pair["to"], pair["state"]
    if state == "good":
        return [(a, b, "good"), (b, a, "good")]
    if pair["verdict"] == "return path":
        return [(a, b, "good"), (b, a, state)]
    return [(a, b, state)]


class Cell:
    """What is known of the ways from the hosts of a row to those of a column."""

    def __init__(self):
        self.states, self.sizes, self.paths = collections.Counter(), [], []
        self.partly = 0  # what the paths amount to that some flows fail on


def cells_of(report, rows):
    place = {name: number for number, row in enumerate(rows) for name in row.hosts}
    cells = collections.defaultdict(Cell)
    for pair in report["pairs"]:
        for a, b, state in ways(pair):
            cell = cells[place[a], place[b]]
            cell.states[state] += 1
            if state == "partly":
                cell.partly += 1 - pair["flows_good"] / pair["flows_all"]
            if state == "small" and pair.get("size"):
                cell.sizes.append(pair["size"])
            if state != "good":
                cell.paths.append(pair)
    return cells


# -------------------------------------------------------------------------------------------------------------- the page

STYLE = """
:root { color-scheme: light dark; --page: #fff; --text: #1c1c1c; --soft: #5a5a5a; --line: #c9c9c9; --card: #f5f5f3;
  --good: #dceaf7; --good-text: #35617f; --some: #f0b060; --some-text: #1c1c1c; --bad: #8f1d14; --bad-text: #fff; --lost: #1c1c1c;
  --lost-text: #fff; --none: #fff; --self: #d6d6d6; }
@media (prefers-color-scheme: dark) { :root { --page: #16181b; --text: #e8e6e3; --soft: #a5a5a5; --line: #43474d; --card: #202328;
  --good: #1f3446; --good-text: #8fb6d4; --some: #a8631a; --some-text: #fff; --bad: #ffb3a3; --bad-text: #1c1c1c; --lost: #f2f2f2;
  --lost-text: #1c1c1c; --none: #16181b; --self: #3a3d42; } }
body { font: 16px/1.45 system-ui, sans-serif; background: var(--page); color: var(--text); margin: 2rem auto; padding: 0 1rem;
  max-width: 72rem; }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem } p { margin: .3rem 0 } .soft { color: var(--soft) }
.culprit { background: var(--card); border-left: .4rem solid var(--bad); padding: .6rem 1rem; margin: .7rem 0 }
.culprit h3 { font-size: 1.05rem; margin: 0; overflow-wrap: break-word } .culprit.guess { border-left-style: dotted }
.do, .outcome { font-weight: 600 } summary { cursor: pointer } .name { display: inline-block }
/* What fades at the right edge goes on there. */
.scroll { overflow-x: auto; mask-image: linear-gradient(to left, transparent, #000 2rem) } .scroll table { margin-right: 2rem }
table { border-collapse: collapse } .matrix { font-size: 12px; line-height: 1; margin: .5rem 0 }
.matrix td { border: 1px solid var(--page); text-align: center; padding: 0; min-width: 15px; height: 15px; background: var(--none);
  print-color-adjust: exact; -webkit-print-color-adjust: exact }
.matrix:not(.middle, .wide) td.some { font-size: 10px }
.matrix.middle td { min-width: 20px; height: 18px } .matrix.wide td { min-width: 40px; height: 22px }
.matrix th { font-weight: 400; text-align: right; padding: 0 5px 0 2px; white-space: nowrap; max-width: 16rem; overflow: hidden;
  text-overflow: ellipsis }
.matrix thead th { vertical-align: bottom; padding: 2px 0; text-align: center }
.matrix th[scope=row], .matrix thead th:not([scope]) { position: sticky; left: 0; z-index: 1; background: var(--page) }
.matrix thead th span { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 10rem; overflow: hidden }
.matrix caption { text-align: left; padding-bottom: .4rem } .matrix th.block { color: var(--soft); vertical-align: top; padding-top: 3px }
.matrix tr.first > * { border-top: 2px solid var(--line) } .matrix .edge { border-left: 2px solid var(--line) }
td.good, .key.good { background: var(--good); color: var(--good-text) } td.some, .key.some { background: var(--some); color: var(--some-text) }
td.small, .key.small { background: var(--bad); color: var(--bad-text); font-weight: 700 }
td.lost, .key.lost { background: var(--lost); color: var(--lost-text); font-weight: 700 }
td.self { background: var(--self) } td.unknown, .key.unknown { outline: 1px dashed var(--soft); outline-offset: -2px }
.key { display: inline-block; min-width: 1.4em; padding: 0 .2em; text-align: center; font-size: 12px; border: 1px solid var(--line) }
.legend span { margin-right: 1.2rem; white-space: nowrap }
.paths td, .paths th { text-align: left; padding: .15rem 1rem .15rem 0; border-bottom: 1px solid var(--line); white-space: nowrap }
@media (max-width: 40rem) { body { margin: 1rem auto } h1 { font-size: 1.3rem } .matrix th { max-width: 8rem } }
"""


def escape(text):
    return html.escape(plain(text))


def prose(text):
    """Hyphens of a name end no line, if there is room for the name on one."""
    return re.sub(r"[^\s,]*-[^\s,]*", r'<span class="name">\g<0></span>', escape(text))


def render_card(number, card):
    names = [prose(name) for name in hosts_of(card)]
    hosts = "<details><summary>%s</summary><p>%s</p></details>" % (count_of(len(names), "host"), ", ".join(names)) if names else ""
    why, do = sentences_of(card)
    return """<div class="culprit%s"><h3>%d. %s <span class="soft name">(%s)</span></h3>
<p>%s</p>
<p class="do">%s</p>%s</div>
""" % ("" if card[0]["confidence"] >= 0.7 else " guess", number, prose(title_of(card)), certainty(card[0]), escape(why), escape(do), hosts)


def render_cell(row, column, cell, is_edge, is_wide):
    """A cell; what it shows is a sign, a lightness and a colour, each by itself enough."""
    edge = " edge" if is_edge else ""
    if cell is None:
        return '<td class="self%s"></td>' % edge if row is column and len(row.hosts) == 1 else '<td%s></td>' % (' class="edge"' if edge else "")
    bad = cell.states["small"] + cell.states["lost"] + cell.partly
    known = sum(cell.states.values()) - cell.states["unknown"]
    if not known:
        kind, sign = "unknown", "?"
    elif not bad:
        kind, sign = "good", "·"
    elif not cell.partly and (len(row.hosts) == len(column.hosts) == 1 or bad == known):
        kind = "small" if cell.states["small"] else "lost"
        sign = "–" if kind == "lost" else str(max(cell.sizes)) if cell.sizes and is_wide else "×"
    else:
        kind, sign = "some", "%d%s" % (max(1, min(99, round(100 * bad / known))), " %" if is_wide else "")
    if kind == "good":
        return '<td class="good%s">·</td>' % edge
    why = "%s → %s: " % (row.title, column.title)
    if len(row.hosts) == len(column.hosts) == 1 or len(cell.paths) == 1:
        path = ([path for path in cell.paths if path["from"] in row.hosts] or cell.paths)[0]
        why += "%s, carries %s" % (path["verdict"], carries(path))
    else:
        why += "%d of %d fail" % (known - cell.states["good"], known) if known else "not known"
    return '<td class="%s%s" title="%s">%s</td>' % (kind, edge, escape(why), escape(sign))


def render_matrix(report):
    rows = rows_of(report)
    cells = cells_of(report, rows)
    is_wide = len(rows) <= SIZES_MAX
    starts = [number == 0 or rows[number - 1].block != row.block for number, row in enumerate(rows)]
    lengths = []
    for number, start in enumerate(starts):
        end = number + 1
        while end < len(rows) and not starts[end]:
            end += 1
        lengths.append(end - number if start else 0)
    has_blocks = sum(starts) > 1
    out = ['<div class="scroll"><table class="matrix%s"><caption class="soft">Rows send, columns receive.</caption>' % (
        " wide" if is_wide else " middle" if len(rows) <= MIDDLE_MAX else ""),
           "<thead><tr>%s<th></th>" % ("<th></th>" if has_blocks else "")]
    out += ['<th scope="col"%s><span>%s</span></th>' % (' class="edge"' if start and number else "", escape(row.title))
            for number, (row, start) in enumerate(zip(rows, starts))]
    out.append("</tr></thead>\n<tbody>")
    for number, row in enumerate(rows):
        out.append('<tr class="first">' if starts[number] and number else "<tr>")
        if has_blocks and starts[number]:
            out.append('<th class="block" rowspan="%d">%s</th>' % (lengths[number], escape(row.block)))
        title = row.title if len(row.hosts) == 1 else "%s (%d)" % (row.title, len(row.hosts))
        out.append('<th scope="row" title="%s">%s</th>' % (escape(title), escape(title)))
        out += [render_cell(row, column, cells.get((number, other)), starts[other] and other, is_wide) for other, column in enumerate(rows)]
        out.append("</tr>\n")
    out.append("</tbody></table></div>\n")
    are_hosts = all(len(row.hosts) == 1 for row in rows)
    keys = [("good", "·", "all carry %d bytes" % report["mtu"]),
            ("some", "23 %" if is_wide else "23", "%sof the %sflows fail" % ("" if is_wide else "percent ", "" if are_hosts else "paths or ")),
            ("small", "1500" if is_wide else "×", "less passes"), ("lost", "–", "no answer"), ("unknown", "?", "not known")]
    if are_hosts and not report["summary"]["partly"]:
        keys = [key for key in keys if key[0] != "some"]
    out.append('<p class="legend soft">%s<span>empty: not probed</span></p>\n' % "".join(
        '<span><b class="key %s">%s</b> %s</span>' % key for key in keys))
    return "".join(out)


def render_paths(report):
    rest = without_culprit(report)
    if not rest:
        return ""
    out = ["<h2>%s</h2>\n" % ("Paths without a pattern" if report["culprits"] else "Paths"),
           '<div class="scroll"><table class="paths"><tr><th>from</th><th>to</th><th>verdict</th><th>carries</th></tr>\n']
    out += ["<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n" % tuple(escape(cell) for cell in (
        pair["from"], pair["to"], pair["verdict"], carries(pair))) for pair in rest[:HTML_PATHS_MAX]]
    out.append("</table></div>\n")
    if len(rest) > HTML_PATHS_MAX:
        out.append('<p class="soft">and %d more; the JSON report has all.</p>\n' % (len(rest) - HTML_PATHS_MAX))
    return "".join(out)


def page(report, date="", outcome=""):
    """The HTML file, with its date and, of a rollout, a sentence on how it has ended."""
    check_report(report)
    facts = ["segment %s" % name for name in sorted({host["segment"] for host in report["hosts"]}) if name] + [date, details(report)]
    culprits = "".join(render_card(number, card) for number, card in enumerate(cards(report), 1))
    return """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>%s</title><style>%s</style></head>
<body>
<h1>%s %s</h1>
%s<p class="soft">%s</p>
%s<h2>Who carries what to whom</h2>
%s%s</body></html>
""" % (escape(headline(report)), STYLE, "✓" if report["good"] else "✗", escape(headline(report)),
       '<p class="outcome">%s</p>\n' % prose(outcome) if outcome else "", prose(", ".join(filter(None, facts))),
       "<h2>What is at fault, and what to do</h2>\n" + culprits if culprits else "", render_matrix(report), render_paths(report))
