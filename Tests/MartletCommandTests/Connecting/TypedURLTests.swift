/// What somebody is told who types something else in the place of a URL.
import ArgumentParser
import MartletValues
import Testing

@testable import MartletCommand

struct TypedURLTests {
  @Test(arguments: [
    ("localhost:6278/music", "martlet://localhost:6278/music"), ("localhost/music", "martlet://localhost:6278/music"),
    ("localhost:7000/music", "martlet://localhost:7000/music"), ("localhost", "martlet://localhost:6278"),
    ("10.0.0.7/music", "martlet://10.0.0.7:6278/music"), ("[::1]/music", "martlet://[::1]:6278/music"),
    ("db.example.org:6278", "martlet://db.example.org:6278"), ("music", "martlet://localhost:6278/music"),
    ("my-music_2", "martlet://localhost:6278/my-music_2"),
    ("postgres://localhost/music", "martlet://localhost:6278/music"),
    ("https://db.example.org/music", "martlet://db.example.org:6278/music"),
    ("martlet:music", "martlet://localhost:6278/music"),
    ("martlet:/localhost/music", "martlet://localhost:6278/music"),
    ("MARTLET://localhost/music", "martlet://localhost:6278/music"),
    ("Martlet+TLS://db.example.org/music", "martlet+tls://db.example.org:6278/music"),
    ("/run/martlet/martlet.sock", "martlet+unix:///run/martlet/martlet.sock?db=NAME"),
    ("/run/50% of?.sock", "martlet+unix:///run/50%25%20of%3F.sock?db=NAME"),
  ])
  func `a text without the form is answered with the URL that was probably meant`(typed: String, meant: String)
    throws
  {
    #expect(TypedURL(typed).advice == " Did you mean \(meant)?")
    #expect(try MartletURL(meant).description == meant)
  }

  @Test(arguments: ["chinook.sqlite", "./x.db", "a.CSV", "/", ".", "data/rows.jsonl", "dump.sql"])
  func `the name of a file is told from a database's`(typed: String) {
    #expect(TypedURL(typed).advice.hasPrefix(" \(typed) names a file. martlet serve"))
  }

  @Test(arguments: ["", ":", "://", "a b", "user@localhost/music", "music?x", "localhost:x/music", "martlet://", "ä"])
  func `what resembles nothing is answered with the form alone`(typed: String) {
    #expect(TypedURL(typed).advice.isEmpty)
  }

  @Test func `each verb with a URL says so before it does anything, and names itself`() {
    for verb in [
      ["sql"], ["import"], ["export"], ["check"], ["unfence"], ["status"], ["databases", "create"], ["bench", "ping"],
    ] {
      let rest = ["import", "export"].contains(verb[0]) ? ["x.sqlite"] : []
      let url = verb[0] == "bench" ? ["--url", "music"] : ["music"]
      let error = #expect(throws: (any Error).self) { _ = try RootCommand.parseAsRoot(verb + url + rest) }
      let words = error.map { RootCommand.fullMessage(for: $0) } ?? ""
      #expect(words.contains(" Did you mean martlet://localhost:6278/music?"), "\(verb)")
      #expect(words.contains("martlet \(verb[0])"), "\(verb): \(words)")
    }
  }
}
