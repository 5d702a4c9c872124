"""Readings as differences, which take less air time. What comes out is written down in docs/delta.md."""

LARGEST_STEP = 90
FULL_EVERY = 40


def squeeze(readings):
    """Readings (whole numbers, None where there is none) as records."""
    records = []
    before = None
    count = 0
    for reading in readings:
        if reading is None:
            if records and records[-1][0] == "gap":
                records[-1] = ("gap", records[-1][1] + 1)
            else:
                records.append(("gap", 1))
            before = None
            continue
        if before is None or count % FULL_EVERY == 0 or abs(reading - before) > LARGEST_STEP:
            records.append(("full", reading))
        else:
            records.append(("step", reading - before))
        before = reading
        count += 1
    return records


def expand(records):
    """The readings that were squeezed."""
    readings = []
    before = None
    for kind, value in records:
        if kind == "full":
            before = value
            readings.append(before)
        elif kind == "step" and before is not None:
            before += value
            readings.append(before)
        elif kind == "gap" and value > 0:
            before = None
            readings += [None] * value
        else:
            raise ValueError(f"unexpected record {kind} {value}")
    return readings
