/// A bound that somebody may want to know or change is found with the others, and not where it is used.
///
/// A number with a name is a limit unless `others` says what else it is. So is a property, an argument or a default
/// that has a number and is called like a size or a time, a stack's size, and a pause that is written where it is made.
/// And so is a number without a name that can hardly be anything else: `1 << 20`, `for _ in 0..<10`, `count > 200`,
/// `prefix(64)`.
import Foundation

enum ScatteredLimits {
  /// What numbers are that bound nothing, by the file and the name that they have there.
  static let others: [(what: String, numbers: Set<String>)] = [
    (
      "where bytes lie in a file, a message or memory, and how many they are",
      [
        "LogFrames.logHeaderBytes", "LogFrames.frameHeaderBytes", "LogTail.header", "LogTail.frameHeader",
        "LogTail.pageSizeOffset", "LogTail.saltOffset", "PageHeader.bytes", "PageHeader.reserveOffset",
        "PageChecksum.bytes", "SequenceRecord.byteCount", "SHA256.digestBytes", "Frame.headerBytes",
        "FrameDecoder.idBytes", "Token.idLength", "Token.secretLength", "TransportEncryption.firstByte",
        "FullTextCall+Snippets.bytesPerPlace",
      ]
    ),
    (
      "what a code, a flag or a state is called",
      [
        "PageFileRequest.takeDamagedPage", "PageFileRequest.setVerifies", "JSONParser.closed", "Result.misuse",
        "ServeCommand.abandonedStatus", "Execution.cancelledFlag", "Execution.abandonedFlag",
        "Execution.shortenedFlag", "Peer.mapped", "TextValidation.reject", "TextValidation.oneMore",
        "TextValidation.twoMore", "TextValidation.threeMore", "TextValidation.afterE0", "TextValidation.afterED",
        "TextValidation.afterF0", "TextValidation.afterF4", "Subject.1 << 32",
        "RequestTemplate.mark",
      ]
    ),
    (
      "what SQLite, the grammar, a calendar or the system has",
      [
        "ISODate.range", "GlobFunction.knownVersions",
        "ASTStatement+Decoding.messagesPerNode", "ThreadPriority.behind",
        "ThreadPriority.last", "MartletURL.defaultPort", "StatementRenderer.sqliteVersion",
        "StatementValidator.sqliteVersion", "PageHeader.count >= 512", "LogFrames.count >= 512",
        "MachineMemory.1 << 60",
      ]
    ),
    ("from which size on memory grows faster, in code that other modules inline", ["RowShape.count < 8_192"]),
    ("the unit or the ranges that something is counted in", ["TokenBucket.unit", "LatencyHistogram.rangeCount"]),
    (
      "how a picture looks",
      ["TableFit.gap", "ProgressBar.barCells", "Terminal.columnsDefault", "Terminal.rowsDefault"]
    ),
    (
      "the data of a benchmark",
      [
        "TPCBTables.tellersPerBranch", "TPCBTables.accountsPerBranch", "BenchData.itemsDefault", "BenchData.bulkRows",
        "BenchData.upsertKeys", "BenchCommand.1 << 20",
      ]
    ),
    // A generic type cannot have them as `static let`. They move when these files do.
  ]

  /// Finds what looks like a limit.
  private struct Finder {
    private let named =
      /\bstatic (?:let|var) (\w+)(?:: [\w.<>]+)? = (?:-?(?:[1-9]|0[.x][0-9a-fA-F])|Duration\.\w+\([1-9])/
    private let property = /\b(?:let|var) (\w+)(?:: \w+)? = -?[1-9]/
    /// What a property is called that bounds something.
    private let endings = [
      "Max", "Min", "Most", "Least", "Ms", "Ns", "Microseconds", "Milliseconds", "Nanoseconds", "Seconds", "Bytes",
      "Attempts", "Capacity",
    ]
    /// `.seconds(2)`, but not `/ .seconds(1)`, which only converts.
    private let inPlace = /stack_?[sS]ize = [1-9]|\busleep\([1-9]|[^\/ ] ?\.(?:\w+seconds|seconds)\([1-9]/

    /// `var x: Int { 256 }`, which a generic type writes in place of a constant.
    private let getter = /\bvar (\w+): [\w.]+ \{ (?:[2-9]|1[\d_])[\d_]*(?: << \d+)? \}/
    private let defaultValue =
      /(?:^ +|[(,] ?)(?:\w+ )?(\w+): (?:U?Int\d*|Double|Duration) = (?:[2-9]|1[\d_]|\.?\w*econds\([1-9])/
    /// `a.sizeMax = 10`, and `sizeMax: 10` in a call.
    private let given = /[.](\w+) = (?:[2-9]|1[\d_])|\b(\w+): (?:[2-9]|1[\d_])[\d_]*\b(?! ?\*)/
    /// A number of ten bits and more, as sizes are written.
    private let shift = /\b\d+ << [1-9]\d/
    private let rounds = /\bfor _ in 0\.\.<[1-9]\d+/
    private let part = /\.(?:prefix|suffix|dropFirst|dropLast)\((?:1[6-9]|[2-9]\d|\d{3,})\)/
    // No boundary of a word stands behind a dot.
    private let count = /(?:^|\W)(count [<>]=? (?:[1-9][\d_]+\d|[4-9]\d|3[2-9]))(?:\W|$)/
    private let cut = /(?:^|\W)((?:min|max)\((?:[^()]*, )?[1-9][\d_]{3,}[,)])/

    /// What the line calls it; nil if there is none.
    func limit(in line: String) -> String? { named(in: line) ?? unnamed(in: line) }

    private func unnamed(in line: String) -> String? {
      if line.contains("{ "), let found = line.firstMatch(of: getter) { return String(found.1) }
      if line.contains(": "), line.contains(" = "), let found = line.firstMatch(of: defaultValue) {
        return String(found.1)
      }
      if endings.contains(where: line.contains) {
        let names = line.matches(of: given).compactMap { $0.1 ?? $0.2 }
        if let name = names.first(where: { name in endings.contains { name.hasSuffix($0) } }) { return String(name) }
      }
      if line.contains(" << "), !line.contains("rawValue:"), let found = line.firstMatch(of: shift) {
        return String(found.0)
      }
      if line.contains("for _ "), let found = line.firstMatch(of: rounds) { return String(found.0) }
      if line.contains("usleep("), !line.contains("Limits.") { return "usleep" }
      if line.contains("fix(") || line.contains(".drop"), let found = line.firstMatch(of: part) {
        return String(found.0)
      }
      if line.contains("count "), let found = line.firstMatch(of: count) { return String(found.1) }
      if line.contains("min(") || line.contains("max("), let found = line.firstMatch(of: cut) { return String(found.1) }
      return nil
    }

    private func named(in line: String) -> String? {
      // Most lines have none of it, and looking for a text is many times faster than for a pattern.
      if line.contains(" = "), line.contains("let ") || line.contains("var ") {
        if let found = line.firstMatch(of: named) { return String(found.1) }
        if let found = line.firstMatch(of: property), endings.contains(where: found.1.hasSuffix) {
          return String(found.1)
        }
      }
      guard ["stack", "usleep", "econds("].contains(where: line.contains) else { return nil }
      return line.firstMatch(of: inPlace).map { String($0.0) }
    }
  }

  static let rule = LintRule(project: "a limit stands in a file of limits") { files in
    let sources = files.filter { file in
      file.path.hasPrefix("Sources/") && file.path.hasSuffix(".swift") && !file.name.contains("Limits")
        && !file.name.contains("Configuration") && !file.name.contains("Setup") && !file.name.contains(".pb.")
    }
    let known = Set(others.flatMap(\.numbers))
    let finder = Finder()
    var seen: Set<String> = []
    var complaints: [String] = []
    for file in sources {
      let owner = file.name.replacingOccurrences(of: ".swift", with: "")
      for (index, line) in file.lines.enumerated() where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        guard let limit = finder.limit(in: line) else { continue }
        seen.insert("\(owner).\(limit)")
        if !known.contains("\(owner).\(limit)") {
          complaints.append("\(file.path):\(index + 1): \(limit): it belongs in a file of limits")
        }
      }
    }
    // Of a few files nobody can say what is not there any more.
    let isWhole = files.contains { $0.path == "Package.swift" }
    let gone = isWhole ? known.subtracting(seen).sorted().map { "\($0) is in `others`, and not in the sources" } : []
    return complaints + gone
  }
}
