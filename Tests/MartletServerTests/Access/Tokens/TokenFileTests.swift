/// The file of tokens: its rights, its changes, and several who change it at once.
import Foundation
import MartletTestSupport
import Synchronization
import Testing

@testable import MartletServer

struct TokenFileTests {
  private let folder: TemporaryFolder
  private let file: TokenFile

  init() throws {
    folder = try TemporaryFolder()
    file = TokenFile(path: folder.path + "/tokens")
  }

  private func mode() throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int)
  }

  private func text() throws -> String { try String(contentsOfFile: file.path, encoding: .utf8) }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `the first token makes the file, and its text is not in it`() throws {
    let (record, token) = try file.create(role: "reader", name: "reports")
    #expect(try mode() == 0o600)
    #expect(try file.load().record(for: token, now: Date()) == record)
    #expect(try !text().contains(token.suffix(43)))
    #expect(try file.list() == [record])
    #expect(record.name == "reports" && record.role == "reader" && record.expires == nil)
  }

  @Test func `a revoked token is gone and comments stay`() throws {
    let first = try file.create(role: "reader")
    var kept = "# the second\r\n\n" + (try text())
    try Data(kept.utf8.dropLast()).write(to: URL(filePath: file.path))
    #expect(chmod(file.path, 0o640) == 0)
    // A file whose last line has no end gets one.
    let second = try file.create(role: "writer")
    #expect(try file.list().map(\.role) == ["reader", "writer"])
    kept = try text()
    try file.revoke(first.record.id)
    #expect(try text().hasPrefix("# the second\r\n\n{") && mode() == 0o640)
    #expect(
      try text().count == kept.count - (kept.split(separator: "\n", omittingEmptySubsequences: false)[2].count + 1))
    #expect(try file.load().record(for: first.text, now: Date()) == nil)
    #expect(try file.load().record(for: second.text, now: Date())?.role == "writer")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens"])
    #expect(message { try file.revoke(first.record.id) }.contains("has no token with the id"))
  }

  @Test func `a file that others have rights to is refused`() throws {
    _ = try file.create(role: "reader")
    for mode: mode_t in [0o604, 0o602, 0o601, 0o620, 0o666] {
      #expect(chmod(file.path, mode) == 0)
      #expect(message { _ = try file.load() }.contains("chmod o=,g-w"))
      #expect(message { _ = try file.create(role: "reader") }.contains("chmod o=,g-w"))
      #expect(message { try file.revoke("a") }.contains("chmod o=,g-w"))
    }
    #expect(chmod(file.path, 0o640) == 0)
    #expect(try file.list().count == 1)
  }

  @Test func `what is no list of tokens stays as it is`() throws {
    #expect(message { _ = try file.load() }.contains("There is no file"))
    #expect(message { try file.revoke("abc") }.contains("cannot be changed"))
    #expect(message { _ = try file.create(role: "a b") }.contains("A role's name is"))
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(message { _ = try TokenFile(path: folder.path).load() }.contains("no ordinary file"))
    #expect(
      message { _ = try TokenFile(path: folder.path + "/no/tokens").create(role: "a") }.contains("cannot be changed"))
    try Data("nonsense\n".utf8).write(to: URL(filePath: file.path))
    #expect(chmod(file.path, 0o600) == 0)
    #expect(message { _ = try file.create(role: "reader") }.contains("tokens:1: "))
    #expect(try text() == "nonsense\n")
    try Data([0xFF, 10]).write(to: URL(filePath: file.path))
    #expect(message { _ = try file.load() }.contains("UTF-8"))
  }

  @Test func `a link to the file stays a link`() throws {
    let first = try file.create(role: "reader")
    let link = TokenFile(path: folder.path + "/link")
    #expect(symlink(file.path, link.path) == 0)
    _ = try link.create(role: "writer")
    try link.revoke(first.record.id)
    #expect(try file.list().map(\.role) == ["writer"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
  }

  @Test func `many who change it at once lose nothing`() throws {
    let texts = Mutex<[String]>([])
    let file = file
    DispatchQueue.concurrentPerform(iterations: 40) { number in
      guard let made = try? file.create(role: "r\(number)") else { return }
      if number % 2 == 0 { try? file.revoke(made.record.id) } else { texts.withLock { $0.append(made.text) } }
    }
    let list = try file.load()
    let kept = texts.withLock { $0 }
    #expect(kept.count == 20 && list.records.count == 20)
    for text in kept { #expect(list.record(for: text, now: Date()) != nil) }
  }
}
