/// `martlet serve`: its ready file, its sockets and its end.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

struct ServeCommandTests {
  @Test func `the help names every word that may be denied`() throws {
    let help = try Martlet.run(["serve", "--help"]).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let deny = try #require(
      help.components(separatedBy: "--deny <").dropFirst().first?.components(separatedBy: "--deny-tcp").first)
    for (word, _) in Permissions.named + Permissions.groups {
      #expect(deny.contains(try Regex("\\b\(word)\\b")), "\(word)")
    }
  }

  @Test func `a signal ends it cleanly and what was acknowledged is there afterwards`() throws {
    let folder = try TemporaryFolder()
    var server = try ServerProcess(directory: folder.path + "/data")
    let written = try Martlet.run([
      "sql", "--create", server.url(database: "a"), "create table t(x); insert into t values (7)",
    ])
    #expect(written.status == 0, "\(written.complaint)")
    #expect(server.terminate() == 0)
    server = try ServerProcess(directory: folder.path + "/data")
    let read = try Martlet.run(["sql", server.url(database: "a"), "select x from t", "--format", "csv"])
    #expect(read.output == "x\n7\n")
    #expect(server.terminate() == 0)
  }

  #if canImport(Glibc)
    @Test func `it keeps its number and its name, and its threads keep few blocks that were freed`() throws {
      let folder = try TemporaryFolder()
      let server = try ServerProcess(directory: folder.path + "/data")
      let about = "/proc/\(server.processID)/"
      #expect(try String(contentsOfFile: about + "comm", encoding: .utf8) == "martlet\n")
      let environment = try String(contentsOfFile: about + "environ", encoding: .utf8).split(separator: "\0")
      #expect(environment.contains { $0.hasPrefix("GLIBC_TUNABLES=") && $0.contains("glibc.malloc.tcache_count=2") })
      #expect(server.terminate() == 0)
    }
  #endif

  #if os(Linux)
    @Test func `standard descriptors that are closed are no descriptors of the server's own`() throws {
      let folder = try TemporaryFolder()
      let ready = folder.path + "/ready"
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = [
        "-c", "exec \"$@\" <&- >&- 2>&-", "sh", try ServerProcess.program(), "serve", "--data", folder.path + "/data",
        "--listen", "martlet://127.0.0.1:0", "--ready-file", ready,
      ]
      try process.run()
      defer { process.terminate() }
      try waitUntil { FileManager.default.fileExists(atPath: ready) }
      for descriptor in 0...2 {
        let path = "/proc/\(process.processIdentifier)/fd/\(descriptor)"
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/null")
      }
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  #endif

  @Test func `the ready file has a URL for each address`() throws {
    let folder = try TemporaryFolder()
    let socket = "martlet+unix://\(folder.path)/m.sock"
    let server = try ServerProcess(directory: folder.path + "/data", arguments: ["--listen", socket])
    let outcome = try Martlet.run(["sql", "--create", socket + "?db=a", "select 1 as one", "--format", "csv"])
    #expect(outcome.output == "one\n1\n", "\(outcome.complaint)")
    #expect(server.url.hasPrefix("martlet://127.0.0.1:"))
    #expect(!server.url.hasSuffix(":0"))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `the ready file goes with the server`(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let ready = folder.path + "/ready"
    let process = Process()
    process.executableURL = URL(filePath: try ServerProcess.program())
    process.arguments = [
      "serve", "--data", folder.path + "/data", "--listen", "martlet://127.0.0.1:0", "--ready-file", ready,
      "--log-level", "error",
    ]
    try process.run()
    defer { process.terminate() }
    try waitUntil { FileManager.default.fileExists(atPath: ready) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(!FileManager.default.fileExists(atPath: ready))
  }

  @Test func `files whose names no database can have are told of at the start`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
    for name in ["sp ace.sqlite", "a.b.sqlite", "fine.sqlite", ".hidden.sqlite", "note.txt"] {
      _ = FileManager.default.createFile(atPath: folder.path + "/data/" + name, contents: nil)
    }
    let server = try LoggedServer(folder: folder.path)
    let line = try server.line { $0["files"] != nil }
    #expect(line?["files"] as? String == "a.b.sqlite, sp ace.sqlite" && line?["level"] as? String == "warning")
  }

  @Test(arguments: ["--deny", "--deny-tcp"])
  func `what is no permission cannot be denied`(option: String) throws {
    for words in ["everything", "raw,", "raw;schema", ""] {
      let outcome = try Martlet.run(["serve", option, words])
      #expect(outcome.status == 64 && outcome.complaint.contains("\(option) takes words out of raw"), "\(words)")
    }
  }

  @Test(arguments: ["d", "d/", "./d", "d/e", "d//e/", "../d", "."])
  func `a directory of any relative path is made and served`(path: String) throws {
    let home = try TemporaryFolder()
    let folder = home.path + "/work"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let server = try ServerProcess(directory: path, in: folder)
    let written = try Martlet.run(["sql", "--create", server.url(database: "a"), "create table t(x)"])
    #expect(written.status == 0, "\(written.complaint)")
    #expect(FileManager.default.fileExists(atPath: folder + "/" + path + "/a.sqlite"))
    #expect(server.terminate() == 0)
  }

  @Test func `a second server of one directory is refused`() throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data")
    let second = try Martlet.run(["serve", "--data", server.directory, "--listen", "martlet://127.0.0.1:0"])
    #expect(second.status == 1)
    #expect(second.complaint.contains("Error: "))
  }
}
