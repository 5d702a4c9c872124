"""What is in a folder, read so that hostile content cannot block, lose or redirect the reader."""

from clawgym_data.snapshot.folder import read_folder, read_folder_at
from clawgym_data.snapshot.model import Entry, EntryKind, Snapshot, SnapshotLimits
from clawgym_data.snapshot.named import add_named
from clawgym_data.snapshot.tar import read_tar
from clawgym_data.snapshot.write import write_folder

__all__ = [
    "Entry",
    "EntryKind",
    "Snapshot",
    "SnapshotLimits",
    "add_named",
    "read_folder",
    "read_folder_at",
    "read_tar",
    "write_folder",
]
