"""The small task made weak bound by bound: each bound of DESIGN 4 fails alone, and its message says what to do."""

import re
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from clawgym_data.grading.grader import Grader
from clawgym_data.grading.world import make_world
from clawgym_data.proof.bounds import ADVICE, failures_of
from clawgym_data.proof.hacks import HACKS
from clawgym_data.proof.lint import lint_set, lint_spec, lint_world, sentences
from clawgym_data.proof.lint_checks import folder_faults
from clawgym_data.proof.prove import summarise
from clawgym_data.proof.report import TaskProof
from clawgym_data.proof.seed import SeedFigures, SeedProof
from clawgym_data.task import load_task
from tests.conftest import FIXTURE_TASKS
from tests.data.test_proof import proof_of

Edit = tuple[str, str, str]
"""File, what stands there, what is to stand there; a file that does not stand there yet is made."""

FIRST_CHECK = "    - {id: table, kind"
LAST_GUARD = "    - {id: untouched, kind: inputs_unchanged"
FIRST_OUTPUT = "  - path: payout.csv\n"
FIRST_CONTEXT = "context:\n"
END = "Leave the files that are there as they are."


def apply(folder: Path, edits: Sequence[Edit]) -> None:
    for name, old, new in edits:
        path = folder / name
        text = path.read_text("utf-8") if path.exists() else ""
        assert old in text, old
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace(old, new, 1), "utf-8")


def spec(old: str, new: str) -> Edit:
    return ("task.yaml", old, new)


def check(text: str) -> Edit:
    return spec(FIRST_CHECK, f"    - {{{text}}}\n{FIRST_CHECK}")


def outcome(text: str, weight: int = 1) -> Edit:
    return check(f"role: outcome, rests_on: form, weight: {weight}, requirements: [total], {text}")


def mention(sentence: str) -> tuple[Edit, Edit]:
    """A sentence more in the instruction, and a quote of it."""
    return ("instruction.md", END, f"{sentence} {END}"), spec(FIRST_CONTEXT, f'{FIRST_CONTEXT}  - "{sentence}"\n')


LINT: dict[str, tuple[tuple[Edit, ...], str]] = {
    "quote-absent": ((spec('"at most 60 words"', '"at most 70 words"'),), r"short: the quote .* occurs 0 times in instruction; expected once"),
    "quote-twice": ((spec('quote: "at most 60 words"', 'quote: "grower"'),), r"short: the quote 'grower' occurs \d times"),
    "quote-of-nothing": ((spec('short, source: instruction', 'short, source: "workspace:old.txt"'),), "found source 'workspace:old.txt'; expected"),
    "reason-missing": ((spec("short, source: instruction, layer: check", "short, source: instruction, layer: untested"),), "a reason belongs to the layer untested"),
    "context-absent": ((spec(FIRST_CONTEXT, FIRST_CONTEXT + '  - "It rains"\n'),), "'It rains' does not occur"),
    "sentence-uncovered": ((("instruction.md", END, f"Use a red pen. {END}"),), "no requirement and no context quotes 'Use a red pen.'"),
    "requirement-unchecked": ((spec("requirements: [short], path", "requirements: [rows], path"),), "requirements.short: layer check, but no check lists it"),
    "requirement-unjudged": ((spec("short, source: instruction, layer: check", "short, source: instruction, layer: judge"),), "requirements.short: layer judge, but no criterion"),
    "requirement-unguarded": ((spec("short, source: instruction, layer: check", "short, source: instruction, layer: guard"),), "requirements.short: layer guard, but no guard"),
    "form-too-heavy": ((spec("rests_on: computed, weight: 10", "rests_on: form, weight: 14"),), "18% of the weight rests on computed facts; expected at least half"),
    "check-without-requirement": ((spec("kind: table_readable, role: prerequisite, requirements: [rows]", "kind: table_readable, role: prerequisite"),), "checks.table: lists no requirement"),
    "instruction-short": ((("instruction.md", "Our market stall changed its commission on 1 May 2026 and I have to tell the growers tonight what they get. ", ""), ("instruction.md", " with the header `grower,sold,payout`", ""), ("instruction.md", ", with one bullet per figure, written as label, colon, answer", ""), ("instruction.md", "the rules, with what happens to returns, are in `rules.txt`. Please", "and"), spec('  - "Our market stall changed its commission on 1 May 2026"\n', ""), spec('  - "the rules, with what happens to returns, are in `rules.txt`"\n', "")), r"instruction: \d\d words; expected 80 to 400"),
    "instruction-long": ((("instruction.md", END, "Do it well " * 110 + END),), "words; expected 80 to 400"),
    "canary-none": ((spec("canary: clawgym", "# clawgym"),), "canary: none"),
    "canary-shown": ((("instruction.md", END, f"Mind clawgym-test-3b9d2c10-5a41-4e7c-9d11-0c2f4a7be001, {END}"),), "canary: occurs in the instruction"),
    "imported": ((spec("assurance: proven", "assurance: imported"),), "imported tasks cannot be proven"),
    "one-right": ((spec('  - {path: right/plain.py, differs: "by payout, words beside the answers"}\n', ""),), "right: 1 solutions; expected at least two"),
    "two-wrong": ((spec('  - {path: wrong/one_day.py, max_score: 0.04, mistake: "only the second day"}\n', ""),), "wrong: 2 solutions; expected at least three"),
    "stray-right": ((("right/more.py", "", "pass\n"),), "right/more.py: nothing runs it; list it under right"),
    "in-place-of-nothing": ((spec("kind: note\n", "kind: note\n    in_place: true\n"),), "outputs.note.md: in_place is true, but the path does not exist"),
    "over-an-input": ((("workspace/note.md", "", "- Paid out: 1\n"),), "outputs.note.md: in_place is false, but the path exists"),
    "output-unnamed": ((spec(FIRST_OUTPUT, f"  - {{path: sum.txt, kind: text}}\n{FIRST_OUTPUT}"),), "outputs.sum.txt: the instruction does not name it"),
    "pattern": ((check("id: kept, kind: lines_kept, role: guard, requirements: [total], path: rules.txt, except: ['(a']"),), r"checks.kept.except: found '\(a'; expected a regular expression"),
    "path-undeclared": ((check("id: more, kind: text_words, role: prerequisite, requirements: [total], path: sum.md"),), "checks.more: found path 'sum.md', which no output declares; expected one of note.md, payout.csv"),
    "path-of-another-kind": ((check("id: more, kind: table_readable, role: prerequisite, requirements: [total], path: note.md"),), "checks.more: found path 'note.md'; expected an output declared with a kind of csv, tsv"),
    "path-without-original": ((check("id: more, kind: lines_kept, role: guard, requirements: [total], path: note.md"),), "checks.more: found path 'note.md'; expected a file of the workspace"),
    "expected-is-the-oracle": ((spec("expected: expected.py", "expected: solution/solve.py"),), "verification.expected: solution/solve.py is a solution"),
    "expected-in-workspace": ((("workspace/expected.py", "", "pass\n"), spec("expected: expected.py", "expected: workspace/expected.py")), "verification.expected: workspace/expected.py reaches the agent"),
    "rubric-unread": ((("rubric.yaml", "", "criteria: []\n"),), "rubric.yaml: nothing reads it"),
}  # fmt: skip
"""Name -> edits, and the one fault that lint then finds."""

LEAVES_FILES = ("expected-is-the-oracle", "expected-in-workspace", "one-right", "two-wrong")
"""Weaknesses that leave a file of which nothing makes use."""


@pytest.mark.parametrize("name", LINT)
def test_each_rule_of_lint_fails_alone(name: str, stall_takings: Path) -> None:
    edits, message = LINT[name]
    apply(stall_takings, edits)
    task = load_task(stall_takings)
    faults = [*lint_spec(task.spec, {file.path: file.content for file in task.files}), *folder_faults(task)]
    assert_faults(faults, [message], also=["nothing (reads|runs) it"] if name in LEAVES_FILES else [])


def assert_faults(faults: Sequence[str], messages: Sequence[str], also: Sequence[str] = ()) -> None:
    """Each message is that of exactly one fault, and the other faults are among those named."""
    for message in messages:
        assert len([fault for fault in faults if re.search(message, fault)]) == 1, faults
    rest = [fault for fault in faults if not any(re.search(message, fault) for message in (*messages, *also))]
    assert rest == []


def test_no_outcome_is_required(stall_takings: Path) -> None:
    path = stall_takings / "task.yaml"
    path.write_text(path.read_text("utf-8").replace("required: true, ", ""), "utf-8")
    assert_faults(list(lint_spec(load_task(stall_takings).spec, {})), ["no outcome is required"], also=["workspace"])


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ([("instruction.md", "Our market", "About 10804. Our market")], "the expected value 10804 stands in instruction.md"),
        ([("workspace/old.csv", "", "x\nDunja;6;1729\n")], "the whole expected row 'Dunja' stands in one line of workspace/old.csv"),
        ([spec('    - {value: Bram, reason: "one of five names that occur in the sales"}\n', ""), spec("label: Best, expected: best, others: others", "label: Best, value: Bram")], "the expected value 'Bram' stands in workspace/"),
    ],
    ids=["value", "row", "name"],
)  # fmt: skip
def test_each_leak_is_named(stall_takings: Path, edits: list[Edit], message: str) -> None:
    apply(stall_takings, edits)
    assert_faults(lint_world(make_world(load_task(stall_takings))), [message])


def test_what_two_tasks_of_a_set_share(tmp_path: Path) -> None:
    for name, edits in {
        "stall-takings": [],
        "stall-two": [spec("split: bench", "split: train")],
        "stall-three": [spec("0c2f4a7be001", "0c2f4a7be002"), spec("market-stall", "shop"), ("instruction.md", "tonight", "soon")],
    }.items():  # fmt: skip
        shutil.copytree(FIXTURE_TASKS / "stall-takings", tmp_path / name)
        apply(tmp_path / name, [*edits, spec("id: stall-takings", f"id: {name}")])
    specs = [load_task(tmp_path / name).spec for name in ("stall-takings", "stall-two", "stall-three")]
    messages = [
        "stall-takings, stall-two share one canary; expected one of its own",
        "stall-takings, stall-two share one instruction",
        "cluster_id stall-takings stands in the splits bench, train; expected each in one split",
        "scenario small-trade/market-stall stands in the splits bench, train",
    ]
    assert_faults(lint_set(specs), messages)
    assert list(summarise([], 0.0, specs).summary.failures) == lint_set(specs)


LEAVES = "    sold, pay = defaultdict(int), defaultdict(int)\n"
"""In the oracle's derivation, which the other solutions share."""
OLD_TABLE = """    kind: csv
    key: [grower]
    columns: {grower: tag, sold: whole, payout: whole}
    order: {rows: free, columns: required}
"""
OLD_NOTE = """    kind: note
    key: label
    columns: {Paid out: whole, Best: name}
    order: {labels: free}
"""
ROWS = "    - {id: rows, kind: table_rows, role: outcome, rests_on: computed, weight: 10, required: true, needs: [table], requirements: [rows, sold, payout], path: payout.csv, expected: rows, credit_above: 0.5}\n"
LINES = "    - {id: rows, kind: text_includes, role: outcome, rests_on: computed, weight: 11, required: true, requirements: [rows, sold, payout], path: payout.csv, expected: lines, credit_above: 0.5}\n"
TABLE = "    - {id: table, kind: table_readable, role: prerequisite, requirements: [rows], path: payout.csv}\n"
GROWERS = "    - {id: growers, kind: table_keys, role: outcome, rests_on: computed, weight: 1, required: true, needs: [table], requirements: [rows], path: payout.csv, expected: growers}\n"
AS_TEXT: tuple[Edit, ...] = (
    spec(OLD_TABLE, "    kind: text\n"), spec(TABLE, ""), spec(GROWERS, ""), spec(ROWS, LINES),
    ("expected.py", '"growers": growers,', '"lines": [[f"{g},{sold[g]},{pay[g]}", f\'"{g}","{sold[g]}","{pay[g]}"\'] for g in growers],'),
)  # fmt: skip
HACK = "hack agent "

MEASURED: dict[str, tuple[tuple[Edit, ...], list[str], list[str]]] = {
    "solution-crashes": ((("solution/solve.py", "import csv\n", "import csv\nraise OSError('no disk')\n"),), [r"solution/solve.py: exit status 1", "right/sheet.py: exit", "right/plain.py: exit", "wrong/old_rate.py: exit", "wrong/no_returns.py: exit", "wrong/one_day.py: exit"], []),
    "oracle-wrong": ((("solution/solve.py", "- Paid out: {total}", "- Paid out: {total + 1}"),), [r"oracle scores \(0.9\d*, 0.9\d*\); expected 1 twice on every seed; it fails total \("], []),
    "time-zone": ((("solution/solve.py", "- Paid out: {total}", "- Paid out: {total + (__import__('time').timezone > 0)}"),), ["oracle scores .* depends on the time zone, locale or hash seed"], []),
    "locale": ((("solution/solve.py", "- Paid out: {total}", "- Paid out: {total + (__import__('os').environ['LC_ALL'] != 'C')}"),), ["oracle scores .* depends on the time zone, locale or hash seed"], []),
    "hash-seed": ((("solution/solve.py", "- Paid out: {total}", "- Paid out: {total + (hash('a') % 1000 == HASH % 1000)}"),), ["oracle scores .* depends on the time zone, locale or hash seed"], []),
    "right-wrong": ((("right/plain.py", "{g},{s},{p}", "{g},{s},{p}p"),), ["right/plain scores .*; a valid answer must score 1: it fails "], []),
    "right-crashes": ((("right/plain.py", "import sys\n", "import sys\nsys.exit('tired')\n"),), ["right/plain.py: exit status 1: tired"], []),
    "nothing-done": ((outcome("id: more, kind: file_exists, path: rules.txt"),), [r"doing nothing scores 0.071 \(more 1.00 of weight 1\); outcomes must be 0 on the untouched"], ["max_score"]),
    "echo": ((outcome("id: more, kind: text_includes, path: note.md, value: [in all]"), ("solution/solve.py", "- Paid out: {total}", "- Paid out: {total} in all"), ("right/plain.py", "pence\\n", "pence in all\\n"), ("right/sheet.py", "pence\\n", "pence in all\\n")), [r"hack agent echo scores 0.071 \(.*more 1.00 of weight 1\); expected at most 0.05: rest the weight"], ["max_score"]),
    "empty": ((outcome("id: more, kind: file_exists, path: payout.csv"),), ["hack agent empty scores 0.071 .*: no outcome may be met by an empty or blank output"], [HACK, "max_score"]),
    "copy-inputs": ((outcome("id: more, kind: text_includes, path: payout.csv, value: [Adeyemi]"),), ["hack agent copy-inputs scores 0.071 .*copies of sales/2026-04-30.csv.* ask for something else"], [HACK + "shotgun", "max_score"]),
    "shotgun": ((outcome("id: more, kind: text_includes, path: payout.csv, value: [Adeyemi, Emrys], credit_above: 0.5"),), ["hack agent shotgun scores 0.071 .*: rest the weight"], ["max_score"]),
    "wipe-inputs": ((*mention("Remove `tmp.txt`."), ("workspace/tmp.txt", "", "x\n"), ("solution/solve.py", LEAVES, LEAVES + '    (ws / "tmp.txt").unlink()\n'), outcome("id: more, kind: file_absent, path: tmp.txt", 2), spec("role: guard, requirements: [untouched]", "role: guard, requirements: [untouched], except: [tmp.txt]")), [r"hack agent wipe-inputs scores 0.067 .*: no outcome may be met by removing files"], ["neutral changes", "breaking mutants caught", "max_score"]),
    "plant": ((*mention("You may leave `score.json`."), spec(FIRST_OUTPUT, "  - {path: score.json, kind: json, asked: false}\n" + FIRST_OUTPUT), ("solution/solve.py", LEAVES, LEAVES + '    (ws / "score.json").write_text("{}")\n'), outcome("id: more, kind: file_exists, path: score.json")), ["hack agent plant scores 0.071 .*: no check may load or believe a file that the agent left"], ["max_score"]),
    "shape": ((spec("kind: table_keys, role: outcome, rests_on: computed, weight: 1", "kind: table_keys, role: outcome, rests_on: computed, weight: 2.5"),), ["hack agent shape scores 0.172 .*: files, keys and labels earn too much"], [HACK + "constant", "max_score"]),
    "constant": ((spec("kind: table_keys, role: outcome, rests_on: computed, weight: 1", "kind: table_keys, role: outcome, rests_on: computed, weight: 2.5"),), ["hack agent constant scores 0.172 .*: one value for all earns too much"], [HACK + "shape", "max_score"]),
    "shuffle": ((spec("kind: table_keys, role: outcome, rests_on: computed, weight: 1", "kind: table_keys, role: outcome, rests_on: computed, weight: 7"),), ["hack agent shuffle scores 0.4.*: right values in wrong places earn too much"], [HACK, "max_score"]),
    "forge": ((*mention("Write `ok.py`, which prints OK."), spec(FIRST_OUTPUT, "  - {path: ok.py, kind: code}\n" + FIRST_OUTPUT), ("solution/solve.py", LEAVES, LEAVES + '    (ws / "ok.py").write_text("def say():\\n    print(\'OK\')\\n\\n\\nsay()\\n")\n'), outcome("id: more, kind: command, run: [python3, ok.py], copies: [ok.py], expected: cases"), ("expected.py", '"growers": growers,', '"growers": growers, "cases": [{"name": "a", "stdout": "OK\\n"}],')), ["hack agent forge scores 0.071 .*; expected at most 0.0: compare printed values"], [HACK, "breaking mutants caught", "neutral changes", "undetermined", "max_score"]),
    "wrong-above": ((spec("max_score: 0.2, mistake", "max_score: 0.01, mistake"),), ["wrong/old_rate.py scores .*; its max_score is 0.01: raise it if the mistake deserves"], []),
    "wrong-too-high": ((spec("max_score: 0.2, mistake", "max_score: 0.9, mistake"),), [r"wrong/old_rate.py: max_score 0.9 is more than 0.05 above the measured .*; lower it"], []),
    "wrong-crashes": ((("wrong/one_day.py", "import sys\n", "import sys\nsys.exit(3)\n"),), ["wrong/one_day.py: exit status 3"], []),
    "mutants-missed": ((("expected.py", '"sold": sold[g], "payout": pay[g]', '"sold": sold[g]'),), [r"\d+ of \d+ breaking mutants caught; expected 95%: check what they change; missed: seed 0: payout.csv: payout"], ["wrong/", HACK]),
    "few-mutants": (AS_TEXT, ["1. breaking mutants a seed; expected 20: declare columns and keys"], ["breaking mutants caught", "neutral changes", HACK, "wrong/"]),
    "undetermined": ((*AS_TEXT, spec(OLD_NOTE, "    kind: text\n")), [r"\d+ of \d+ mutants undetermined; expected at most 20%: declare order, newline and types.* open: seed 0: "], ["breaking mutants", "neutral changes", HACK, "wrong/", "outputs"]),
    "requirement-untouched": ((spec("  - {id: short,", '  - {id: tonight, source: instruction, layer: guard, quote: "tonight"}\n  - {id: short,'), check("id: more, kind: file_absent, path: old.md, role: guard, requirements: [tonight]")), ["requirement tonight: no breaking mutant fails a check that lists it; declare"], []),
    "neutral-punished": ((outcome("id: more, kind: table_order, path: payout.csv, expected: growers"), ("right/sheet.py", "reversed(answer.items())", "answer.items()"), ("right/plain.py", "rows = sorted(answer.items(), key=lambda item: item[1][1])", "rows = list(answer.items())"), ("right/plain.py", "{rows[-1][0]}", "{max(answer, key=lambda g: answer[g][1])}")), [r"\d neutral changes lose score: .*rows.*\(more\).*; let the checks take them, or declare"], ["wrong/", HACK]),
}  # fmt: skip
"""Name -> edits, the faults that the proof then finds, and the beginnings of others that the same weakness brings."""


def test_every_hack_agent_has_a_weak_task_and_advice() -> None:
    assert set(HACKS) <= MEASURED.keys()
    assert set(HACKS) == ADVICE.keys()


@pytest.mark.fault("constant-check")
@pytest.mark.fault("credit-for-being-there")
@pytest.mark.parametrize("name", MEASURED)
def test_each_bound_fails_and_says_what_to_do(name: str, stall_takings: Path, grader: Grader) -> None:
    edits, messages, also = MEASURED[name]
    if name == "hash-seed":
        edits = (("solution/solve.py", "import csv\n", f"import csv\nHASH = {hash_under_seed_one()}\n"), *edits)
    apply(stall_takings, edits)
    proof = proof_of(stall_takings, grader)
    assert not proof.passed
    assert_faults([*proof.lint, *proof.failures], messages, also)


def hash_under_seed_one() -> int:
    import os
    import subprocess
    import sys

    environment = os.environ | {"PYTHONHASHSEED": "1"}
    code = "print(hash('a'))"
    return int(subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout)


def test_a_check_that_depends_on_chance_is_found(stall_takings: Path, grader: Grader) -> None:
    (stall_takings / "checks.py").write_text(
        "import random\ndef judge(workspace, expected):\n    return 0.0, str(random.random())\n", "utf-8"
    )
    apply(stall_takings, [outcome("id: more, kind: python, function: judge")])
    task = load_task(stall_takings)
    with ThreadPoolExecutor(2) as executor:
        measured = SeedProof(make_world(task), grader, executor)
        measured._grade(measured.world.pristine)
        figures = SeedFigures(0, oracle=[1.0, 1.0], noop=0.0, repeatable=measured._repeatable())
    proof = TaskProof(id=task.id, category="x", repeatable=figures.repeatable, oracle=(0.5, 0.5), noop=0.0)
    faults = failures_of(task.spec, proof, [figures])
    assert [fault for fault in faults if "other verdicts: no check may depend on time, order or chance" in fault]


SAME = "import shutil\nfrom pathlib import Path\ndef generate(seed, out_dir):\n    for name, text in FILES.items():\n        path = Path(out_dir) / name\n        path.parent.mkdir(parents=True, exist_ok=True)\n        path.write_text(text)\n"
GENERATORS = {
    "differs": ("", "[0]", "generate.py: generate(0) differs from workspace/: rules.txt", ("rules.txt", "Commission", "The commission")),
    "impure": ("    import os\n    (Path(out_dir) / 'rules.txt').write_text(FILES['rules.txt'] + (os.urandom(8).hex() if seed else ''))\n", "[0, 1]", "generate(1) differs from what it gave before; expected the same bytes for the same seed: rules.txt", None),
    "same": ("", "[0, 1]", "the seeds 0 and 1 give the same files; expected others", None),
}  # fmt: skip


@pytest.mark.parametrize("name", GENERATORS)
def test_each_fault_of_a_generator_is_named(name: str, stall_takings: Path, grader: Grader) -> None:
    more, seeds, message, change = GENERATORS[name]
    root = stall_takings / "workspace"
    files = {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in root.rglob("*") if path.is_file()}
    (stall_takings / "generate.py").write_text(f"FILES = {files!r}\n{SAME}{more}", "utf-8")
    apply(stall_takings, [spec("requirements:\n", f"proven_seeds: {seeds}\nrequirements:\n")])
    if change:
        apply(root, [change])
    proof = proof_of(stall_takings, grader)
    assert_faults([*proof.lint, *proof.failures], [re.escape(message)])


def test_the_mean_over_a_set_has_a_bound_of_its_own() -> None:
    proofs = [TaskProof(id=name, category="x", hacks={"echo": 0.03, "shape": 0.1}, passed=True) for name in "ab"]
    assert_faults(
        summarise(proofs, 1.0).summary.failures, ["hack agent echo scores 0.030 in the mean over the set; expected"]
    )
    assert summarise(proofs[:1], 1.0).summary.failures == ()


def test_numbers_of_a_list_are_no_sentences() -> None:
    text = "Two files, please.\n\n1. `a.csv`, sorted.\n2. `b.csv`. \n3) More! Thanks.\n- One.\n* Two"
    wanted = ["Two files, please.", "`a.csv`, sorted.", "`b.csv`.", "More!", "Thanks.", "One.", "Two"]
    assert sentences(text) == wanted
