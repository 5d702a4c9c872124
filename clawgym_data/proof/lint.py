"""What can be said against a task without running it on anything: coverage of the words, weights, leaks, dead ends."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clawgym_data.canonical import sha256_hex
from clawgym_data.checks import CheckBase
from clawgym_data.checks.rows import key_names
from clawgym_data.checks.table import TableRows
from clawgym_data.checks.tree import TreeRows
from clawgym_data.formats.values import iso_date, plain_number
from clawgym_data.grading.world import World
from clawgym_data.proof.lint_checks import check_faults, shape_faults
from clawgym_data.spec.task import TaskSpec

MIN_WORDS, MAX_WORDS = 80, 400
MIN_LEAK_CHARACTERS = 3
MIN_COMPUTED_SHARE = 0.5
_SENTENCE_END = re.compile(r"\s*\n\s*(?:[-*+•]|\d+[.)])\s+|(?<=[.!?])\s+|\n\s*\n")


def lint_spec(spec: TaskSpec, files: Mapping[str, bytes]) -> list[str]:
    """Faults of the spec's text and references; empty where there are none.

    Args:
        spec: the task.
        files: the initial contents by path.
    """
    return [
        *_quotes(spec, files),
        *_uncovered(spec),
        *_coverage_by_checks(spec),
        *_weights(spec),
        *_identity(spec),
        *_outputs(spec, files),
        *check_faults(spec, files),
    ]


def _collapsed(text: str) -> str:
    return " ".join(text.split())


def _source_text(spec: TaskSpec, source: str, files: Mapping[str, bytes]) -> str | None:
    if source == "instruction":
        return spec.instruction
    content = files.get(source.removeprefix("workspace:")) if source.startswith("workspace:") else None
    if content is None:
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _quotes(spec: TaskSpec, files: Mapping[str, bytes]) -> Iterator[str]:
    for requirement in spec.requirements:
        text = _source_text(spec, requirement.source, files)
        where = f"requirements.{requirement.id}"
        if text is None:
            yield f"{where}: found source {requirement.source!r}; expected instruction or workspace:<an initial file>"
            continue
        times = _collapsed(text).count(_collapsed(requirement.quote))
        if times != 1:
            yield f"{where}: the quote {requirement.quote!r} occurs {times} times in {requirement.source}; expected once"
        if (requirement.layer == "untested") != (requirement.reason is not None):
            yield f"{where}: a reason belongs to the layer untested, and to it alone"
    for quote in spec.context:
        if _collapsed(quote) not in _collapsed(spec.instruction):
            yield f"context: {quote!r} does not occur in the instruction"


def sentences(text: str) -> list[str]:
    """The sentences and list items of an instruction, white space collapsed."""
    return [part for part in (_collapsed(piece).strip("-*+• ") for piece in _SENTENCE_END.split(text)) if part]


def _uncovered(spec: TaskSpec) -> Iterator[str]:
    quotes = [_collapsed(r.quote) for r in spec.requirements if r.source == "instruction"]
    quotes += [_collapsed(quote) for quote in spec.context]
    text = _collapsed(spec.instruction)
    spans = [(start, start + len(quote)) for quote in quotes if (start := text.find(quote)) >= 0]
    position = 0
    for sentence in sentences(spec.instruction):
        start = text.find(sentence, position)
        if start < 0:
            continue
        position = start + len(sentence)
        if re.search(r"\w", sentence) and not any(a < position and start < b for a, b in spans):
            yield f"instruction: no requirement and no context quotes {sentence[:90]!r}"


def _coverage_by_checks(spec: TaskSpec) -> Iterator[str]:
    checks = spec.verification.checks
    listed = {name for check in checks for name in check.requirements}
    guarded = {name for check in checks if check.role in ("guard", "gate") for name in check.requirements}
    judged = {
        name for c in (spec.verification.rubric.criteria if spec.verification.rubric else ()) for name in c.requirements
    }
    for requirement in spec.requirements:
        if requirement.layer in ("check", "guard") and requirement.id not in listed:
            yield f"requirements.{requirement.id}: layer {requirement.layer}, but no check lists it"
        if requirement.layer == "judge" and requirement.id not in judged:
            yield f"requirements.{requirement.id}: layer judge, but no criterion of the rubric lists it"
        if requirement.layer == "guard" and requirement.id in listed - guarded:
            yield f"requirements.{requirement.id}: layer guard, but no guard or gate lists it"


def _weights(spec: TaskSpec) -> Iterator[str]:
    outcomes = [check for check in spec.verification.checks if check.role == "outcome"]
    total = sum(check.weight for check in outcomes)
    computed = sum(check.weight for check in outcomes if check.rests_on == "computed")
    if computed < MIN_COMPUTED_SHARE * total:
        yield f"verification: {computed / total:.0%} of the weight rests on computed facts; expected at least half"
    if not any(check.required for check in outcomes):
        yield "verification: no outcome is required, so that `passed` can never be true"
    for check in spec.verification.checks:
        if not check.requirements:
            yield f"verification.checks.{check.id}: lists no requirement"


def _identity(spec: TaskSpec) -> Iterator[str]:
    words = len(spec.instruction.split())
    if not MIN_WORDS <= words <= MAX_WORDS:
        yield f"instruction: {words} words; expected {MIN_WORDS} to {MAX_WORDS}"
    if spec.canary is None:
        yield "canary: none; expected clawgym-<split>-<uuid>"
    elif spec.canary in spec.instruction:
        yield "canary: occurs in the instruction"
    if spec.split == "imported" or spec.assurance == "imported":
        yield "assurance: imported tasks cannot be proven"
    if len(spec.right) < 2:
        yield f"right: {len(spec.right)} solutions; expected at least two"
    if len(spec.wrong) < 3:
        yield f"wrong: {len(spec.wrong)} solutions; expected at least three"


def _outputs(spec: TaskSpec, files: Mapping[str, bytes]) -> Iterator[str]:
    if not spec.outputs:
        yield "outputs: none; expected what the instruction asks for"
    for output in spec.outputs:
        if output.in_place != (output.path in files):
            state = "exists" if output.path in files else "does not exist"
            yield f"outputs.{output.path}: in_place is {str(output.in_place).lower()}, but the path {state} in the workspace"
        if (
            output.path not in spec.instruction
            and not output.in_place
            and output.path.rsplit("/", 1)[-1] not in spec.instruction
        ):
            yield f"outputs.{output.path}: the instruction does not name it"


def lint_set(specs: Sequence[TaskSpec]) -> list[str]:
    """Faults of a set of tasks: what two of them share though they may not (DESIGN 4 and 5)."""
    faults: list[str] = []
    for what, name_of in (("canary", _canary), ("instruction", _text_digest)):
        for group in _groups(specs, name_of).values():
            if len(group) > 1:
                faults.append(f"{_ids(group)} share one {what}; expected one of its own for each task")
    for what, name_of in (("cluster_id", _cluster), ("scenario", _situation)):
        for name, group in _groups(specs, name_of).items():
            splits = sorted({spec.split for spec in group})
            if len(splits) > 1:
                faults.append(
                    f"{_ids(group)}: {what} {name} stands in the splits {', '.join(splits)}; expected each in one split"
                )
    return faults


def _groups(specs: Sequence[TaskSpec], name_of: Callable[[TaskSpec], str | None]) -> Mapping[str, list[TaskSpec]]:
    groups: dict[str, list[TaskSpec]] = {}
    for spec in specs:
        name = name_of(spec)
        if name is not None:
            groups.setdefault(name, []).append(spec)
    return groups


def _ids(specs: Sequence[TaskSpec]) -> str:
    return ", ".join(spec.id for spec in specs[:10])


def _canary(spec: TaskSpec) -> str | None:
    return spec.canary


def _text_digest(spec: TaskSpec) -> str:
    return sha256_hex(_collapsed(spec.instruction).casefold().encode())


def _cluster(spec: TaskSpec) -> str:
    return spec.cluster_id


def _situation(spec: TaskSpec) -> str | None:
    return f"{spec.scenario.category}/{spec.scenario.subcategory}" if spec.scenario else None


def lint_world(world: World) -> list[str]:
    """Leaks: expected values that carry weight alone, or whole rows, standing in the workspace or the instruction."""
    excused = {item.value for item in world.task.spec.verification.coincidences}
    texts = {"instruction.md": world.task.spec.instruction} | {
        f"workspace/{path}": _decoded(content) for path, content in world.contents.items()
    }
    faults: list[str] = list(shape_faults(world))
    if faults:
        return faults
    for check in world.task.spec.verification.checks:
        if check.role != "outcome":
            continue
        wanted = check.wanted(world.values)
        for value in _lone_values(check, wanted):
            where = next((name for name, text in texts.items() if _stands_in(value, text)), None)
            if where and not {str(value), check.id} & excused:
                faults.append(
                    f"verification.checks.{check.id}: the expected value {value!r} stands in {where} (seed {world.seed})"
                )
    for table, rows in _output_rows(world).items():
        for key, cells in rows.items():
            found = _line_with([*key.split("|"), *cells], texts)
            if found and not {key, *table.checks} & excused:
                faults.append(
                    f"outputs.{table.path}: the whole expected row {key!r} stands in one line of {found} (seed {world.seed})"
                )
    return faults


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _lone_values(check: CheckBase, wanted: Any) -> list[Any]:  # noqa: ANN401 - any JSON value
    """The values of at least three characters that earn the check's weight by themselves."""
    kind = getattr(check, "kind", "")
    if kind in ("labelled_figure", "labelled_text") and isinstance(wanted, dict):
        wanted = wanted["value"]
    if kind not in ("labelled_figure", "labelled_date", "labelled_text", "tree_value", "paragraph_balance"):
        return []
    values = wanted if isinstance(wanted, list) else [wanted]
    if kind == "labelled_text" and len(values) > 1:
        return []
    return [v for v in values if not isinstance(v, bool | None.__class__ | dict) and len(str(v)) >= MIN_LEAK_CHARACTERS]


def _stands_in(value: Any, text: str) -> bool:  # noqa: ANN401 - a scalar
    number = plain_number(value) is not None
    before, after = (r"(?<![\w.,-])", r"(?![\w]|[.,]\d)") if number else (r"(?<!\w)", r"(?!\w)")
    return any(re.search(before + re.escape(form) + after, text, re.IGNORECASE) for form in _forms(value))


def _forms(value: Any) -> set[str]:  # noqa: ANN401 - a scalar
    forms = {str(value)}
    number = plain_number(value)
    if number is not None and abs(number) < 10**15:
        forms = {f"{abs(number):f}", f"{abs(number):,f}", f"{abs(number):.2f}", f"{abs(number):,.2f}"}
        forms |= {f"{abs(int(number))}", f"{abs(int(number)):,}"} if number == int(number) else set()
    day = iso_date(str(value))
    if day is not None:
        forms |= {
            f"{day.day} {day:%B} {day.year}",
            f"{day:%B} {day.day}, {day.year}",
            f"{day:%d/%m/%Y}",
            f"{day:%Y%m%d}",
        }
    return {form for form in forms if len(form) >= MIN_LEAK_CHARACTERS}


@dataclass(frozen=True)
class _Rows:
    """A table, or a list of a tree, and the checks that compare its rows."""

    path: str
    at: str
    checks: tuple[str, ...]


def _output_rows(world: World) -> dict[_Rows, dict[str, list[str]]]:
    """Every expected row of which the checks together know all the declared cells, by key."""
    rows: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    checks: dict[tuple[str, str], tuple[str, ...]] = {}
    for check in world.task.spec.verification.checks:
        if isinstance(check, TableRows | TreeRows):
            place = (check.path, getattr(check, "at", ""))
            checks[place] = (*checks.get(place, ()), check.id)
            for key, row in check.wanted(world.values).items():
                rows.setdefault(place, {}).setdefault(key, {}).update(row)
    outputs = {output.path: output for output in world.task.spec.outputs}
    found: dict[_Rows, dict[str, list[str]]] = {}
    for (path, at), by_key in rows.items():
        if path not in outputs:
            continue
        columns = outputs[path].columns.get(at) if at else outputs[path].columns
        needed = set(columns or ()) - set(key_names(outputs[path], at))
        whole = {
            key: [str(row[name]) for name in sorted(needed)] for key, row in by_key.items() if needed <= row.keys()
        }
        found[_Rows(path, at, checks[path, at])] = {
            key: cells for key, cells in whole.items() if any(len(cell) >= MIN_LEAK_CHARACTERS for cell in cells)
        }
    return found


def _line_with(parts: list[str], texts: Mapping[str, str]) -> str | None:
    """The name of the text that holds all the parts in one line."""
    for name, text in texts.items():
        candidates = [line for line in text.splitlines() if parts[0] in line]
        if any(all(_word_in(part, line) for part in parts if part) for line in candidates):
            return name
    return None


def _word_in(word: str, line: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(word)}(?![\w]|\.\d)", line) is not None
