/// Which SQL text looks after a file, however it is written.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct MaintenanceTests {
  private static let semicolons = "; ;;;;;;;;;;;;;;;;"

  @Test(
    arguments: [
      ("VACUUM", Maintenance.vacuum), ("/* x */ vacuum main", .vacuum), ("vacuum into 'x'", .vacuumInto),
      ("VACUUM main INTO ?1", .vacuumInto), ("PRAGMA optimize", .optimize), ("pragma main.optimize(0xfffe)", .optimize),
      ("PRAGMA table_info(optimize)", nil), ("SELECT 'VACUUM'", nil), ("VACUUMS", nil), ("VACUUM temp", nil),
      ("ANALYZE t", .rebuild), ("reindex", .rebuild), ("", nil), (";VACUUM", .vacuum), ("\u{FEFF} VACUUM;", .vacuum),
      ("\u{FEFF}vacuum into 'x'", .vacuumInto), ("\(semicolons)VACUUM", .vacuum),
      ("\(semicolons)VACUUM main INTO 'x'", .vacuumInto), ("\(semicolons)\u{FEFF}PRAGMA optimize", .optimize),
      (semicolons, nil), ("VACUUM\(semicolons)", .vacuum), ("VACUUM main; DROP TABLE t", nil), ("VACUUM main x", nil),
      ("VACUUM \"main\" foo", nil), ("VACUUM; vacuum", nil), ("vacuum/*;*/main;\(semicolons)drop table t", nil),
      ("VACUUM ; main", nil), ("VACUUM main;\(semicolons)", .vacuum),
    ] as [(String, Maintenance?)])
  func `it is told by its text`(sql: String, maintenance: Maintenance?) {
    #expect(Maintenance(sql) == maintenance)
  }

  @Test func `what stands before it and between its words changes nothing, and any text is read to its end`() {
    let blanks = [" ", "\n", "\t", "\u{FEFF}", "/**/", "/* VACUUM */", "-- INTO\n", "/*;*/ "]
    let statements: [([String], Maintenance)] = [
      (["VACUUM"], .vacuum), (["vacuum", "\"main\""], .vacuum), (["VACUUM", "INTO", "'f'"], .vacuumInto),
      (["VACUUM", "[main]", "into", "x"], .vacuumInto), (["PRAGMA", "optimize"], .optimize),
      (["pragma", "main", ".", "OPTIMIZE", "(", "1", ")"], .optimize), (["ANALYZE", "main", ".", "t"], .rebuild),
      (["REINDEX"], .rebuild),
    ]
    var random = SeededGenerator(seed: 1)
    let some = { (choices: [String]) in
      (0..<Int.random(in: 0...12, using: &random)).map { _ in choices.randomElement(using: &random) ?? "" }.joined()
    }
    for round in 0..<4_000 {
      let (words, maintenance) = statements[round % statements.count]
      let text = some(blanks + [";"]) + words.map { $0 + " " + some(blanks) }.joined()
      #expect(Maintenance(text) == maintenance, "\(text.debugDescription)")
      _ = Maintenance(some(blanks + words + [";", "(", ".", "'", "\"", "[", "/*", "--", "VACUUM", "PRAGMA"]))
    }
  }
}
