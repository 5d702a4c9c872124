"""Uses the package as it will be when `encode` and `decode` are gone from `words`: calls and scripts in, what they give out.

Standard input: a JSON list of `{"call": "module:function", "args": [...]}` and `{"script": [words], "stdin": text}`; a script's
first word is a path, or `-m` with a module. Bytes are written `{"hex": "00ff"}`.
"""

import contextlib
import importlib
import io
import json
import runpy
import sys

sys.path.insert(0, ".")
sys.dont_write_bytecode = True


def without_the_old_ones():
    words = importlib.import_module("shiver.words")
    for name in ("encode", "decode"):
        if hasattr(words, name):
            delattr(words, name)


def read(value):
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


def called(step):
    module, _, function = step["call"].partition(":")
    value = getattr(importlib.import_module(module), function)(*map(read, step["args"]))
    return {"hex": value.hex()} if isinstance(value, bytes | bytearray) else value


def printed(step):
    out = io.StringIO()
    sys.stdin = io.StringIO(step["stdin"])
    words = step["script"]
    with contextlib.redirect_stdout(out):
        if words[0] == "-m":
            sys.argv = words[1:]
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = words
            runpy.run_path(words[0], run_name="__main__")
    return out.getvalue()


def result(step):
    try:
        return called(step) if "call" in step else printed(step)
    except (Exception, SystemExit) as error:
        return {"raises": type(error).__name__}


def main():
    steps = json.loads(sys.stdin.read())
    without_the_old_ones()
    print(json.dumps([result(step) for step in steps]))


if __name__ == "__main__":
    main()
