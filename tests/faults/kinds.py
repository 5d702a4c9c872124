"""Kinds of faults that benchmarks of agents have had, each with what happens here instead.

A test that shows it carries `@pytest.mark.fault(name)`; test_map.py finds the kinds that no test shows.
"""

FAULTS: dict[str, str] = {
    # grading the wrong thing
    "grading-races-the-next-task": "each trial has the verdict and the conversation of its own task",
    "orphan-writes-while-graded": "scored as it was when the agent ended; nothing of it runs on",
    "deliverable-service-is-reaped": "a service is delivered as a start script, which the check starts",
    "background-child-holds-the-call": "the call returns",
    "grader-leaves-a-process": "gone with its sandbox; the next task is graded right",
    "scaffold-counts-as-output": "the harness's own files are no output",
    "leftovers-of-another-task": "each trial has a fresh workspace, whatever modes the last one left",
    "equal-task-ids": "refused, also where only the case differs",
    "odd-model-names": "runs of different models stay apart, whatever their names",
    # infrastructure taken for ability
    "service-never-ready": "refused before the first trial, never scored",
    "context-overflow": "shortened; where nothing helps, the agent's own limit, graded as it stands",
    "provider-fails": "infra_failed: tried again, then unscored and counted",
    "grader-hangs": "grader_failed where it hangs without the agent too, else 0",
    "fixed-grader-limit": "each check states its time",
    "score-parsed-from-noise": "what a checker prints is no part of its answer",
    "grader-says-nothing": "grader_failed",
    "unscored-leaves-the-denominator": "counted as planned; bounds with the unscored as 0 and as 1",
    "failed-weight-is-handed-on": "the weight of what failed stays in the denominator",
    "none-is-zero": "None, 0, empty and not measured are four things",
    "limits-not-recorded": "recorded with the run, which is marked as not standard",
    # the judge
    "malformed-judge-reply": "asked again, then judge_undecided; the code score stays",
    "sum-entered-as-score": "unusable: only a declared level counts",
    "judge-is-broken-for-all": "judge_undecided, no figure of the model",
    "judge-obeys-workspace": "the agent's words stand inside a fence; the level is that of the text",
    "number-in-prose-is-a-score": "unusable",
    "agent-jams-the-judge": "the lowest level, scored",
    # checks that do not check
    "wrong-time-of-day": "3 pm is 15:00 and not 03:00",
    "format-nobody-reads": "refused with the task, never read wrong",
    "constant-check": "the task fails its proof",
    "every-row-of-none": "0",
    "credit-for-being-there": "0; the proof refuses a task that gives it",
    "declared-but-not-run": "an unknown field is an error, every declared check is in the verdict",
    "today-in-another-zone": "the same verdict in every time zone and for every modification time",
    "another-encoding": "NFD names, CRLF and a BOM are read; where they break a program its check fails with the reason",
    "checker-raises-on-wrong-output": "that check is 0, the others count",
    # hostile agents and specs
    "planted-modules": "nothing gained",
    "link-in-the-graders-folders": "nothing of the host is read",
    "no-file-at-an-output": "0 for that output with the reason, the rest counts",
    "link-in-a-fixture": "refused with the task",
    "graders-readable": "nothing of ours is in sight",
    "open-control-endpoint": "there is none: no address answers",
    "contents-read-as-paths": "arrive byte for byte",
    "bytes-end-the-evaluation": "the trial is scored, the log reads back",
    "agent-escapes-its-zero": "agent_failed or scored, never infra_failed by the agent's doing",
}
