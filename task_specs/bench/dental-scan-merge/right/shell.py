"""As a shell script would do it: files copied with their modes, in folders that keep an empty one; rows in reverse."""

import runpy
import shutil
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
manifest = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
images = ws / "handover/images"
(images / "unclear/ashgrove").mkdir(parents=True)
for source, decision, target in manifest:
    if decision in ("taken", "unclear"):
        (images / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ws / source, images / target)
rows = [f'{source},{decision},"{target}"' for source, decision, target in reversed(manifest)]
(ws / "handover/manifest.csv").write_text("\n".join(["source,decision,target", *rows]), "utf-8")
