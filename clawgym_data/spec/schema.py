"""The JSON schema of the spec document: `python -m clawgym_data.spec.schema` writes it anew."""

import json
from pathlib import Path

from clawgym_data.spec.task import TaskSpec


def schema_text() -> str:
    """The schema of `spec_json`, as it stands in `task_specs/schema/task.schema.json`."""
    schema = TaskSpec.model_json_schema(by_alias=True, mode="validation")
    return (
        json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema, indent=2, sort_keys=True)
        + "\n"
    )


if __name__ == "__main__":
    (Path(__file__).resolve().parents[2] / "task_specs" / "schema" / "task.schema.json").write_text(
        schema_text(), "utf-8"
    )
