/// A bound that somebody may want to know or change is found with the others, and not where it is used.
///
/// A number with a name is a limit unless `others` says what else it is. So is a property that begins with a number and
/// is called like a size or a time, a stack's size, and a pause that is written where it is made.
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
        "TextValidation.afterF0", "TextValidation.afterF4",
      ]
    ),
    (
      "what SQLite, the grammar, a calendar or the system has",
      [
        "ISODate.range", "GlobFunction.knownVersions",
        "ASTStatement+Decoding.messagesPerNode", "ThreadPriority.behind",
        "ThreadPriority.last", "MartletURL.defaultPort",
      ]
    ),
    ("the unit or the ranges that something is counted in", ["TokenBucket.unit", "LatencyHistogram.rangeCount"]),
    (
      "how a picture looks",
      ["TableFit.gap", "ProgressBar.barCells", "Terminal.columnsDefault", "Terminal.rowsDefault"]
    ),
    (
      "the data of a benchmark",
      [
        "TPCBTables.tellersPerBranch", "TPCBTables.accountsPerBranch", "BenchData.itemsDefault", "BenchData.bulkRows",
        "BenchData.upsertKeys",
      ]
    ),
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

    /// What the line calls it; nil if there is none.
    func limit(in line: String) -> String? {
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
