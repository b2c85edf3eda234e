/// What can be done to the files of a running database from outside.
///
/// Always true: each is what a person or a script does with the system's own calls.
import Foundation
import Testing

/// One way for files to go, which `undo` takes back if it can be.
struct Harm: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Gets the data directory and the path of the database's file.
  let harm: @Sendable (_ directory: String, _ file: String) throws -> Void
  var undo: (@Sendable (_ directory: String, _ file: String) throws -> Void)?

  init(
    _ name: String, _ harm: @escaping @Sendable (String, String) throws -> Void,
    undo: (@Sendable (String, String) throws -> Void)? = nil
  ) {
    testDescription = name
    self.harm = harm
    self.undo = undo
  }

  struct Failure: Error {
    var call: String
    var code: Int32
  }

  static func check(_ result: Int32, _ call: String) throws {
    if result != 0 { throw Failure(call: call, code: errno) }
  }

  static func move(_ from: String, _ to: String) throws { try check(rename(from, to), "rename") }

  static let all: [Harm] = [
    Harm("the database is moved", { try move($1, $1 + ".away") }, undo: { try move($1 + ".away", $1) }),
    Harm("the database is removed", { try check(unlink($1), "unlink") }),
    Harm("the log is removed", { try check(unlink($1 + "-wal"), "unlink") }),
    Harm("the log is moved", { try move($1 + "-wal", $1 + ".away") }, undo: { try move($1 + ".away", $1 + "-wal") }),
    Harm("the shared file is removed", { try check(unlink($1 + "-shm"), "unlink") }),
    Harm(
      "another file takes its name",
      { directory, file in
        try FileManager.default.copyItem(atPath: file, toPath: directory + "/other")
        try check(link(file, directory + "/kept"), "link")
        try move(directory + "/other", file)
      }, undo: { directory, file in try move(directory + "/kept", file) }),
    Harm("the database is cut", { try check(truncate($1, 512), "truncate") }),
    Harm("the log is cut", { try check(truncate($1 + "-wal", 0), "truncate") }),
    Harm(
      "the database gets a second name", { try check(link($1, $0 + "/second"), "link") },
      undo: { directory, _ in try check(unlink(directory + "/second"), "unlink") }),
    Harm(
      "the log gets a second name", { try check(link($1 + "-wal", $0 + "/second"), "link") },
      undo: { directory, _ in try check(unlink(directory + "/second"), "unlink") }),
    Harm(
      "a link takes its name",
      { directory, file in
        try move(file, directory + "/away")
        try check(symlink(directory + "/away", file), "symlink")
      }, undo: { directory, file in try move(directory + "/away", file) }),
    Harm(
      "the directory is moved", { directory, _ in try move(directory, directory + "-away") },
      undo: { directory, _ in
        try move(directory + "-away", directory)
      }),
    Harm("the directory is removed", { directory, _ in try FileManager.default.removeItem(atPath: directory) }),
    Harm(
      "the directory is replaced",
      { directory, _ in
        try move(directory, directory + "-away")
        try check(mkdir(directory, 0o700), "mkdir")
      },
      undo: { directory, _ in
        try check(rmdir(directory), "rmdir")
        try move(directory + "-away", directory)
      }),
  ]

  static var undone: [Harm] { all.filter { $0.undo != nil } }
}
