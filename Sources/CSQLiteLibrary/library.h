// Says which library is linked, and nothing more: the calls are in CSQLite.
