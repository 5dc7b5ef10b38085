"""The database of a configuration, for commands that start none."""

from __future__ import annotations

from festinger.config import Settings
from festinger.errors import DatabaseUnavailable
from festinger.store.embedded import cluster
from festinger.store.embedded.place import SYSTEM_DIR, has_cluster, settle


def running_dsn(settings: Settings) -> str:
    """Return the DSN of the external database, or of the embedded one while it runs.

    Raises:
        DatabaseUnavailable: The embedded one does not run.
        ConfigurationError: The data directory cannot be used.
    """
    # A database of one's own is not ours to start or to look for.
    if settings.database.dsn is not None:
        return settings.database.dsn
    if not has_cluster(settings.data_dir):
        raise DatabaseUnavailable(
            f"{settings.data_dir} has no database yet: `festinger up` makes it, --dsn "
            "names one of yours"
        )
    place = settle(settings.data_dir, SYSTEM_DIR)
    if cluster.postmaster(place) is None:
        raise DatabaseUnavailable(
            f"the database of {settings.data_dir} does not run: `festinger up` starts it"
        )
    return place.dsn
