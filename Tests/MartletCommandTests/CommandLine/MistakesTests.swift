/// Command lines that cannot work: one clear sentence and an exit code other than 0.
import Foundation
import MartletTestSupport
import Testing

struct MistakesTests {
  static let mistakes: [(arguments: [String], status: Int32, words: String)] = [
    (["help", "bogus"], 64, "There is no command 'bogus'."),
    (["help", "databases", "lsit"], 64, "Did you mean list?"), (["help", "sql", "bogus"], 64, "no command 'bogus'"),
    (["frobnicate"], 64, "frobnicate"), (["srve"], 64, "no command 'srve'. Did you mean serve?\nUsage: martlet <"),
    (["databases", "lsit"], 64, "Did you mean list?"),
    (["token", "creat"], 64, "Did you mean create?\nUsage: martlet token <"),
    (["sql", "-header", "martlet://127.0.0.1:1/a", "select 1"], 64, "no option -header. --headers begins"),
    (
      ["sql", "martlet://127.0.0.1:1/a", "-html", "select 1"], 64,
      "markdown is the nearest to HTML.\nUsage: martlet sql"
    ),
    (["sql", "-batch", "martlet://127.0.0.1:1/a"], 64, "no option -batch."),
    (["sql", "-echo", "martlet://127.0.0.1:1/a"], 64, "no option -echo."),
    (["sql", "-csv", "martlet://127.0.0.1:1/a"], 64, "--format csv prints rows so."),
    (["sql", "-separator=,", "martlet://127.0.0.1:1/a"], 64, "no option -separator=,."),
    (["export", "-what", "martlet://127.0.0.1:1/a", "x.sqlite"], 64, "as in --what.\nUsage: martlet export"),
    (["databases", "create", "-hurry", "martlet://127.0.0.1:1/a"], 64, "--hurry.\nUsage: martlet databases create"),
    (["-hello"], 64, "--hello.\nUsage: martlet <"), (["serve", "-datah", "x"], 64, "as in --datah."),
    (["sql", "shop.sqlite"], 64, "martlet serve --data FOLDER serves"),
    (["check", "./shop"], 64, "./shop names a file"),
    (["export", "nonsense", "x.sqlite"], 64, "See 'martlet export --help' for more information."),
    (["databases", "create", "nonsense"], 64, "See 'martlet databases create --help' for more information."),
    (["sql"], 64, "url"),
    (["sql", "nonsense", "select 1"], 64, "martlet://"),
    (["sql", "martlet://localhost:99999/a", "select 1"], 64, "port"),
    (["sql", "martlet://127.0.0.1:1", "select 1"], 64, "database"),
    (["status", "127.0.0.1:1"], 64, "martlet://"), (["check", "http://127.0.0.1/a"], 64, "martlet://"),
    (["bench", "ping", "--url", "127.0.0.1:1"], 64, "martlet://"),
    (["export", "127.0.0.1:1/a", "x.sqlite"], 64, "martlet://"),
    (["sql", "martlet+tls://127.0.0.1:1/a", "select 1"], 1, "127.0.0.1:1"),
    (["sql", "martlet+tls://127.0.0.1:1/a", "--ca", "/nowhere/ca.pem", "select 1"], 1, "/nowhere/ca.pem"),
    (["sql", "martlet+tls://127.0.0.1:1/a", "--fingerprint", "ab", "select 1"], 1, "SHA-256"),
    (["databases", "martlet://127.0.0.1:1", "--ca", "ca.pem"], 64, "martlet+tls://"),
    (["sql", "martlet://127.0.0.1:1/a", "--key", "k.pem", "select 1"], 64, "martlet+tls://"),
    (["databases", "create", "martlet://127.0.0.1:1"], 64, "Name the database in the URL"),
    (["databases", "drop", "martlet://127.0.0.1:1", "--yes"], 64, "Name the database in the URL"),
    (["health", "127.0.0.1:1"], 1, "127.0.0.1:1"), (["health", "127.0.0.1"], 64, "HOST:PORT"),
    (["checksums", "status", "--data", "/nowhere", "a"], 1, "data directory"),
    (["config", "check", "/nowhere"], 1, "/nowhere"),
    (["bench", "ping", "--url", "martlet+tls://127.0.0.1:1/a"], 1, "127.0.0.1:1"),
    (["sql", "martlet://192.0.2.1/a", "--token-file", "/nowhere/token", "select 1"], 1, "in the clear"),
    (["sql", "martlet://127.0.0.1:1/a", "select 1"], 1, "127.0.0.1:1"),
    (["sql", "martlet+unix:///nowhere.sock?db=a", "select 1"], 1, "nowhere.sock"),
    (["sql", "martlet://127.0.0.1:1/a", "--format", "xml"], 64, "xml"),
    (["import", "martlet://127.0.0.1:1/a", "/nowhere/file"], 1, "/nowhere/file"),
    (["import", "martlet://127.0.0.1:1/a", "/dev/null"], 1, "/dev/null is no ordinary file. The name - reads"),
    (["import", "martlet://127.0.0.1:1/a", "/tmp"], 1, "/tmp is a folder. Name a file."),
    (["import", "martlet://127.0.0.1:1/a", "x.csv", "--create"], 64, "--table"),
    (["export", "martlet://127.0.0.1:1/a", "out.csv", "--format", "csv"], 64, "--table"),
    (["export", "martlet://127.0.0.1:1/a", "-"], 64, "file"),
    (["export", "martlet://127.0.0.1:1/a", "prices.csv"], 64, "--table"),
    (["export", "martlet://127.0.0.1:1/a", "x.JSONL"], 64, "--table"),
    (["import", "martlet://127.0.0.1:1/a", "-"], 64, "Name the file"),
    (["import", "martlet://127.0.0.1:1/a", "x.csv", "--replace"], 64, "--table"),
    (["import", "martlet://127.0.0.1:1/a", "x.csv", "--table", "t", "--replace", "--append"], 64, "exclude"),
    (["import", "martlet://127.0.0.1:1/a", "x.csv", "--table", "t", "--delimiter", "ab"], 64, "one byte"),
    (["bench", "nope", "--url", "martlet://127.0.0.1:1/a"], 64, "point-read"),
    (["bench", "ping", "--url", "martlet://127.0.0.1:1/a"], 1, "127.0.0.1:1"),
    (["bench", "ping", "--url", "martlet://127.0.0.1:1/a", "--pipeline", "0"], 64, "--pipeline"),
    (["bench", "nope", "--url", "martlet://127.0.0.1:1/a"], 64, "tpcb"),
    (["bench", "tpcb", "--url", "martlet://127.0.0.1:1/a", "--scale", "0"], 64, "--scale"),
    (["bench", "tpcb", "--url", "martlet://127.0.0.1:1/a", "--pipeline", "2"], 64, "one at a time"),
    (["bench", "tpcb", "--url", "martlet://127.0.0.1:1/a", "--mode", "slow"], 64, "interactive"),
    (["bench", "tpcb", "--url", "martlet://127.0.0.1:1/a"], 1, "127.0.0.1:1"),
    (["serve", "--listen", "martlet://0.0.0.0:0"], 1, "loopback"),
    (
      ["serve", "--log-level", "error", "--listen", "martlet+unix:///nowhere/m.sock"], 1,
      "/nowhere/m.sock: there is no folder /nowhere. Make it"
    ),
    (
      ["serve", "--listen", "martlet://127.0.0.1:6199", "--listen", "martlet://127.0.0.1:6199"], 1,
      "--listen names the address of martlet://127.0.0.1:6199 twice."
    ),
    (["serve", "--listen", "http://127.0.0.1"], 64, "'http://127.0.0.1' is invalid for '--listen"),
    (["serve", "--listen", "127.0.0.1:6278"], 64, "martlet://"),
    (["serve", "--log-level", "loud"], 64, "log level"),
  ]

  @Test(arguments: mistakes)
  func `a mistake is told in a sentence`(arguments: [String], status: Int32, words: String) throws {
    let folder = try TemporaryFolder()
    let isServe = arguments.first == "serve"
    let outcome = try Martlet.run(arguments + (isServe ? ["--data", folder.path + "/data"] : []))
    #expect(outcome.status == status)
    #expect(outcome.output.isEmpty)
    #expect(outcome.complaint.hasPrefix("Error: "))
    #expect(outcome.complaint.contains(words))
    // What the command line lacks is shown with its usage; everything else is one line.
    if status == 1 { #expect(outcome.complaint.split(separator: "\n").count == 1) }
  }

  @Test(arguments: [[], ["serve"], ["sql"], ["import"], ["export"], ["bench"]])
  func `every verb explains itself with examples`(verb: [String]) throws {
    let outcome = try Martlet.run(verb + ["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("EXAMPLES:"))
    #expect(outcome.output.contains("USAGE: martlet"))
  }

  @Test func `the help of import says what becomes of decimal fractions`() throws {
    let help = try Martlet.run(["import", "--help"]).output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(help.contains("1.10 is 1.1") && !help.contains("reads back as it is written"), "\(help)")
  }

  @Test func `what is counted is not said to be milliseconds`() throws {
    let help = try Martlet.run(["serve", "--help"]).output
    let lines = help.split(separator: "\n").filter { $0.contains("<ms>") }
    #expect(lines.count > 3)
    for line in lines { #expect(line.contains("-ms <ms>"), "\(line)") }
  }

  @Test(arguments: [["help"], ["help", "databases"], ["help", "databases", "list"], ["help", "help"]])
  func `the help of a verb is printed`(words: [String]) throws {
    let outcome = try Martlet.run(words)
    #expect(outcome.status == 0 && outcome.output.contains("USAGE: martlet") && outcome.complaint.isEmpty, "\(outcome)")
  }

  #if os(Linux)
    @Test func `a data directory that cannot be made is named`() throws {
      let outcome = try Martlet.run(["serve", "--data", "/proc/nowhere/data", "--log-level", "error"])
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.complaint.hasPrefix("Error: The data directory /proc/nowhere cannot be made: "), "\(outcome)")
    }

    @Test(arguments: [["help"], ["--help"], ["sql", "--help"], ["--version"]])
    func `help and version that cannot be written are a failure`(words: [String]) throws {
      let outcome = try Martlet.run(words, outputPath: "/dev/full")
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.complaint == "Error: The output cannot be written: No space left on device.\n")
    }
  #endif

  @Test func `the version is a number`() throws {
    let outcome = try Martlet.run(["--version"])
    #expect(outcome.output.split(separator: ".").count == 3)
  }
}
