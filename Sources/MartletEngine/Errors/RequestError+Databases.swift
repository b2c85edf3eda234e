import MartletSQLite
package import MartletValues

// MARK: - Starting

/// What is told of a database as a whole: its name, its files, its directory, and what is done with all of it.
///
/// Always true: the same condition has the same words whoever meets it; of files it has their names, and nothing that
/// is in them.
extension RequestError {
  static func limitsContradict(_ contradiction: String) -> RequestError {
    RequestError(.invalidArgument, .limit, "The limits contradict each other: \(contradiction).")
  }

  /// - Parameter sentence: what it lacks.
  static func libraryUnfit(_ sentence: String) -> RequestError {
    RequestError(.failedPrecondition, .unsupported, sentence)
  }

  /// The library in use cannot encrypt files.
  package static let keysMissing = RequestError(.unimplemented, .unsupported, SQLiteLibrary.keysMissingText)
}

// MARK: - The data directory

extension RequestError {
  static let directoryUnreadable = RequestError(
    .unavailable, .notAllowed, "The data directory cannot be read.")

  static let directoryIsFile = RequestError(
    .failedPrecondition, .notAllowed, "The data directory's path names a file. Choose another.")

  static let directoryHeld = RequestError(
    .failedPrecondition, .notAllowed,
    "Another server has this data directory open. Stop it, or choose another directory.")

  /// - Parameter reason: the system's words, here and below.
  static func directoryCannotBeOpened(_ path: String, _ reason: String) -> RequestError {
    RequestError(
      .unavailable, .notAllowed, "The data directory \(path) cannot be opened: \(reason). Make it, or choose another.")
  }

  static func directoryCannotBeMade(_ path: String, _ reason: String) -> RequestError {
    RequestError(
      .unavailable, .notAllowed, "The data directory \(path) cannot be made: \(reason). Make it, or choose another.")
  }

  static func directoryCannotBeLocked(_ path: String, _ reason: String) -> RequestError {
    RequestError(
      .unavailable, .notAllowed, "The lock file of the data directory \(path) cannot be opened: \(reason).")
  }

  static func directoryNotSynced(_ reason: String) -> RequestError {
    RequestError(
      .unavailable, .notAllowed, "The data directory could not be written to the disk: \(reason).")
  }

  /// A file that a database of that name would take for its own.
  static func leftover(_ file: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "The file \(file) lies in the data directory and belongs to no database. Move it away first.")
  }
}

// MARK: - Names

extension RequestError {
  static let databaseNameInvalid = RequestError(
    .invalidArgument, .unknownDatabase, SimpleName.rule("A database's name"))

  /// `name` is valid, so it may be shown.
  static func databaseUnknown(_ name: String) -> RequestError {
    RequestError(
      .notFound, .unknownDatabase,
      "There is no database called \(name) here. Name another, or make it: martlet databases create, or createsDatabase in "
        + "a program.")
  }

  static func databaseExists(_ name: String) -> RequestError {
    RequestError(
      .alreadyExists, .notAllowed, "There is a database called \(name) already. Choose another name, or drop it first.")
  }
}

// MARK: - Databases in use

extension RequestError {
  static func databaseInUse(_ name: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "Somebody has the database \(name) open. End those connections, or ask for their end (endsSessions).",
      isRetryable: true)
  }

  static func databaseHeldElsewhere(_ name: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "Another server, or a program that embeds it, has the file of the database \(name) open, maybe by way of "
        + "another directory. Stop it, or connect to it.")
  }

  /// - Parameter process: its name and number, as the beginning of a sentence.
  static func databaseOpen(in process: String, _ name: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "\(process) has the file of the database \(name) open. End it first.", isRetryable: true)
  }

  static func tooManyOwnDatabases(_ most: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "You have \(most) databases in use, which is as many as one may have. Let go of one, or try again later.",
      isRetryable: true)
  }

  static func tooManyDatabases(_ most: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "All clients together have \(most) databases in use, which is as many as may be. Try again later.",
      isRetryable: true)
  }

  static func directoryFull(_ most: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "The server has \(most) databases, which is as many as it may. Drop one that nobody needs, or ask the operator.")
  }

  static let diskTooFullForDatabase = RequestError(
    .resourceExhausted, .limit, "The disk is almost full, so no database is made. Free some space and try again.",
    isRetryable: true)

  package static let maintenanceBusy = RequestError(
    .resourceExhausted, .overloaded,
    "A check of this database, or an unfence, is running. Try again when it has ended.",
    isRetryable: true)
}

// MARK: - Files

extension RequestError {
  /// The log holds what is not in the database's file.
  static func logNotEmpty(_ name: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed, "The log of the database \(name) could not be copied into it. Try again.",
      isRetryable: true)
  }

  /// The log that a killed process left is none that SQLite would replay.
  static func logUnfit(_ name: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "The log of the database \(name) holds no commit, or there is no page in the file that it belongs to. Look at "
        + "both before the database is opened.")
  }

  /// - Parameters:
  ///   - deed: "removed" or "renamed".
  ///   - reason: the system's words.
  static func fileCouldNotBe(_ deed: String, of name: String, _ reason: String) -> RequestError {
    RequestError(
      .unavailable, .notAllowed, "A file of the database \(name) could not be \(deed): \(reason).")
  }

  static func noChecksums(_ name: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "The database \(name) has no page checksums. Add them with `martlet checksums on`.")
  }

  static func contentDamaged(_ name: String, _ words: String) -> RequestError {
    RequestError(
      .dataLoss, .sqlite,
      "The database \(name) is damaged, so its checksums stay as they are (SQLite: \(words)). Restore it from a backup."
    )
  }

  /// - Parameter sentence: how much room it takes to write the file anew.
  static func noRoomForChecksums(_ sentence: String) -> RequestError {
    RequestError(.resourceExhausted, .limit, sentence)
  }

  static func notFenced(_ name: String) -> RequestError {
    RequestError(.failedPrecondition, .notAllowed, "The database \(name) is not fenced: it takes writes.")
  }

  static func damaged(database: String, _ words: String) -> RequestError {
    RequestError(
      .dataLoss, .sqlite,
      "The database \(database) stays fenced, because its file is damaged (SQLite: \(words)). Restore it from a backup."
    )
  }

  /// - Parameter place: where the room is needed, in words.
  static func noRoomForVacuum(bytes: UInt64, free: UInt64, _ place: String) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "VACUUM needs \(mebibytes(bytes)) MiB \(place), where \(mebibytes(free)) MiB are free; nothing was changed. Free "
        + "some space and send it again.", isRetryable: true)
  }

  static func vacuumTooLong(mostMs: Int) -> RequestError {
    RequestError(
      .deadlineExceeded, .deadline,
      "VACUUM took longer than the \(mostMs) ms that it may, half of the longest time of a write, because all writes "
        + "of the database wait for it. Nothing was changed. Raise the limit write-time-max-ms for it, or export "
        + "the database and import it again.")
  }

  private static func mebibytes(_ bytes: UInt64) -> UInt64 { (bytes >> 20) + (bytes & 0xF_FFFF == 0 ? 0 : 1) }
}

// MARK: - Files that are not what they were

/// `words` say what is wrong with them, and `remedy` what is to be done.
extension RequestError {
  static func writingStopped(database: String, _ words: String, remedy: String) -> RequestError {
    RequestError(
      .unavailable, .fenced,
      "Writing to the database \(database) has stopped, and this write did not happen: \(words). \(remedy), then run "
        + "`martlet unfence`.")
  }

  /// What is to be read cannot be opened any more; connections that were open before go on.
  static func readingStopped(database: String, _ words: String, remedy: String) -> RequestError {
    RequestError(
      .unavailable, .fenced,
      "The database \(database) is fenced, and what it holds cannot be read here: \(words). \(remedy), then run "
        + "`martlet unfence`.")
  }

  /// The write was committed to files that were gone by then.
  static func filesChangedInCommit(database: String, _ words: String, remedy: String) -> RequestError {
    RequestError(
      .unknown, .fenced,
      "While the write to the database \(database) was being committed its files changed: \(words). It may or may not "
        + "be there afterwards. \(remedy), then run `martlet unfence`, and read before writing again.",
      isOutcomeUnknown: true)
  }

  /// Nothing is wrong with the files.
  static func noDescriptors(database: String) -> RequestError {
    RequestError(
      .resourceExhausted, .overloaded,
      "The database \(database) cannot be opened now, because as many files are open as the system lets this program "
        + "open. Try again in a moment, or raise the limit on open files.", isRetryable: true)
  }

  /// The database is not opened.
  static func filesRefused(database: String, _ words: String, remedy: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed, "The database \(database) cannot be opened: \(words). \(remedy).")
  }
}
