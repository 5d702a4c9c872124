"""Job sheets. Parts of the old app that somebody may want to look at; the windows are gone."""

VERSION = "2.12"

STATES = {
    "O": "open",
    "W": "waiting",  # for parts, or for the customer to ring back
    "F": "done",
    "C": "collected",
    "X": "cancelled",
}


def save_job(db, job):
    """Writes a job as it was typed. Nobody wanted to be told what is wrong while somebody stands at the counter."""
    db.execute(
        "INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            job["no"],
            job["bike"],
            job["taken"],
            job["promised"],
            job["done"],
            job["state"],
            job["price"],
            job["parts"],
            job["note"],
            VERSION,
        ),
    )


def label(job, customer):
    return f"{job['no']:05}  {customer['name'][:18]}\n{STATES.get(job['state'], '?')}  {job['promised']}"
