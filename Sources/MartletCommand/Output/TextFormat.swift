import ArgumentParser

/// What rows are written as, and read from, in a file of text.
enum TextFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, tsv, json, jsonl

  var output: OutputFormat {
    switch self {
    case .csv: .csv
    case .tsv: .tsv
    case .json: .json
    case .jsonl: .jsonl
    }
  }

  /// The format that a person calls so; SQLite's shell says tabs.
  init?(named name: String) {
    switch name {
    case "tabs": self = .tsv
    case "ndjson": self = .jsonl
    default: self.init(rawValue: name)
    }
  }

  init?(argument: String) { self.init(named: argument) }

  /// What a file's name says.
  init?(fileName: String) {
    let ending = fileName.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard fileName.contains("."), let format = TextFormat(named: ending) else {
      return nil
    }
    self = format
  }

  /// What is said of a file whose name does not end in a format; `option` is what says it.
  static func unknown(_ fileName: String, say option: String = "--format csv, tsv, json or jsonl") -> String {
    "The name \(fileName) does not say what is in the file. Say \(option)."
  }
}
