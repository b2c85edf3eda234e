/// Which files the engine opens and which it refuses: links, devices, files of others; and the rights on its own.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct OpeningTests {
  private static func engine(_ directory: String) throws -> Engine {
    var configuration = EngineConfiguration(directory: directory)
    configuration.limits.diskFreeBytesMin = 1 << 20
    return try Engine(configuration: configuration)
  }

  /// A file that a name of the data directory must not lead to, made by a closure.
  struct Trap: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let set: @Sendable (_ data: String, _ outside: String) throws -> Void
  }

  private static func copy(_ outside: String) throws {
    let engine = try engine(outside)
    _ = try engine.database(named: "shop", create: true)
    engine.shutdown()
  }

  static let traps: [Trap] = [
    Trap(testDescription: "a link to a database") { data, outside in
      try copy(outside)
      try Harm.check(symlink(outside + "/shop.sqlite", data + "/shop.sqlite"), "symlink")
    },
    Trap(testDescription: "a link to nothing") { data, outside in
      try Harm.check(symlink(outside + "/absent.sqlite", data + "/shop.sqlite"), "symlink")
    },
    Trap(testDescription: "a second name of a database") { data, outside in
      try copy(outside)
      try Harm.check(link(outside + "/shop.sqlite", data + "/shop.sqlite"), "link")
    },
    Trap(testDescription: "a pipe") { data, _ in try Harm.check(mkfifo(data + "/shop.sqlite", 0o600), "mkfifo") },
    Trap(testDescription: "a directory") { data, _ in try Harm.check(mkdir(data + "/shop.sqlite", 0o700), "mkdir") },
    Trap(testDescription: "a link as the log") { data, outside in
      try copy(data)
      try Harm.check(symlink(outside + "/absent", data + "/shop.sqlite-wal"), "symlink")
    },
    Trap(testDescription: "a second name of the log") { data, outside in
      try copy(data)
      _ = FileManager.default.createFile(atPath: outside + "/other", contents: Data("x".utf8))
      try Harm.check(link(outside + "/other", data + "/shop.sqlite-wal"), "link")
    },
    Trap(testDescription: "a link as the shared file") { data, outside in
      try copy(data)
      try Harm.check(symlink(outside + "/absent", data + "/shop.sqlite-shm"), "symlink")
    },
    Trap(testDescription: "a pipe as the log") { data, _ in
      try copy(data)
      try Harm.check(mkfifo(data + "/shop.sqlite-wal", 0o600), "mkfifo")
    },
    Trap(testDescription: "a link as the journal") { data, outside in
      try copy(data)
      try Harm.check(symlink(outside + "/absent", data + "/shop.sqlite-journal"), "symlink")
    },
    Trap(testDescription: "a link as the lock") { data, outside in
      try copy(data)
      unlink(data + "/shop.sqlite-lock")
      try Harm.check(symlink(outside + "/absent", data + "/shop.sqlite-lock"), "symlink")
    },
  ]

  @Test(arguments: traps) func `what is not a file of its own is refused, and nothing is made elsewhere`(
    _ trap: Trap
  ) throws {
    let folder = TemporaryDirectory()
    let (data, outside) = (folder.path + "/data", folder.path + "/outside")
    for path in [data, outside] { try Harm.check(mkdir(path, 0o700), "mkdir") }
    try trap.set(data, outside)
    let before = try FileManager.default.contentsOfDirectory(atPath: outside).sorted()
    let engine = try Self.engine(data)
    defer { engine.shutdown() }
    for create in [true, false] {
      let error = #expect(throws: RequestError.self) { try engine.database(named: "shop", create: create) }
      #expect(error?.reason == .notAllowed)
      #expect(error?.message.contains("shop") == true)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside).sorted() == before)
    // The neighbours are not concerned.
    _ = try engine.database(named: "other", create: true)
  }

  @Test func `a lock file that is a link is refused`() throws {
    let folder = TemporaryDirectory()
    try Harm.check(symlink(folder.path + "/elsewhere", folder.path + "/martlet.lock"), "symlink")
    #expect(throws: RequestError.self) { try Self.engine(folder.path) }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
  }

  @Test func `a directory's links are followed once, at the start`() throws {
    let folder = TemporaryDirectory()
    for name in ["a", "b"] { try Harm.check(mkdir(folder.path + "/" + name, 0o700), "mkdir") }
    try Harm.check(symlink(folder.path + "/a", folder.path + "/data"), "symlink")
    let engine = try Self.engine(folder.path + "/data")
    defer { engine.shutdown() }
    #expect(throws: RequestError.self) { try Self.engine(folder.path + "/a") }
    try Harm.check(unlink(folder.path + "/data"), "unlink")
    try Harm.check(symlink(folder.path + "/b", folder.path + "/data"), "symlink")
    _ = try engine.database(named: "shop", create: true)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/a/shop.sqlite"))
  }

  @Test func `files are for their owner alone`() throws {
    let folder = TemporaryDirectory()
    let former = umask(0)
    defer { umask(former) }
    let engine = try Self.engine(folder.path + "/data")
    defer { engine.shutdown() }
    _ = try engine.database(named: "shop", create: true)
    for name in ["shop.sqlite", "shop.sqlite-wal", "shop.sqlite-shm", "shop.sqlite-lock", "martlet.lock"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/data/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/data")
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  /// The superuser may write whatever the mode says.
  @Test(.enabled(if: geteuid() != 0)) func `a write to a file that may only be read says that the file is at fault`()
    throws
  {
    let folder = TemporaryDirectory()
    try Self.copy(folder.path)
    try Harm.check(chmod(folder.path + "/shop.sqlite", 0o400), "chmod")
    let engine = try Self.engine(folder.path)
    defer { engine.shutdown() }
    let database = try engine.database(named: "shop", create: false)
    let sink = CollectingSink()
    let token = sink.token()
    _ = database.start(
      StatementRequest(source: .statement(Trees.raw("CREATE TABLE t(a)"))), token: token, sink: sink)
    let error = sink.outcome(of: token).error
    #expect(error?.reason == .readOnly && error?.message.contains("attempt to write a readonly database") == true)
  }

  @Test func `a file that another process has locked is refused, whatever leads to it`() throws {
    let folder = TemporaryDirectory()
    try Self.copy(folder.path)
    let engine = try Self.engine(folder.path)
    defer { engine.shutdown() }
    for locked in ["shop.sqlite", "shop.sqlite-lock"] {
      let holder = try Holder(of: folder.path + "/" + locked)
      let error = #expect(throws: RequestError.self) { try engine.database(named: "shop", create: false) }
      #expect(error?.message.contains("Another server") == true)
      holder.end()
    }
    _ = try engine.database(named: "shop", create: false)
  }

  /// A process that has a file locked until it is told to end.
  private final class Holder {
    private let process = Process()
    private let input = Pipe()

    init(of path: String) throws {
      let output = Pipe()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "exec 9<\"$0\"; flock -x 9 && echo held; read line", path]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      _ = output.fileHandleForReading.availableData
    }

    func end() {
      input.fileHandleForWriting.closeFile()
      process.waitUntilExit()
    }
  }

  @Test func `one server or many programs have a file`() throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/file"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let first = try InodeLock.acquire(path: path, mode: .shared)
    let second = try InodeLock.acquire(path: path, mode: .shared)
    #expect(throws: InodeLock.Failure.held) { try InodeLock.acquire(path: path, mode: .exclusive) }
    first.release()
    #expect(throws: InodeLock.Failure.held) { try InodeLock.acquire(path: path, mode: .exclusive) }
    second.release()
    let third = try InodeLock.acquire(path: path, mode: .exclusive)
    for mode in [InodeLock.Mode.shared, .exclusive] {
      #expect(throws: InodeLock.Failure.held) { try InodeLock.acquire(path: path, mode: mode) }
    }
    let reader = try InodeLock.acquire(path: path, mode: .watching)
    third.release()
    let fourth = try InodeLock.acquire(path: path, mode: .shared)
    withExtendedLifetime((first, second, third, fourth, reader)) {}
  }

  @Test func `who only reads excludes nobody, and reads through the one descriptor`() throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/file"
    _ = FileManager.default.createFile(atPath: path, contents: Data("abc".utf8))
    let reader = try InodeLock.acquire(path: path, mode: .watching)
    let server = try InodeLock.acquire(path: path, mode: .exclusive)
    let second = try InodeLock.acquire(path: path, mode: .watching)
    #expect(second.firstBytes(2) == Array("ab".utf8) && reader.firstBytes(16) == Array("abc".utf8))
    reader.release()
    #expect(throws: InodeLock.Failure.held) { try InodeLock.acquire(path: path, mode: .shared) }
    withExtendedLifetime((reader, server, second)) {}
  }
}
