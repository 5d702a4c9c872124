"""What `clawgym doctor` says of images."""

from clawgym_bench.image.store import stored_images


def summary() -> list[str]:
    """A line for each image of this machine, or how one is made."""
    lines = [
        f"image {record.full_name}: OpenClaw {record.openclaw or 'none'}, Debian {record.suite}, {record.bytes >> 20} MB, in {folder}"
        for folder, record in stored_images().items()
    ]
    return lines or [
        "no image: runs use this host's own /usr and are not ranked; `clawgym bench image build` makes one"
    ]
