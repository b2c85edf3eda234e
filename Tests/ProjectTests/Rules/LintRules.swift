/// The rules that the project holds itself to; CONTRIBUTING.md tells them in prose.
import Foundation

enum LintRules {
  static let all = [
    columns, fileLength, testLength, functionLength, longFunctions, folderNames, leftovers, sqlText, doors, because,
    escapes, borrowed,
    unowned, Openers.rule, Openers.attached, ownLimits, fieldNumbers, boundedWaits, monotonicWaits, markdownTitle,
    DocumentedDeclarations.rule, DocumentedDeclarations.types, FolderSizes.rule, FileNames.rule, ScatteredLimits.rule,
    FixedPauses.rule, MirroredTests.rule, UnitSuites.rule, TestNames.rule, Manifest.rule, PublicModules.rule,
    ErrorSentences.rule, ErrorSentences.optionless, ErrorCatalogues.rule,
  ]

  /// A line that is one long text literal is left alone: cut in two it is harder to read and to search for.
  static let columns = LintRule.lines(
    "lines fit in 120 columns", in: { $0.path.hasSuffix(".swift") }, says: "over 120 columns"
  ) { $0.count > 120 && !$0.matches("^\\s*\"") }

  /// Files that were longer than the limit when they were written; a number here only ever shrinks.
  static let fileLengthRatchet: [String: Int] = [:]

  static let fileLength = LintRule(name: "files stay under 500 lines", applies: { $0.path.hasSuffix(".swift") }) {
    file in
    let most = fileLengthRatchet[file.path] ?? 500
    return file.lines.count > most ? [(file.lines.count, "\(file.lines.count) lines; \(most) at most: split it")] : []
  }

  static let testLength = LintRule(
    name: "files of tests stay under 350 lines",
    applies: { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") }
  ) { file in
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    return count > 350 ? [(count, "\(count) lines; 350 at most: a suite is about one thing")] : []
  }

  static let functionLength = LintRule(
    name: "functions stay under 70 lines", applies: { isOurs($0) }
  ) { file in
    FunctionScanner.functions(in: file.lines).filter { $0.length > 70 }.map {
      ($0.line, "a function of \($0.length) lines; 70 at most: give its parts names")
    }
  }

  private static func isOurs(_ file: ProjectFiles.File) -> Bool {
    (file.path.hasPrefix("Sources/") || file.path.hasPrefix("Tests/")) && file.path.hasSuffix(".swift")
  }

  /// Functions over 50 lines, all of tests and of the data of tests; the number only shrinks.
  static let longFunctionsRatchet = 23

  static let longFunctions = LintRule(project: "few functions are over 50 lines") { files in
    let found = files.filter(isOurs).flatMap { file in
      FunctionScanner.functions(in: file.lines).filter { $0.length > 50 }.map { (file.path, $0.line, $0.length) }
    }
    guard found.count > longFunctionsRatchet || found.contains(where: { $0.0.hasPrefix("Sources/") }) else { return [] }
    return found.map { "\($0.0):\($0.1): \($0.2) lines; at most \(longFunctionsRatchet) functions have over 50" }
  }

  static let folderNames = LintRule(
    name: "folders are named for the domain", applies: { $0.path.matches("^(Sources|Tests|Benchmarks)/") }
  ) { file in
    let banned = ["utils", "util", "helpers", "helper", "common", "misc", "new", "shared", "stuff", "internal"]
    let worst = file.path.split(separator: "/").dropLast().first { banned.contains($0.lowercased()) }
    return worst.map { [(1, "the folder '\($0)' says nothing about the domain")] } ?? []
  }

  // Written in two pieces so that this file does not find itself.
  static let leftovers = LintRule.lines(
    "nothing is left over", in: { !$0.path.hasPrefix("Tests/ProjectTests/") }, says: "write an issue instead"
  ) { $0.matches("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b") }

  /// Where SQL text may stand: the renderer, named files of the modules that have statements of their own, the command
  /// line, which speaks SQL with people, and what reads or prints programs' SQL.
  static let sqlPlaces = [
    "Sources/MartletAST/Rendering/", "Sources/MartletAST/Words/", "Sources/MartletSQLite/SQL/FixedSQL.swift",
    "Sources/MartletEngine/Maintenance/MaintenanceSQL.swift", "Sources/MartletSQLite/SQL/TransactionSQL.swift",
    "Sources/MartletClient/Scripts/", "Sources/MartletCommand/",
    // What prints statements in another library's spelling, and its pragmas.
    "Sources/SQLite/Trees/", "Sources/SQLite/Queries/", "Sources/SQLite/Writes/", "Sources/SQLite/Schema/",
    "Sources/SQLite/Pragmas/Pragma.swift",
  ]

  static let sqlText = LintRule.lines(
    "SQL text stands in the renderer",
    in: { file in file.path.hasPrefix("Sources/") && !sqlPlaces.contains { file.path.hasPrefix($0) } },
    says: "SQL text outside the renderer and the engine's own statements"
  ) { line in
    line.contains("\"") && !line.matches("^\\s*//")
      && line.matches(
        "\"(SELECT |INSERT (OR|INTO) |UPDATE \\S+ SET|DELETE FROM|CREATE (TABLE|INDEX|VIEW|TRIGGER)|PRAGMA |BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE )"
      )
  }

  /// Each C library has one module that may import it.
  static let doorModules = [
    "CSQLite": [
      "Sources/MartletSQLite/", "Tests/MartletASTTests/", "Tests/MartletTestSupport/PowerLoss/", "Benchmarks/",
    ],
    "CSQLiteLibrary": ["Sources/MartletSQLite/", "Benchmarks/"],
    "CSQLCipherLibrary": ["Sources/MartletSQLite/"],
    "CLibuv": ["Sources/MartletLoop/"],
    "COpenSSL": ["Sources/MartletTLS/", "Tests/MartletTLSTests/"],
    "CProtobufC": ["Sources/MartletWire/"],
    "CMartletProto": ["Sources/MartletWire/"],
  ]

  static let doors = LintRule(name: "C is imported by its door", applies: { $0.path.hasSuffix(".swift") }) { file in
    file.lines.enumerated().filter { $0.element.contains("import ") }.compactMap { offset, line in
      for (module, places) in doorModules
      where line.matches("^\\s*(@\\w+ )*((public|internal|package|private) )?import (\\w+ )?\(module)\\b") {
        if !places.contains(where: { file.path.hasPrefix($0) }) {
          return (offset + 1, "\(module) is imported only in \(places.joined(separator: ", "))")
        }
      }
      return nil
    }
  }

  static let unsafeWords =
    "@unchecked Sendable|nonisolated\\(unsafe\\)|Unmanaged[<.]|try!|fatalError\\(|preconditionFailure\\(|unsafeBitCast"
    + "|assumingMemoryBound|-Ounchecked"

  private static let hintsAtUnsafety = [
    "!", "@unchecked", "unsafe", "Unmanaged", "fatalError", "preconditionFailure", "assumingMemoryBound", "-Ounchecked",
  ]

  /// A value taken out of an optional without a look: `a!`, `f()!.b`, `a[1]!`.
  private static let forced = "[\\w)\\]]!($|[\\s.,)\\]\\[}])"

  static let because = LintRule(
    name: "what is unsafe says why it is sound",
    applies: { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }
  ) { file in
    file.lines.indices.compactMap { index in
      let line = file.lines[index]
      // Most lines have none of it, and looking for a text is many times faster than for a pattern.
      guard hintsAtUnsafety.contains(where: { line.contains($0) }) else { return nil }
      guard !line.matches("^\\s*//"), line.matches(unsafeWords) || code(of: line).matches(forced) else { return nil }
      let near = max(0, index - 4)...index
      return near.contains { saysWhy(file.lines, at: $0) }
        ? nil : (index + 1, "say why it is sound: a comment with 'because' and a reason")
    }
  }

  /// A closure whose value is the pointer that it was handed, or one made of it.
  private static let escaping =
    "\\.with(Unsafe|UTF8|CString|Contiguous)\\w*(\\([^{]*\\))? *\\{ *(\\w+ in )?(return )?"
    + "(\\$0|\\w+|\\$?\\w+\\.baseAddress!?( \\+ [\\w.]+)?|Unsafe\\w*Pointer\\((mutating|rebasing): .*\\)) *\\}"

  static let escapes = LintRule(
    name: "a pointer that leaves its closure says why it may",
    applies: { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }
  ) { file in
    file.lines.indices.compactMap { index in
      let line = file.lines[index]
      guard line.contains(".with") else { return nil }
      // Of a closure over several lines the first three: one that does more has a use for the pointer in it.
      let isOpen = line.matches("(\\{|\\bin) *$")
      let closure = file.lines[index..<min(index + (isOpen ? 3 : 1), file.lines.count)].map(code)
      let joined = closure.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
      guard joined.matches(escaping) else { return nil }
      let near = max(0, index - 4)...index
      return near.contains { saysWhy(file.lines, at: $0) }
        ? nil : (index + 1, "use it within the closure, or say why it stays valid: a comment with 'because'")
    }
  }

  /// Memory of somebody else's that is kept from one call to the next.
  static let borrowed = LintRule(
    name: "memory that is borrowed for several calls says until when",
    applies: { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }
  ) { file in
    file.lines.indices.compactMap { index in
      let line = file.lines[index]
      guard line.contains("Pointer"), line.matches("^ *[\\w() ]*\\bvar \\w+ = Unsafe\\w*Pointer(<.*>)?\\(start: nil"),
        !(max(0, index - 4)...index).contains(where: { saysWhy(file.lines, at: $0) })
      else { return nil }
      return (index + 1, "say who keeps it valid, and until when: a comment with 'because'")
    }
  }

  /// One comment for a file: its `unowned` references all stand for the same owner.
  static let unowned = LintRule(
    name: "what is unowned says why it is there",
    applies: { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }
  ) { file in
    let isSaid = file.lines.indices.contains { index in
      file.lines[index].contains("nowned") && file.lines[index].matches("//.*[Uu]nowned")
        && saysWhy(file.lines, at: index)
    }
    guard !isSaid else { return [] }
    return file.lines.indices.filter {
      file.lines[$0].contains("unowned") && code(of: file.lines[$0]).matches("\\bunowned\\b")
    }.map {
      ($0 + 1, "say why the owner is still there: a comment with 'unowned' and 'because'")
    }
  }

  /// A reason has more than four words, and is not that of another line.
  private static func saysWhy(_ lines: [String], at index: Int) -> Bool {
    guard let start = lines[index].range(of: "because") else { return false }
    var words = lines[index][start.upperBound...].split(separator: " ").map(String.init)
    for line in lines[(index + 1)...] where words.count <= 4 {
      guard line.matches("^\\s*//") else { break }
      words += line.split(separator: " ").dropFirst().map(String.init)
    }
    return words.count > 4
      && !words.prefix(4).joined(separator: " ").matches("^(of )?(just )?(the same|that[.]?$|what is always true)")
  }

  /// The line without its texts and its comment.
  private static func code(of line: String) -> String {
    line.replacingOccurrences(of: "\"(\\\\.|[^\"\\\\])*\"", with: "\"\"", options: .regularExpression)
      .replacingOccurrences(of: "//.*", with: "", options: .regularExpression)
  }

  /// What a program that talks to servers may know of their limits is what they tell at hello, or refuse.
  static let ownLimits = LintRule.lines(
    "a client does not take its own limits for a server's",
    in: { file in
      ["Sources/MartletClient/", "Sources/MartletCommand/"].contains { file.path.hasPrefix($0) }
        && !file.path.hasPrefix("Sources/MartletCommand/Configuring/")
    }, says: "that is what this build has: ask the server, or have a limit of your own"
  ) { $0.matches("(^|[^\\w.])Limits\\(\\)") }

  /// A number in hand-written code for the envelope or the grammar would not follow `proto/`.
  static let fieldNumbers = LintRule(
    name: "fields of messages have names",
    applies: { file in file.path.hasPrefix("Sources/MartletQuery/") || readers.contains { file.path.hasPrefix($0) } }
  ) { file in
    let reads = readers.contains { file.path.hasPrefix($0) }
    return file.lines.enumerated().compactMap { offset, line in
      let isNumbered =
        line.matches("\\b(\(writers))\\([0-9]")
        || reads && line.matches("case \\(?[0-9]+(\\.\\.\\.\\w*)?(, [._]|:)|\\bnumber [!=<>]=? [0-9]|\\bfield: [0-9]")
        || reads && line.matches("(\\bcase |, |[!=<>]=? )0x[0-9A-Fa-f]{2}\\b")
      guard isNumbered else { return nil }
      return (offset + 1, "write the field's name: Fields.Hello.database, GrammarFields.Select.columns")
    }
  }

  /// Where fields are read by hand, too, or by the bytes of their keys.
  private static let readers = [
    "Sources/MartletClient/Wire/", "Sources/MartletClient/Statements/", "Sources/MartletCommand/Load/Requests/",
    "Sources/MartletWire/Decoding/", "Sources/MartletAST/Decoding/",
  ]

  /// What writes a field or a clause, of which the field's number is the first argument.
  private static let writers =
    "number|flag|word|fixed\\w+|present\\w*|text|bytes|packed|message|key|delimited|statement|expressions?|predicates"
    + "|resultColumns|ordering|window|bound|source|table|joins|rows|assignments|parameter"

  /// The clock of the day can be set while somebody waits; on Linux a semaphore of Dispatch's goes by it.
  static let monotonicWaits = LintRule.lines(
    "a wait is timed by the monotonic clock", in: { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") },
    says: "the clock of the day may be set meanwhile: wait with a TimedSemaphore or a Monitor"
  ) { $0.matches("\\bwait\\((until|timeout):|\\blimit\\(until:|wallDeadline:|wallTimeout:|RunLoop.*\\(until:") }

  static let boundedWaits = LintRule.lines(
    "a test's wait ends", in: { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") },
    says: "it may wait for ever: use waitUntil"
  ) {
    $0.contains("while ") && $0.matches("while .*\\{ *(usleep|Thread\\.sleep)")
  }

  static let markdownTitle = LintRule(name: "a page has one title", applies: { $0.path.hasSuffix(".md") }) { file in
    let first = file.lines.first { !$0.isEmpty } ?? ""
    return first.hasPrefix("# ") ? [] : [(1, "the first line is the title: '# …'")]
  }
}
