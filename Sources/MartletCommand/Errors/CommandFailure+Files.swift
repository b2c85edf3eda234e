import Foundation

/// What is wrong with a file or a text that a verb reads or writes.
///
/// Always true: a condition has one member, whoever meets it. If a sentence ends with the system's words, they are
/// those of `errno`, so nothing else may be called between the call that failed and the member.
extension CommandFailure {
  /// What is imported is read twice, which a pipe and a device cannot be.
  static func notAFile(_ path: String) -> CommandFailure {
    CommandFailure(
      "\(path) is no ordinary file. The name - reads standard input: martlet import URL - --table TABLE < \(path)")
  }

  static func isFolder(_ path: String) -> CommandFailure { CommandFailure("\(path) is a folder. Name a file.") }

  static func fileInTransaction(_ path: String) -> CommandFailure {
    CommandFailure(
      "The file \(path) cannot be read as it is: a program was ended in the middle of a transaction, which has to be "
        + "undone first. Open it once with sqlite3, beside its journal: sqlite3 FILE .tables")
  }

  static func fileUnreadable(_ path: String) -> CommandFailure {
    CommandFailure("The file \(path) cannot be read: \(String(cString: strerror(errno))).")
  }

  static func fileUnwritable(_ path: String) -> CommandFailure {
    CommandFailure("The file \(path) cannot be written: \(String(cString: strerror(errno))).")
  }

  static func fileNotMade(_ path: String) -> CommandFailure {
    CommandFailure("The file \(path) cannot be made: \(String(cString: strerror(errno))).")
  }

  static func fileExists(_ path: String) -> CommandFailure {
    CommandFailure("\(path) exists already. Name a file that does not.")
  }

  static func noFileForDatabase(_ path: String) -> CommandFailure {
    CommandFailure(
      "\(path) is no ordinary file, and a SQLite file is written in no order. Name a file that does not exist, or one "
        + "table with --table, which goes there as text.")
  }

  static func fileNotRenamed(_ path: String, to other: String) -> CommandFailure {
    CommandFailure("\(path) cannot be renamed to \(other): \(String(cString: strerror(errno))).")
  }

  static func interrupted(withoutFile path: String) -> CommandFailure {
    CommandFailure("It was interrupted. The file \(path) was not made.")
  }

  /// `words` are the system's.
  static func temporaryFileUnwritable(_ words: String) -> CommandFailure {
    CommandFailure(
      "A temporary file in \(ScratchFolder.parent) cannot be written: \(words). Name a folder with more room in the "
        + "variable TMPDIR.")
  }

  static var temporaryFileUnwritable: CommandFailure { temporaryFileUnwritable(String(cString: strerror(errno))) }

  static var noTemporaryFile: CommandFailure {
    CommandFailure("No temporary file could be made: \(String(cString: strerror(errno))).")
  }

  static var noTemporaryDirectory: CommandFailure {
    CommandFailure("No temporary directory could be made: \(String(cString: strerror(errno))).")
  }

  static var standardInputUnreadable: CommandFailure {
    CommandFailure("Standard input cannot be read: \(String(cString: strerror(errno))).")
  }

  static var outputUnwritable: CommandFailure {
    CommandFailure("The output cannot be written: \(String(cString: strerror(errno))).")
  }
}

// MARK: - Scripts

extension CommandFailure {
  static func scriptNotUTF8(_ place: String) -> CommandFailure {
    CommandFailure(
      "This is no text of UTF-8. Make it UTF-8, as in iconv -f LATIN1 -t UTF-8, and write other bytes as a blob, X'…'."
    ).placed(place)
  }

  static func scriptWithZeroByte(_ place: String) -> CommandFailure {
    CommandFailure(
      "This holds a zero byte, as files in UTF-16 and files that are no text do. Make a script of UTF-8 of it."
    ).placed(place)
  }

  static func argumentNotUTF8(_ index: Int) -> CommandFailure {
    CommandFailure("Argument \(index) is no text of UTF-8. Write it as UTF-8, and other bytes as a blob, X'…'.")
  }
}

// MARK: - Files of a configuration, and what belongs to it

extension CommandFailure {
  static func configurationNotAFile(_ path: String) -> CommandFailure {
    CommandFailure("\(path): It is no ordinary file. Name the configuration's file.")
  }

  static func configurationTooLarge(_ path: String, bytesMax: Int) -> CommandFailure {
    CommandFailure("\(path): It is larger than \(bytesMax >> 20) MiB, which no configuration is.")
  }

  static func configurationUnreadable(_ path: String, _ reason: String) -> CommandFailure {
    CommandFailure("\(path): The file \(reason). Check its path and its rights.")
  }

  static func shapesUnwritable(_ path: String) -> CommandFailure {
    CommandFailure("\(path): The file cannot be written. Check its path and its rights.")
  }

  static func shapesUnreadable(_ path: String) -> CommandFailure {
    CommandFailure("\(path): The file cannot be read. Check its path and its rights.")
  }

  static func shapesTooLarge(_ name: String, bytesMax: Int) -> CommandFailure {
    CommandFailure("\(name): It is larger than \(bytesMax >> 20) MiB, which no list of shapes is.")
  }

  static func shapesNotUTF8(_ name: String) -> CommandFailure { CommandFailure("\(name): It is no text in UTF-8.") }

  static func badShape(_ name: String, line: Int, _ sentence: String) -> CommandFailure {
    CommandFailure("\(name):\(line): \(sentence)")
  }

  static func noKeyTokens(in config: String) -> CommandFailure {
    CommandFailure("\(config) has no key 'tokens'. Write tokens = \"PATH\" into it.")
  }

  static func certificateFileExists(_ path: String) -> CommandFailure {
    CommandFailure("\(path) is there already. Move it away, or choose another --directory.")
  }

  static func halfAnAuthority(_ certificate: String, _ key: String) -> CommandFailure {
    CommandFailure(
      "An authority is \(certificate) and \(key), and one of them is missing. Bring it back, or choose another "
        + "--directory.")
  }

  static func certificateFileUnreadable(_ path: String) -> CommandFailure {
    CommandFailure("\(path) cannot be read. Make it a file that you may read.")
  }

  static func certificateFileUnwritable(_ path: String) -> CommandFailure {
    CommandFailure("\(path) cannot be written: \(String(cString: strerror(errno))).")
  }

  static func certificateFileUnwritable(_ path: String, because error: any Error) -> CommandFailure {
    CommandFailure("\(path) cannot be written: \(error).")
  }
}
